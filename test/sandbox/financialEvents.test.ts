import { z } from 'zod/v4';

import { cardId, startSandbox, type TestSandbox } from './support/sandbox.ts';

const events = z.object({
	data: z.array(
		z
			.object({
				id: z.string(),
				transactionId: z.string(),
				createdAt: z.string(),
				isReversal: z.boolean(),
				isSuccess: z.boolean(),
				issues: z.array(z.unknown()),
			})
			.loose(),
	),
});

const list = async (sandbox: TestSandbox, id: string) =>
	events.parse((await sandbox.api('GET', `/cards/${id}/financial-events`)).body).data;

test('events come in reverse chronological order, those of one transaction the later first', async () => {
	const sandbox = await startSandbox();
	const all = await list(sandbox, cardId(3));
	const times = all.map(({ createdAt }) => createdAt);
	expect(times).toEqual([...times].sort().reverse());
	const byTransaction = all.map(({ transactionId }) => transactionId);
	const twice = byTransaction.find((id, index) => byTransaction.indexOf(id) !== index);
	const chain = all.filter(({ transactionId }) => transactionId === twice);
	expect(chain.map(({ isReversal }) => isReversal)).toEqual([true, false]);
});

test('an event matches its transaction', async () => {
	const sandbox = await startSandbox();
	for (const event of await list(sandbox, cardId(2))) {
		const { body } = await sandbox.api('GET', `/transactions/${event.transactionId}`);
		expect(body).toMatchObject({
			id: event.transactionId,
			cardId: cardId(2),
			createdAt: event.createdAt,
			status: event.isSuccess ? expect.any(String) : 'declined',
		});
		expect(event.issues).toHaveLength(event.isSuccess ? 0 : 1);
	}
});
