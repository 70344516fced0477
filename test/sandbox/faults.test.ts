import { z } from 'zod/v4';

import { eventually } from '../../dev/harness/tools/waiting.ts';
import { cardId, errorAnswer, startSandbox, type TestSandbox } from './support/sandbox.ts';

const CARD = cardId(3);

const putFaults = (sandbox: TestSandbox, rules: unknown[]) =>
	sandbox.control('PUT', '/faults', { rules });

/** How often each rule was applied. */
const applied = async (sandbox: TestSandbox) => {
	const { body } = await sandbox.control('GET', '/faults');
	const schema = z.object({ rules: z.array(z.object({ applied: z.number() })) });
	return schema.parse(body).rules.map((rule) => rule.applied);
};

const statusOfCard = async (sandbox: TestSandbox) => {
	const { body } = await sandbox.api('GET', `/cards/${CARD}`);
	return z.object({ status: z.string() }).parse(body).status;
};

test('a simulated status is returned as often as requested, with Retry-After and the body of §7', async () => {
	const sandbox = await startSandbox();
	const authorization = `Bearer ${await sandbox.makeKey()}`;
	await putFaults(sandbox, [
		{ kind: 'status', status: 429, retryAfter: 2, times: 1 },
		{ kind: 'status', status: 503, times: 1 },
	]);
	const get = () => fetch(`${sandbox.apiUrl}/health`, { headers: { authorization } });
	const first = await get();
	expect([first.status, first.headers.get('retry-after'), await first.json()]).toEqual([
		429,
		'2',
		{ code: 'too-many-requests', message: expect.any(String) },
	]);
	const second = await get();
	expect([second.status, second.headers.get('retry-after')]).toEqual([503, null]);
	expect((await get()).status).toBe(200);
	expect(await applied(sandbox)).toEqual([1, 1]);
});

test('a simulated 500 comes from the service itself, any other status from in front of it', async () => {
	const told: number[] = [];
	const sandbox = await startSandbox({ onExchange: ({ status }) => told.push(status) });
	await putFaults(sandbox, [
		{ kind: 'status', status: 429, times: 1 },
		{ kind: 'status', status: 500, times: 1 },
	]);
	for (const status of [429, 500, 200]) {
		expect((await sandbox.api('GET', '/health')).status).toBe(status);
	}
	expect(told).toEqual([500, 200]);
});

test('a request that gets a simulated error changes nothing', async () => {
	const sandbox = await startSandbox();
	await putFaults(sandbox, [{ kind: 'status', status: 500, method: 'POST' }]);
	expect(await sandbox.api('POST', `/cards/${CARD}/freeze`)).toEqual(
		errorAnswer(500, 'internal-server-error'),
	);
	expect(await statusOfCard(sandbox)).toBe('active');
});

test('a rule applies to its method, its path and all paths below, and to nothing else', async () => {
	const sandbox = await startSandbox();
	await putFaults(sandbox, [{ kind: 'status', status: 502, method: 'get', path: '/cards' }]);
	const status = async (method: string, path: string) => (await sandbox.api(method, path)).status;
	expect(await status('GET', '/cards')).toBe(502);
	expect(await status('GET', '/cards?page=2')).toBe(502);
	expect(await status('GET', `/cards/${CARD}`)).toBe(502);
	expect(await status('POST', `/cards/${CARD}/freeze`)).toBe(204);
	expect(await status('GET', '/transactions')).toBe(200);
	expect(await status('GET', '/cardsandmore')).toBe(404);
	expect((await sandbox.control('GET', '')).status).toBe(200);
});

test('a rule may be about one card, and about HEAD', async () => {
	const sandbox = await startSandbox();
	const rule = { kind: 'status', status: 502, method: 'HEAD', path: `/cards/${CARD}` };
	expect((await putFaults(sandbox, [rule])).status).toBe(200);
	expect((await sandbox.api('HEAD', `/cards/${CARD}`)).status).toBe(502);
	expect((await sandbox.api('GET', `/cards/${CARD}`)).status).toBe(200);
});

test('drop-before ends the connection before the work', async () => {
	const sandbox = await startSandbox();
	await putFaults(sandbox, [{ kind: 'drop-before', method: 'POST', times: 1 }]);
	await expect(sandbox.api('POST', `/cards/${CARD}/freeze`)).rejects.toThrow('fetch failed');
	expect(await statusOfCard(sandbox)).toBe('active');
	expect((await sandbox.api('POST', `/cards/${CARD}/freeze`)).status).toBe(204);
});

test('drop-after ends the connection after the work; the same Idempotency-Key then gives the result', async () => {
	const sandbox = await startSandbox({ seed: 'none' });
	await putFaults(sandbox, [{ kind: 'drop-after', path: '/accounts', times: 1 }]);
	const send = () =>
		sandbox.send(
			'POST',
			'/accounts/1001/transfers',
			{ amount: '250000.00', toAccountId: 1002 },
			{ 'idempotency-key': 'k' },
		);
	await expect(send()).rejects.toThrow('fetch failed');
	await sandbox.makeKey(1001);
	expect((await sandbox.api('GET', '/balance')).body).toMatchObject({
		overallCreditLimit: '0.00',
	});
	await sandbox.makeKey();
	expect((await send()).status).toBe(201);
});

test.each([429, 500])('a simulated %d does not use up drop-after', async (status) => {
	const sandbox = await startSandbox();
	await putFaults(sandbox, [
		{ kind: 'status', status, times: 1 },
		{ kind: 'drop-after', times: 1 },
	]);
	expect((await sandbox.api('GET', '/health')).status).toBe(status);
	expect(await applied(sandbox)).toEqual([1, 0]);
	await expect(sandbox.api('GET', '/health')).rejects.toThrow('fetch failed');
});

test('latency delays a response; other requests and closing do not wait for it', async () => {
	const sandbox = await startSandbox();
	await putFaults(sandbox, [{ kind: 'latency', ms: 600_000, path: '/cards' }]);
	const slow = expect(sandbox.api('GET', '/cards')).rejects.toThrow('fetch failed');
	await eventually(async () => {
		expect(await applied(sandbox)).toEqual([1]);
	});
	expect((await sandbox.api('GET', '/transactions')).status).toBe(200);
	await sandbox.close();
	await slow;
});

test('latency and a status apply to the same request', async () => {
	const sandbox = await startSandbox();
	await putFaults(sandbox, [
		{ kind: 'status', status: 500 },
		{ kind: 'latency', ms: 1 },
	]);
	expect((await sandbox.api('GET', '/health')).status).toBe(500);
	expect(await applied(sandbox)).toEqual([1, 1]);
});
