import { z } from 'zod/v4';

import { eventually } from '../../dev/harness/tools/waiting.ts';
import { cardId, startSandbox, type TestSandbox } from './support/sandbox.ts';

const CARD = cardId(3);

const putFaults = (sandbox: TestSandbox, rules: unknown[]) =>
	sandbox.control('PUT', '/faults', { rules });

/** How often each rule was applied. */
const applied = async (sandbox: TestSandbox) => {
	const { body } = await sandbox.control('GET', '/faults');
	const schema = z.object({ rules: z.array(z.object({ applied: z.number() })) });
	return schema.parse(body).rules.map((rule) => rule.applied);
};

test('a simulated status comes as often as requested, with the body of §7; a 500 from the service itself', async () => {
	const told: number[] = [];
	const sandbox = await startSandbox({ onExchange: ({ status }) => told.push(status) });
	await putFaults(sandbox, [
		{ kind: 'status', status: 429, retryAfter: 2, times: 1 },
		{ kind: 'status', status: 500, times: 1 },
	]);
	const headers = { authorization: `Bearer ${sandbox.apiKey}` };
	const get = async () => {
		const response = await fetch(`${sandbox.apiUrl}/health`, { headers });
		return [response.status, response.headers.get('retry-after'), await response.json()];
	};
	const body = (code: string) => ({ code, message: expect.any(String) });
	expect(await get()).toEqual([429, '2', body('too-many-requests')]);
	expect(await get()).toEqual([500, null, body('internal-server-error')]);
	expect(await get()).toMatchObject([200, null, {}]);
	expect(await applied(sandbox)).toEqual([1, 1]);
	// A 429 comes from in front of the service, so it is not reported as a response of the API.
	expect(told).toEqual([500, 200]);
});

test.each([
	['/cards', 'get', { 'GET /cards': 502, 'GET /cards?page=2': 502, [`GET /cards/${CARD}`]: 502 }],
	['/cards', 'get', { [`POST /cards/${CARD}/freeze`]: 204, 'GET /transactions': 200 }],
	['/cards', 'get', { 'GET /cardsandmore': 404 }],
	[`/cards/${CARD}`, 'HEAD', { [`HEAD /cards/${CARD}`]: 502, [`GET /cards/${CARD}`]: 200 }],
])(
	'a rule for the path %s and %s applies to the paths below, and to nothing else: %j',
	async (path, method, statuses) => {
		const sandbox = await startSandbox();
		await putFaults(sandbox, [{ kind: 'status', status: 502, method, path }]);
		for (const [request, status] of Object.entries(statuses)) {
			const [requestMethod = '', requestPath = ''] = request.split(' ');
			const answer = await sandbox.api(requestMethod, requestPath);
			expect([request, answer.status]).toEqual([request, status]);
		}
	},
);

test.each([
	[{ kind: 'drop-before' }, 'fetch failed'],
	[{ kind: 'status', status: 500 }, '500'],
])('with %j a request is not carried out, and may be repeated', async (rule, outcome) => {
	const sandbox = await startSandbox();
	await putFaults(sandbox, [{ ...rule, method: 'POST', times: 1 }]);
	const freeze = () =>
		sandbox.api('POST', `/cards/${CARD}/freeze`).then(({ status }) => String(status), String);
	expect(await freeze()).toContain(outcome);
	expect((await sandbox.api('GET', `/cards/${CARD}`)).body).toMatchObject({ status: 'active' });
	expect(await freeze()).toBe('204');
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
