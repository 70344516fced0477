import { z } from 'zod';

import { cardId, errorAnswer, startSandbox, type TestSandbox } from './support/sandbox.ts';

const CARD = cardId(3);

const list = z.object({ data: z.array(z.object({ createdAt: z.string() })) });

const times = async (sandbox: TestSandbox, query: string) => {
	const { body } = await sandbox.api('GET', `/transactions?cardId=${CARD}&sort=asc&${query}`);
	return list.parse(body).data.map(({ createdAt }) => createdAt);
};

const encoded = (time: string) => encodeURIComponent(time);

test.each([
	// One moment in three notations.
	['2026-01-01T00:00:00Z', 1],
	['2026-01-01T14:00:00+14:00', 1],
	['2025-12-31T10:00:00-14:00', 1],
	['2025-12-31T23:59:59.999Z', 1],
	['2026-01-01T00:00:00.001Z', 0],
	['1970-01-01T00:00:00Z', 1],
	['0000-01-01T00:00:00+14:00', 1],
	['9999-12-31T23:59:59Z', 0],
	// In UTC this is in the year 10000.
	['9999-12-31T23:59:59-14:00', 0],
])('created after %s: %d of one transaction at the turn of the year', async (time, count) => {
	const turn = new Date('2026-01-01T00:00:00Z');
	const sandbox = await startSandbox({ now: () => turn, seed: 'none' });
	const card = { name: 'Travel', type: 'recurring' };
	const { body } = await sandbox.send('POST', '/cards', card);
	const { id } = z.object({ id: z.string() }).parse(body);
	await sandbox.client.authorize({ cardId: id, amount: '1.00' });
	const path = (filter: string) => `/transactions?${filter}=${encoded(time)}`;
	const after = list.parse((await sandbox.api('GET', path('createdAfter'))).body).data;
	const before = list.parse((await sandbox.api('GET', path('createdBefore'))).body).data;
	expect([after.length, before.length]).toEqual([count, 1 - count]);
});

test.each(['2026-01-01T00:00:00+25:00', '2026-13-01T00:00:00Z', '2026-02-29T00:00:00Z'])(
	'%s is no date-time and gives 400',
	async (time) => {
		const sandbox = await startSandbox();
		expect(await sandbox.api('GET', `/cards?createdAfter=${encoded(time)}`)).toEqual(
			errorAnswer(400, 'bad-request'),
		);
	},
);

test.each(['1970-01-01T00:00:00Z', '9998-12-31T23:59:50Z', '9999-01-01T13:59:50+14:00'])(
	'at %s by the sandbox’s clock a purchase goes through all of its steps',
	async (time) => {
		const sandbox = await startSandbox({ now: () => new Date('2026-03-15T12:00:00Z') });
		expect((await sandbox.control('PUT', '/clock', { now: time })).status).toBe(200);
		const { transaction } = await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
		const createdAt = new Date(time).toISOString();
		expect(transaction.createdAt).toBe(createdAt);
		await sandbox.client.simulateStep('clearing', transaction.id);
		await sandbox.client.simulateStep('refund', transaction.id);
		const range = `createdAfter=${createdAt}&createdBefore=${createdAt.replace(/\d{3}Z$/, '001Z')}`;
		expect(await times(sandbox, range)).toEqual([createdAt, createdAt]);
		expect((await sandbox.api('GET', '/balance')).status).toBe(200);
	},
);

test.each(['1969-12-31T23:59:59Z', '9999-01-01T00:00:00Z', '1970-01-01T00:00:00+00:01'])(
	'the clock refuses %s',
	async (time) => {
		const sandbox = await startSandbox();
		expect(await sandbox.control('PUT', '/clock', { now: time })).toEqual({
			status: 400,
			body: { code: 'bad-request', message: 'The clock must show a time from 1970 to 9998 (UTC)' },
		});
	},
);
