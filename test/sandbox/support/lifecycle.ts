import { z } from 'zod';

import { cardId, type TestSandbox } from './sandbox.ts';

/** A card of account 1001 without a limit. */
export const CARD = cardId(3);

/** Authorizes a purchase; gives the id of its transaction. */
export async function buy(sandbox: TestSandbox, amount: string, card = CARD): Promise<string> {
	const merchant = { merchantName: 'HARBOUR HOTEL', mcc: '7011' };
	const { transaction } = await sandbox.client.authorize({ cardId: card, amount, ...merchant });
	expect(transaction.status).toBe('pending');
	return transaction.id;
}

/** Reads a transaction. */
export const readTransaction = async (sandbox: TestSandbox, id: string) =>
	(await sandbox.api('GET', `/transactions/${id}`)).body;

/** Simulates a step of a transaction; gives the whole answer. */
export const tryStep = (
	sandbox: TestSandbox,
	step: string,
	transactionId: string,
	amount?: string,
) => sandbox.control('POST', `/simulate/${step}`, { transactionId, amount });

/** Amounts of the settlements of a card that are not seeded, the newest first. */
export async function settled(sandbox: TestSandbox, card = CARD): Promise<string[]> {
	const { body } = await sandbox.api('GET', `/settlements?cardId=${card}`);
	return z
		.object({ data: z.array(z.object({ id: z.string(), amount: z.string() })) })
		.parse(body)
		.data.filter(({ id }) => !id.startsWith('5e77'))
		.map(({ amount }) => amount);
}

/** The scheduled payment of account 1001 and its available credit. */
export async function money(sandbox: TestSandbox): Promise<[string | undefined, string]> {
	await sandbox.makeKey(1001);
	const payments = await sandbox.api('GET', '/payments?from=2026-03-16&to=2026-12-31');
	const balance = await sandbox.api('GET', '/balance');
	await sandbox.makeKey();
	const amounts = z.object({ data: z.array(z.object({ amount: z.string() })) });
	return [
		amounts.parse(payments.body).data[0]?.amount,
		z.object({ availableCreditLimit: z.string() }).parse(balance.body).availableCreditLimit,
	];
}
