import { z } from 'zod/v4';

import { refused, startSandbox, type TestSandbox } from './support/sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
const PATH = '/accounts/1001/transfers';
const start = () => startSandbox({ now: () => NOW, seed: 'none' });
const withKey = (key: string) => ({ 'idempotency-key': key });

/** The credit limits of both accounts; leaves a customer-scoped key in use. */
async function limits(sandbox: TestSandbox): Promise<string[]> {
	const found: string[] = [];
	for (const accountId of [1001, 1002]) {
		await sandbox.makeKey(accountId);
		const { body } = await sandbox.api('GET', '/balance');
		found.push(z.object({ overallCreditLimit: z.string() }).parse(body).overallCreditLimit);
	}
	await sandbox.makeKey();
	return found;
}

test('a transfer moves funds, each without a key, and the response has exactly the documented fields', async () => {
	const sandbox = await start();
	const request = { amount: '12.5', toAccountId: 1002 };
	await sandbox.send('POST', PATH, request);
	expect(await sandbox.send('POST', PATH, request)).toEqual({
		status: 201,
		body: {
			id: expect.stringMatching(/^[0-9a-f-]{36}$/),
			fromAccountId: 1001,
			toAccountId: 1002,
			status: 'completed',
			createdAt: NOW.toISOString(),
		},
	});
	expect(await limits(sandbox)).toEqual(['249975.00', '150025.00']);
});

test('the same request with the same key has the same answer; another one is refused, and nothing moves', async () => {
	const sandbox = await start();
	const send = (accountId: number, amount: string, toAccountId: number) =>
		sandbox.send('POST', `/accounts/${accountId}/transfers`, { amount, toAccountId }, withKey('k'));
	// It does not use up the key.
	expect(await send(1001, '300000.00', 1003)).toEqual(refused());
	const first = await send(1001, '1.00', 1003);
	expect(first.status).toBe(201);
	expect(await send(1001, '1.00', 1003)).toEqual(first);
	expect(await send(1001, '1.01', 1003)).toEqual(refused());
	expect(await send(1002, '1.00', 1003)).toEqual(refused());
	expect(await send(1001, '1.00', 1002)).toEqual(refused());
	expect(await limits(sandbox)).toEqual(['249999.00', '150000.00']);
});

test('a key that is empty or longer than 255 characters is refused', async () => {
	const sandbox = await start();
	const body = { amount: '1.00', toAccountId: 1002 };
	expect(await sandbox.send('POST', PATH, body, withKey(''))).toEqual(refused());
	expect(await sandbox.send('POST', PATH, body, withKey('x'.repeat(256)))).toEqual(refused());
	expect((await sandbox.send('POST', PATH, body, withKey('x'.repeat(255)))).status).toBe(201);
});
