import { randomUUID } from 'node:crypto';

import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod';

import { credentialsFor } from '../support/credentials';
import { afterTurns, type HttpServer, json, startServer } from '../support/httpServer';
import { runNode, type RunOptions } from '../support/n8n';

// Only the waiting is taken out.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: jest.fn(async () => await Promise.resolve()),
}));

const bodySchema = z.object({ amount: z.string(), toAccountId: z.number().int() }).strict();

/** A bank as §4.2 has it, which commits and then, for the first `drops` requests, hangs up. */
async function startBank(drops: number) {
	const transfers = new Map<string, object>();
	let atOnce = 0;
	let mostAtOnce = 0;
	const server = await startServer((request, response, count) => {
		const key = z.string().parse(request.headers['idempotency-key']);
		const { toAccountId } = bodySchema.parse(JSON.parse(request.body));
		const fromAccountId = Number(request.url.split('/').at(-2));
		const made = transfers.get(key) ?? {
			id: randomUUID(),
			fromAccountId,
			toAccountId,
			status: 'completed',
			createdAt: new Date().toISOString(),
		};
		transfers.set(key, made);
		mostAtOnce = Math.max(mostAtOnce, ++atOnce);
		// An answer takes a while, so that a second request beside it would be seen.
		afterTurns(() => {
			atOnce--;
			if (count <= drops) response.destroy();
			else json(response, 201, made);
		});
	});
	return { ...server, transfers, mostAtOnce: () => mostAtOnce };
}

let bank: HttpServer & { transfers: Map<string, object>; mostAtOnce: () => number };
afterEach(async () => {
	await bank.close();
});

const parameters = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'account',
	operation: 'transfer',
	accountId: '1001',
	toAccountId: '1002',
	amount: '25.00',
	...more,
});

const run = async (more: Partial<RunOptions> = {}) =>
	await runNode({
		parameters: parameters(),
		credentials: credentialsFor(`${bank.url}/v1/public`, { keyScope: 'customer' }),
		...more,
	});

test('amount, account and key reach the API; its answer is the output', async () => {
	bank = await startBank(0);
	const { items, error } = await run();
	expect(error).toBeUndefined();
	expect(items.map(({ json: each }) => each)).toEqual([...bank.transfers.values()]);
	expect(
		bank.requests.map(({ method, url, body }) => [method, url, bodySchema.parse(JSON.parse(body))]),
	).toEqual([
		['POST', '/v1/public/accounts/1001/transfers', { amount: '25.00', toAccountId: 1002 }],
	]);
});

test('a connection that breaks after the transfer was made: one transfer', async () => {
	bank = await startBank(2);
	const { items, error } = await run();
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	expect(bank.requests).toHaveLength(3);
	expect(bank.transfers.size).toBe(1);
});

test("n8n's Retry On Fail after that: still one transfer", async () => {
	bank = await startBank(5);
	const { items, error } = await run({ retryOnFail: true });
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	expect(bank.requests).toHaveLength(6);
	expect(bank.transfers.size).toBe(1);
});

test('items that are the same make as many transfers as there are items', async () => {
	bank = await startBank(0);
	await run({ items: [{}, {}, {}] });
	expect(bank.transfers.size).toBe(3);
});

test('a loop of items that are the same makes a transfer at each turn', async () => {
	bank = await startBank(0);
	await run({ items: [{}, {}], turns: 3 });
	expect(bank.transfers.size).toBe(6);
});

test('another execution makes a transfer of its own; the same one tried again does not', async () => {
	bank = await startBank(0);
	await run({ executionId: '7' });
	await run({ executionId: '7' });
	expect(bank.transfers.size).toBe(1);
	await run({ executionId: '8' });
	expect(bank.transfers.size).toBe(2);
});

test('a key of the user is sent as it is', async () => {
	bank = await startBank(0);
	await run({ parameters: parameters({ options: { idempotencyKey: 'invoice-77' } }) });
	expect([...bank.transfers.keys()]).toEqual(['invoice-77']);
});

test.each([
	['a number', '={{ 77 }}', '77'],
	['blanks round it', ' invoice 77 ', 'invoice 77'],
])('a key of the user that is %s', async (_name, idempotencyKey, expected) => {
	bank = await startBank(0);
	await run({ parameters: parameters({ options: { idempotencyKey } }) });
	expect([...bank.transfers.keys()]).toEqual([expected]);
});

test.each([
	['nothing', '={{ null }}'],
	['blank', '   '],
	['an object', '={{ {a: 1} }}'],
	['characters that a header cannot carry', '請求-1'],
	['a line break', "={{ 'a\\nb' }}"],
	['too long', 'x'.repeat(256)],
])('a key of the user that is %s is refused: no other key takes its place', async (_name, key) => {
	bank = await startBank(0);
	const { error } = await run({ parameters: parameters({ options: { idempotencyKey: key } }) });
	expect(error?.message).toContain('Idempotency Key cannot be used as a key');
	expect(bank.requests).toEqual([]);
});

test('each item has the options of its own', async () => {
	bank = await startBank(0);
	await run({
		parameters: parameters({ options: { idempotencyKey: '={{ $json.invoice }}' } }),
		items: [{ invoice: 'a' }, { invoice: 'b' }],
	});
	expect([...bank.transfers.keys()]).toEqual(['a', 'b']);
});

test('a key that was used for another transfer is an error, as no money was moved', async () => {
	bank = await startBank(0);
	const options = { idempotencyKey: 'invoice-77' };
	await run({ parameters: parameters({ options }) });
	const { error } = await run({ parameters: parameters({ options, toAccountId: '1003' }) });
	expect(error).toMatchObject({
		message: expect.stringContaining('No money was moved'),
		description: expect.stringContaining('an Idempotency Key of its own'),
	});
});

test('transfers are sent one by one, in the order of the items', async () => {
	bank = await startBank(0);
	const amounts = ['1.00', '2.00', '3.00', '4.00', '5.00', '6.00'];
	await run({
		parameters: parameters({ amount: '={{ $json.amount }}' }),
		items: amounts.map((amount) => ({ amount })),
	});
	expect(bank.requests.map(({ body }) => bodySchema.parse(JSON.parse(body)).amount)).toEqual(
		amounts,
	);
	expect(bank.mostAtOnce()).toBe(1);
});

test.each<[string, INodeParameters, string]>([
	['the same account', { toAccountId: '1001' }, 'Both accounts are the same: 1001'],
	['the same account, as a number', { toAccountId: '={{ 1001 }}' }, 'Both accounts are the same'],
	['no account', { accountId: '' }, 'From Account ID is empty'],
	['an account that is no number', { toAccountId: 'Marketing' }, 'To Account ID is not a whole'],
	['no amount', { amount: '' }, 'Amount is not an amount of money'],
	['an inexact number', { amount: '={{ 0.1 + 0.2 }}' }, 'Amount is not an amount of money: 0.3000'],
	['a huge number', { amount: '={{ 1e21 }}' }, 'Amount is not an amount of money'],
	['a negative amount', { amount: '-5' }, 'Amount is not an amount of money'],
])('%s is refused before any request', async (_name, change, message) => {
	bank = await startBank(0);
	const { error } = await run({ parameters: parameters(change) });
	expect(error).toMatchObject({
		message: expect.stringContaining(message),
		context: { itemIndex: 0 },
	});
	expect(bank.requests).toEqual([]);
});

test.each([
	['={{ 10 }}', '10.00'],
	['={{ 10.5 }}', '10.50'],
])('an exact number, %s, is taken', async (amount, expected) => {
	bank = await startBank(0);
	await run({ parameters: parameters({ amount }) });
	expect(bank.requests.map(({ body }) => bodySchema.parse(JSON.parse(body)).amount)).toEqual([
		expected,
	]);
});
