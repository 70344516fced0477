import { sign } from '../../harness/signing.ts';
import { eventually } from '../../harness/tools/waiting.ts';
import { type Receiver, startReceiver, withStatuses } from './support/receiver.ts';
import { cardId, startSandbox, type TestSandbox } from './support/sandbox.ts';

/** A card of account 1001. */
const CARD = cardId(3);
const QUICK = { baseDelay: 1, maxDelay: 5 };

const buy = async (sandbox: TestSandbox) =>
	(await sandbox.client.authorize({ cardId: CARD, amount: '1.00' })).event.id;

const eventIds = (receiver: Receiver) =>
	receiver.received.map(({ headers }) => headers['x-webhook-event-id']);

const allDelivered = (sandbox: TestSandbox) =>
	eventually(async () => {
		const log = await sandbox.client.deliveries();
		expect(log.filter(({ status }) => status !== 'delivered')).toEqual([]);
		return log;
	});

test('a duplicated delivery arrives twice with the same body', async () => {
	const sandbox = await startSandbox();
	const receiver = await startReceiver();
	await sandbox.client.subscribe(1001, receiver.url);
	await sandbox.client.setFaults([{ kind: 'duplicate', times: 1 }]);
	const event = await buy(sandbox);
	await receiver.waitFor(2);
	const [log] = await allDelivered(sandbox);
	expect(log?.attempts.map(({ httpStatus }) => httpStatus)).toEqual([200, 200]);
	expect(eventIds(receiver)).toEqual([event, event]);
	const [one, other] = receiver.received;
	expect(one?.body).toEqual(other?.body);
	const next = await buy(sandbox);
	await allDelivered(sandbox);
	expect(eventIds(receiver)).toEqual([event, event, next]);
});

test('a delivery with a wrong signature that is refused is retried with the right one', async () => {
	const sandbox = await startSandbox({ deliveries: QUICK });
	const receiver = await startReceiver(withStatuses(401, 200));
	const { signingSecret } = await sandbox.client.subscribe(1001, receiver.url);
	await sandbox.client.setFaults([{ kind: 'bad-signature', times: 1 }]);
	await buy(sandbox);
	await allDelivered(sandbox);
	const [wrong, right] = receiver.received.map(({ headers, body }) => ({
		sent: headers['x-webhook-signature'],
		expected: sign(body, signingSecret),
	}));
	expect(wrong?.sent).toMatch(/^v0=[0-9a-f]{64}$/);
	expect(wrong?.sent).not.toBe(wrong?.expected);
	expect(right?.sent).toBe(right?.expected);
	expect(receiver.received).toHaveLength(2);
});
