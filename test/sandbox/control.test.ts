import { Ajv2020 } from 'ajv/dist/2020';
import { z } from 'zod/v4';

import { eventually } from '../../dev/harness/tools/waiting.ts';
import { cardId, errorAnswer, refused, startSandbox, UNKNOWN_ID } from './support/sandbox.ts';

test('the overview has the time, the accounts and the counts', async () => {
	const now = new Date('2026-03-15T12:00:00Z');
	const sandbox = await startSandbox({ now: () => now });
	const features = { cardManagement: true, accountManagement: true, webhooks: true };
	expect(await sandbox.control('GET', '')).toEqual({
		status: 200,
		body: {
			name: 'card-platform-sandbox',
			version: '1.0',
			now: '2026-03-15T12:00:00.000Z',
			accounts: [
				{ id: 1001, name: 'Operating', features },
				{ id: 1002, name: 'Marketing', features },
				{ id: 1003, name: 'New projects', features },
			],
			counts: {
				cards: 13,
				transactions: 44,
				events: 47,
				payments: 8,
				endpoints: 0,
				deliveries: 0,
			},
			routes: expect.objectContaining({ 'PUT /clock': expect.any(String) }),
		},
	});
	expect((await fetch(`${sandbox.url}/sandbox/`)).status).toBe(200);
});

test('the API has no paths of the control plane, and the other way round', async () => {
	const sandbox = await startSandbox();
	expect(await sandbox.api('GET', '/sandbox')).toEqual(errorAnswer(404, 'not-found'));
	expect(await sandbox.control('GET', '/payments')).toEqual(errorAnswer(404, 'not-found'));
});

test.each([
	['POST', '/simulate/authorization', { cardId: UNKNOWN_ID, amount: '1' }],
	['POST', '/simulate/clearing', { transactionId: UNKNOWN_ID }],
	['POST', '/keys', { scope: 'account', accountId: 7 }],
	['PUT', '/accounts/7/features', { webhooks: true }],
	['POST', '/endpoints', { accountId: 7, url: 'http://127.0.0.1/' }],
	['POST', `/endpoints/${UNKNOWN_ID}/rotate`, undefined],
	['DELETE', `/endpoints/${UNKNOWN_ID}`, undefined],
])('%s %s %j: 404 for what does not exist', async (method, path, body) => {
	const sandbox = await startSandbox();
	expect(await sandbox.control(method, path, body)).toEqual(errorAnswer(404, 'not-found'));
});

test.each([
	['GET', '/deliveries?state=failed', 'unknown parameter "state", expected "sort", "page",'],
	['GET', '/deliveries?status=failed&status=pending', 'status: expected one value'],
	['GET', '/requests?x=1&method=GET', 'unknown parameter "x", expected "method", "path", "status"'],
	['GET', '/requests?path=cards', 'path: expected a path such as "/cards"'],
	['GET', '/endpoints?accountId=1001', 'unknown parameter "accountId", expected none'],
	['PUT', '/clock?frozen=true', 'unknown parameter "frozen", expected none'],
])('%s %s is a 400: nothing of a question is ignored', async (method, path, said) => {
	const sandbox = await startSandbox();
	const body = method === 'PUT' ? { frozen: true } : undefined;
	expect(await sandbox.control(method, path, body)).toEqual(refused(said));
	expect((await sandbox.control('GET', '/clock')).body).toMatchObject({ frozen: false });
});

test.each([
	['POST', '/sandbox/clock', 405, 'GET, HEAD, PUT, DELETE', '/sandbox/clock takes GET and PUT and'],
	['GET', '/sandbox/deliveries/x/redeliver', 405, 'POST', 'takes POST'],
	['DELETE', '/sandbox', 405, 'GET, HEAD', '/sandbox takes GET'],
	['GET', '/sandbox/card', 404, null, 'GET /sandbox lists all'],
	['POST', '/sandbox/simulate/theft', 404, null, 'no step theft: increment, clearing, release'],
	['GET', '/cards', 404, null, 'the API is at /v1/public, the control plane at /sandbox'],
	['GET', '/v1/public/card', 404, null, 'The resource was not found'],
])('%s %s: %i says what there is instead', async (method, path, status, allow, said) => {
	const sandbox = await startSandbox();
	const body = method === 'POST' ? `{"transactionId": "${UNKNOWN_ID}"}` : null;
	const headers = { authorization: `Bearer ${sandbox.apiKey}` };
	const response = await fetch(sandbox.url + path, { method, headers, body });
	expect([response.status, response.headers.get('allow')]).toEqual([status, allow]);
	expect(await response.json()).toMatchObject({ message: expect.stringContaining(said) });
});

test('responses that clients read are as control.json describes them', async () => {
	const sandbox = await startSandbox();
	const response = z.object({
		content: z.object({ 'application/json': z.object({ schema: z.json() }) }).optional(),
	});
	const operation = z.object({ responses: z.object({ '2XX': response }) });
	const { paths } = z
		.object({ paths: z.record(z.string(), z.record(z.string(), operation)) })
		.parse((await sandbox.control('GET', '/control.json')).body);
	const expectDescribed = async (method: string, path: string, body?: object, described = path) => {
		const { content } = paths[described]?.[method]?.responses['2XX'] ?? {};
		const check = new Ajv2020().compile(content?.['application/json'].schema as object);
		const answer = await sandbox.control(method.toUpperCase(), path, body);
		check(answer.body);
		expect([path, check.errors]).toEqual([path, null]);
		return answer.body;
	};
	await sandbox.client.subscribe(1001, 'http://127.0.0.1:9/');
	const key = await expectDescribed('post', '/keys', { scope: 'customer' });
	expect(key).toMatchObject({ scope: 'customer', accountId: null });
	const purchase = { amount: '1.00', mcc: '5812', decline: { reason: 'suspected_fraud' } };
	await expectDescribed('post', '/simulate/authorization', purchase);
	const { transaction, event } = await sandbox.client.authorize({ amount: '1.00' });
	const step = { transactionId: transaction.id };
	await expectDescribed('post', '/simulate/clearing', step, '/simulate/{step}');
	await eventually(async () => {
		const [delivery] = await sandbox.client.deliveries({ eventId: event.id });
		expect(delivery?.attempts).toHaveLength(1);
	}, 15_000);
	await expectDescribed('get', '/deliveries');
});

test('without cardId, an active reusable card pays, before single-use and frozen ones', async () => {
	const cards = [
		{ name: 'Once', type: 'single-use', days: 9 },
		{ name: 'Ice', status: 'frozen', days: 8 },
		{ name: 'Travel', days: 1 },
	];
	const sandbox = await startSandbox({ seed: { cards } });
	const { transaction } = await sandbox.client.authorize({ amount: '1.00' });
	expect(transaction.cardId).toBe(cardId(3));
});
