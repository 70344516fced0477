import { eventually } from '../../harness/tools/waiting.ts';
import { startHoldingReceiver, startReceiver } from './support/receiver.ts';
import {
	cardId,
	errorAnswer,
	startSandbox,
	type TestSandbox,
	UNKNOWN_ID,
} from './support/sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
/** A card of account 1001. */
const CARD = cardId(3);
const QUICK = { baseDelay: 1, maxDelay: 1 };

async function logOf(sandbox: TestSandbox, status: string, attempts: number) {
	return eventually(async () => {
		const [delivery] = await sandbox.client.deliveries();
		expect({ status: delivery?.status, attempts: delivery?.attempts.length }).toEqual({
			status,
			attempts,
		});
		return delivery?.id ?? '';
	});
}

const redeliver = (sandbox: TestSandbox, id: string) =>
	sandbox.control('POST', `/deliveries/${id}/redeliver`);

test('redelivering an accepted delivery sends the same event and bytes', async () => {
	const sandbox = await startSandbox();
	const receiver = await startReceiver();
	await sandbox.client.subscribe(1001, receiver.url);
	await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	const id = await logOf(sandbox, 'delivered', 1);
	expect(await redeliver(sandbox, id)).toEqual({
		status: 202,
		body: { id, status: 'pending' },
	});
	await logOf(sandbox, 'delivered', 2);
	const [one, other] = receiver.received;
	expect(other?.body).toEqual(one?.body);
	expect(other?.headers['x-webhook-event-id']).toBe(one?.headers['x-webhook-event-id']);
});

test('redelivering a failed delivery makes one more attempt', async () => {
	const sandbox = await startSandbox({ deliveries: { ...QUICK, maxAttempts: 2 } });
	let status = 500;
	const receiver = await startReceiver((response) => {
		response.statusCode = status;
		response.end();
	});
	await sandbox.client.subscribe(1001, receiver.url);
	await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	const id = await logOf(sandbox, 'failed', 2);
	await redeliver(sandbox, id);
	await logOf(sandbox, 'failed', 3);
	status = 200;
	await redeliver(sandbox, id);
	await logOf(sandbox, 'delivered', 4);
});

test.each([
	['succeeds', 200],
	['fails', 500],
])('a redelivery requested during an attempt that %s follows it', async (_how, status) => {
	// An hour until a retry: what follows sooner was requested.
	const sandbox = await startSandbox({ now: () => NOW, deliveries: { baseDelay: 3_600_000 } });
	const receiver = await startHoldingReceiver();
	await sandbox.client.subscribe(1001, receiver.url);
	await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	await receiver.waitFor(1);
	const id = await logOf(sandbox, 'pending', 0);
	await redeliver(sandbox, id);
	receiver.respond(status);
	await logOf(sandbox, 'delivered', 2);
	expect(receiver.received).toHaveLength(2);
});

test("redeliveries of deliveries in flight stay within the endpoint's limit", async () => {
	let sent = 0;
	const sandbox = await startSandbox({
		deliveries: { concurrencyPerEndpoint: 8 },
		onDelivery: () => (sent += 1),
	});
	let isSilent = true;
	const held: (() => void)[] = [];
	let open = 0;
	let mostOpen = 0;
	const receiver = await startReceiver((response) => {
		mostOpen = Math.max(mostOpen, ++open);
		const respond = () => {
			open -= 1;
			response.end();
		};
		if (isSilent) held.push(respond);
		else respond();
	});
	await sandbox.client.subscribe(1001, receiver.url);
	const ids: string[] = [];
	for (let number = 0; number < 20; number++) {
		const { deliveries } = await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
		ids.push(...deliveries.map(({ id }) => id));
	}
	await receiver.waitFor(8);
	for (let round = 0; round < 2; round++) {
		for (const id of ids.slice(0, 16)) await redeliver(sandbox, id);
	}
	expect(sent).toBe(8);
	isSilent = false;
	for (const respond of held) respond();
	await eventually(async () => {
		const log = await sandbox.client.deliveries();
		expect(log.map(({ status }) => status)).toEqual(ids.map(() => 'delivered'));
	});
	// Those that were on their way are sent once more, the others once.
	expect(receiver.received).toHaveLength(28);
	expect(mostOpen).toBe(8);
});

test('an unknown delivery and one whose endpoint was removed give 404', async () => {
	const sandbox = await startSandbox();
	const receiver = await startReceiver();
	const { id: endpointId } = await sandbox.client.subscribe(1001, receiver.url);
	await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	const id = await logOf(sandbox, 'delivered', 1);
	await sandbox.client.unsubscribe({ id: endpointId });
	for (const unknown of [UNKNOWN_ID, id]) {
		expect(await redeliver(sandbox, unknown)).toEqual(errorAnswer(404, 'not-found'));
	}
	expect(await sandbox.client.deliveries()).toMatchObject([{ status: 'delivered' }]);
});
