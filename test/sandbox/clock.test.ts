import { temporaryFile } from './support/cli.ts';
import {
	startDelivering,
	startReceiver,
	waitForDeliveries,
	withStatuses,
} from './support/receiver.ts';
import { cardId, startSandbox, type TestSandbox } from './support/sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
const CARD = cardId(3);

const setClock = (sandbox: TestSandbox, body: unknown) => sandbox.control('PUT', '/clock', body);

test('the clock is read, set, advanced and reset', async () => {
	let now = NOW;
	const sandbox = await startSandbox({ now: () => now });
	const shows = (time: string, adjusted: boolean) => ({
		status: 200,
		body: { now: time, adjusted, frozen: false },
	});
	expect(await sandbox.control('GET', '/clock')).toEqual(shows('2026-03-15T12:00:00.000Z', false));
	expect(await setClock(sandbox, { now: '2027-01-01T02:00:00+02:00' })).toEqual(
		shows('2027-01-01T00:00:00.000Z', true),
	);
	now = new Date(NOW.getTime() + 1_000);
	expect(await sandbox.control('GET', '/clock')).toEqual(shows('2027-01-01T00:00:01.000Z', true));
	expect(await setClock(sandbox, { advanceSeconds: 86_399 })).toEqual(
		shows('2027-01-02T00:00:00.000Z', true),
	);
	const { transaction } = await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	expect(transaction.createdAt).toBe('2027-01-02T00:00:00.000Z');
	expect(await sandbox.control('DELETE', '/clock')).toEqual(
		shows('2026-03-15T12:00:01.000Z', false),
	);
});

test('the clock is stopped, moved while it is stopped, and started', async () => {
	let now = NOW;
	const db = temporaryFile('sandbox.sqlite');
	const sandbox = await startSandbox({ db, now: () => now });
	const shown = async (each: TestSandbox) => (await each.control('GET', '/clock')).body;
	await setClock(sandbox, { frozen: true });
	now = new Date(NOW.getTime() + 1_000);
	const stopped = { adjusted: true, frozen: true };
	expect(await shown(sandbox)).toEqual({ now: '2026-03-15T12:00:00.000Z', ...stopped });
	await setClock(sandbox, { advanceSeconds: 60 });
	await sandbox.close();

	const next = await startSandbox({ db, now: () => now });
	expect(await shown(next)).toEqual({ now: '2026-03-15T12:01:00.000Z', ...stopped });
	await setClock(next, { frozen: false });
	now = new Date(NOW.getTime() + 2_000);
	const running = { now: '2026-03-15T12:01:01.000Z', adjusted: true, frozen: false };
	expect(await shown(next)).toEqual(running);
	await setClock(next, { now: '2027-01-01T00:00:00Z', frozen: true });
	expect(await shown(next)).toEqual({ now: '2027-01-01T00:00:00.000Z', ...stopped });
});

test('a clock that the start has stopped shows its time again after a reset and at each start', async () => {
	const options = { db: temporaryFile('sandbox.sqlite'), clock: '2026-01-31T12:00:00+01:00' };
	const body = { now: '2026-01-31T11:00:00.000Z', adjusted: false, frozen: true };
	const first = await startSandbox(options);
	expect((await first.control('GET', '/clock')).body).toEqual(body);
	const newest = { data: [{ createdAt: '2026-01-31T09:00:00.000Z' }] };
	expect((await first.api('GET', '/transactions?pageSize=1')).body).toMatchObject(newest);
	await first.client.advanceClock(60);
	expect((await first.control('GET', '/clock')).body).toMatchObject({ adjusted: true });
	await first.control('POST', '/reset');
	expect((await first.control('GET', '/clock')).body).toEqual(body);
	await first.client.advanceClock(60);
	await first.close();
	const second = await startSandbox(options);
	expect((await second.control('GET', '/clock')).body).toEqual(body);
});

test.each([
	[{ advanceSeconds: 300 }, '2026-03-15T12:05:00.000Z'],
	[{ now: '2026-03-15T11:59:59Z' }, '2026-03-15T11:59:59.000Z'],
	[{ now: '1970-01-01T00:00:00Z' }, '1970-01-01T00:00:00.000Z'],
])('the clock %j makes a pending retry due, which has the new time', async (change, time) => {
	const receiver = await startReceiver(withStatuses(500, 200));
	// The next attempt is due up to five minutes later.
	const options = { now: () => NOW, deliveries: { baseDelay: 300_000 } };
	const { sandbox, buy } = await startDelivering(receiver, options);
	await buy();
	await waitForDeliveries(sandbox, [{ attempts: [{ httpStatus: 500 }] }]);
	await setClock(sandbox, change);
	await receiver.waitFor(2);
	const times = receiver.received.map(({ headers }) => headers['x-webhook-timestamp']);
	expect(times).toEqual(['2026-03-15T12:00:00.000Z', time]);
});

test('a scheduled payment is paid on its due date and frees the credit', async () => {
	const sandbox = await startSandbox({ now: () => NOW });
	await sandbox.makeKey(1001);
	const payment = async () =>
		(await sandbox.api('GET', '/payments?from=2026-03-27&to=2026-03-27')).body;
	const available = async () => (await sandbox.api('GET', '/balance')).body;
	expect(await payment()).toMatchObject({ data: [{ status: 'scheduled', amount: '4930.25' }] });
	expect(await available()).toMatchObject({ availableCreditLimit: '244398.46' });
	await setClock(sandbox, { now: '2026-03-27T00:00:00Z' });
	expect(await payment()).toMatchObject({ data: [{ status: 'paid', amount: '4930.25' }] });
	expect(await available()).toMatchObject({ availableCreditLimit: '249328.71' });
});

test.each(['1970-01-01T00:00:00Z', '9998-12-31T23:59:50Z', '9999-01-01T13:59:50+14:00'])(
	'a purchase goes through all of its steps with the clock at %s',
	async (time) => {
		const sandbox = await startSandbox({ now: () => NOW });
		expect((await sandbox.control('PUT', '/clock', { now: time })).status).toBe(200);
		const { transaction } = await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
		const createdAt = new Date(time).toISOString();
		expect(transaction.createdAt).toBe(createdAt);
		await sandbox.client.simulateStep('clearing', transaction.id);
		await sandbox.client.simulateStep('refund', transaction.id);
		const range = `createdAfter=${createdAt}&createdBefore=${createdAt.replace(/\d{3}Z$/, '001Z')}`;
		expect((await sandbox.api('GET', `/transactions?cardId=${CARD}&${range}`)).body).toMatchObject({
			data: [{ createdAt }, { createdAt }],
		});
		expect((await sandbox.api('GET', '/balance')).status).toBe(200);
	},
);
