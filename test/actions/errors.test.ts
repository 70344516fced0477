import type { INodeParameters } from 'n8n-workflow';

import { execute, type ExecuteOptions, useFakeClock } from '../support/execute';
import { fakeApi, networkError, type Reply } from '../support/fakeApi';

useFakeClock();

const id = '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10';
const cardId = { __rl: true, mode: 'id', value: id };

const operations: Record<string, INodeParameters> = {
	get: { resource: 'card', operation: 'get', cardId },
	sensitive: { resource: 'card', operation: 'getSensitiveDetails', cardId },
	list: { resource: 'card', operation: 'getAll', returnAll: true },
	freeze: { resource: 'card', operation: 'freeze', cardId },
	unfreeze: { resource: 'card', operation: 'unfreeze', cardId },
	archive: { resource: 'card', operation: 'archive', cardId },
	create: { resource: 'card', operation: 'create', name: 'Travel', type: 'recurring' },
	update: { resource: 'card', operation: 'update', cardId, updateFields: { name: 'New' } },
	rename: { resource: 'account', operation: 'rename', accountId: '1001', name: 'Ops' },
	transfer: {
		resource: 'account',
		operation: 'transfer',
		accountId: '1001',
		toAccountId: '1002',
		amount: '5.00',
	},
	balance: { resource: 'balance', operation: 'get' },
	check: { resource: 'connection', operation: 'check' },
	transaction: { resource: 'transaction', operation: 'get', transactionId: id },
	payments: { resource: 'payment', operation: 'getAll', from: '2026-01-01', to: '2026-01-31' },
};

async function run(operation: string, respond: () => Reply, options: ExecuteOptions = {}) {
	const api = fakeApi(respond);
	const result = await execute(api, operations[operation] ?? {}, options);
	return { ...result, host: new URL(api.baseUrl).host };
}

const fail = (code: string) => () => {
	throw networkError(code);
};

const refuse = (status: number) => () => ({
	status,
	body: { code: 'some-code', message: 'Some message' },
});

test.each<[number, string, string]>([
	[300, 'get', 'The API redirected the request'],
	[302, 'get', 'The API redirected the request'],
	[308, 'freeze', 'The API redirected the request'],
	[399, 'get', 'The API redirected the request'],
	[400, 'get', 'The API rejected a value'],
	[400, 'archive', 'The API rejected a value'],
	[400, 'freeze', 'archiving is permanent'],
	[400, 'unfreeze', 'archiving is permanent'],
	[401, 'get', 'Only one key is active at a time'],
	[403, 'get', 'Card management is probably not enabled'],
	[403, 'rename', 'and account management must be enabled'],
	[403, 'balance', 'This feature is probably not enabled'],
	[404, 'get', 'No card with this ID is visible'],
	[404, 'rename', 'No account with this ID is visible'],
	[404, 'transaction', 'No record with this ID is visible'],
	[404, 'list', 'Check Base URL'],
	[404, 'check', 'Check Base URL'],
	[413, 'create', 'The request is larger than the API accepts'],
	[409, 'freeze', 'Check the fields of this node and Base URL'],
	[429, 'get', 'Too many requests'],
	[429, 'create', 'Too many requests'],
	[500, 'check', 'The problem is on the side of the API'],
	[500, 'get', 'The problem is on the side of the API'],
	[500, 'freeze', 'The problem is on the side of the API'],
	[599, 'rename', 'The problem is on the side of the API'],
	[500, 'create', 'leave Retry On Fail off'],
	[503, 'update', 'leave Retry On Fail off'],
	[499, 'create', 'Check the fields of this node and Base URL'],
])('status %d of %s: "%s"', async (status, operation, hint) => {
	const { error } = await run(operation, refuse(status));
	expect(error).toMatchObject({
		name: 'NodeApiError',
		message: `Some message (${status} some-code)`,
		description: expect.stringContaining(hint),
		httpCode: String(status),
		context: { itemIndex: 0 },
	});
});

test('a 404 of a path without an ID does not mention an ID', async () => {
	const { error } = await run('list', refuse(404));
	expect(error?.description).not.toContain('with this ID');
});

test.each([
	['payments', 'account', 'the key covers several'],
	['payments', 'customer', 'Check the fields of this node against the message above'],
	['list', 'account', 'Check the fields of this node against the message above'],
])('a 400 of %s under a key of the scope %s', async (operation, keyScope, hint) => {
	const { error } = await run(operation, refuse(400), {
		credential: { keyScope, accountId: '1001' },
	});
	expect(error?.description).toContain(hint);
});

test('a 403 of an account under a key that is said to be account-scoped', async () => {
	const { error } = await run('rename', refuse(403), { credential: { keyScope: 'account' } });
	expect(error?.description).toContain('Key Scope in the credential is set to Account');
});

test.each<[string, Reply['body'], string]>([
	['no message', { code: 'x' }, 'The API rejected the request (401 x)'],
	['a message of several lines', { code: 'x', message: ' a\n  b ' }, 'a b (401 x)'],
	['300 characters', { code: 'x', message: 'a'.repeat(300) }, `${'a'.repeat(300)} (401 x)`],
	['301 characters', { code: 'x', message: 'a'.repeat(301) }, `${'a'.repeat(300)}… (401 x)`],
	[
		'no code',
		{ message: 'x' },
		'The API returned 401 with unexpected JSON instead of its error format',
	],
	[
		'a web page',
		'<!DOCTYPE html>',
		'The API returned 401 with a web page instead of its error format',
	],
	[
		'a web page in capitals',
		' <HTML>',
		'The API returned 401 with a web page instead of its error format',
	],
	[
		'XML',
		'<?xml version="1.0"?>',
		'The API returned 401 with a web page instead of its error format',
	],
	[
		'part of a web page',
		'<head>',
		'The API returned 401 with a web page instead of its error format',
	],
	[
		'more of a web page',
		'<body>',
		'The API returned 401 with a web page instead of its error format',
	],
	[
		'broken JSON',
		' {"code":',
		'The API returned 401 with a body that is not JSON instead of its error format',
	],
	[
		'words of a proxy',
		'upstream {x}',
		'The API returned 401 with "upstream {x}" instead of its error format',
	],
	['nothing', undefined, 'The API returned 401 with an empty body instead of its error format'],
	['blanks', ' \n', 'The API returned 401 with an empty body instead of its error format'],
	[
		'a string',
		'see <html>\n here',
		'The API returned 401 with "see <html> here" instead of its error format',
	],
])('an error response with %s', async (_name, body, message) => {
	const { error } = await run('get', () => ({ status: 401, body }));
	expect(error).toMatchObject({ message, httpCode: '401' });
});

const CHECK_BASE_URL = 'Check Base URL in the Card Platform API credential: it must be';
const DONE = 'The change was probably made';

test.each<[string, string, Reply['body'], string, string]>([
	[
		'get',
		'a web page',
		'<html>',
		`to GET /cards/${id} with a web page instead of a card`,
		CHECK_BASE_URL,
	],
	['get', 'no JSON', 'OK', 'with a body that is not JSON instead of a card', CHECK_BASE_URL],
	['get', 'nothing', '', 'with an empty body instead of a card', CHECK_BASE_URL],
	['get', 'an array', [], 'with unexpected JSON instead of a card', CHECK_BASE_URL],
	[
		'get',
		'a number for money',
		{ id, balance: 12.5 },
		'instead of a card (missing or invalid: balance)',
		CHECK_BASE_URL,
	],
	['transaction', 'an array', [], 'instead of a transaction', CHECK_BASE_URL],
	['balance', 'an array', [], 'instead of a balance', CHECK_BASE_URL],
	['list', 'no data', { items: [] }, 'instead of a list of cards', CHECK_BASE_URL],
	[
		'list',
		'no cards in it',
		{ data: [{ name: 'x' }] },
		'(missing or invalid: 0.id)',
		CHECK_BASE_URL,
	],
	[
		'list',
		'six broken cards in it',
		{ data: [{}, {}, {}, {}, {}, {}] },
		'(missing or invalid: 0.id, 1.id, 2.id, 3.id, 4.id)',
		CHECK_BASE_URL,
	],
	[
		'freeze',
		'a web page',
		'<html>',
		`POST /cards/${id}/freeze with a web page instead of an object or an empty body`,
		DONE,
	],
	['freeze', 'an array', [], 'unexpected JSON instead of an object or an empty body', DONE],
	['rename', 'nothing', '', 'an empty body instead of an account', DONE],
])('%s: a response with %s breaks the contract', async (operation, _name, body, message, hint) => {
	const { error } = await run(operation, () => ({ body }));
	expect(error).toMatchObject({
		name: 'NodeApiError',
		message: expect.stringMatching(/^The API responded to /),
		description: expect.stringContaining(hint),
		httpCode: '200',
		context: { itemIndex: 0 },
	});
	expect(error?.message).toContain(message);
});

test('a response of the wrong shape: no field is named if none is broken', async () => {
	const { error } = await run('get', () => ({ body: [] }));
	expect(error?.message).toMatch(/instead of a card$/);
});

test('what may be secret in a response of the wrong shape is not quoted', async () => {
	const { error } = await run('get', () => ({ body: { token: 'ONE-TIME-TOKEN' } }));
	expect(error?.message).toContain('missing or invalid: id');
	expect(JSON.stringify(error)).not.toContain('ONE-TIME-TOKEN');
});

test.each([200, 500])('a secret in broken JSON is not quoted (%d)', async (status) => {
	const body = '{"method": "POST", "details": {"url": "https://x/?token=ONE-TIME-TOKEN"';
	for (const operation of ['sensitive', 'get', 'list']) {
		const { error } = await run(operation, () => ({ status, body }));
		expect(error?.message).toContain('a body that is not JSON');
		expect(JSON.stringify(error)).not.toContain('ONE-TIME-TOKEN');
	}
});

test('a string in place of sensitive details is not quoted', async () => {
	const { error } = await run('sensitive', () => ({ body: 'ONE-TIME-TOKEN' }));
	expect(error?.message).toContain('a body that is not JSON instead of retrieval instructions');
	expect(JSON.stringify(error)).not.toContain('ONE-TIME-TOKEN');
});

test.each<[string, string, string]>([
	['EAI_AGAIN', 'No connection to HOST (EAI_AGAIN)', 'typos'],
	['ENOTFOUND', 'No connection to HOST (ENOTFOUND)', 'typos'],
	['ECONNREFUSED', 'No connection to HOST (ECONNREFUSED)', '"npm run sandbox"'],
	['ETIMEDOUT', 'No complete response from HOST (ETIMEDOUT)', 'firewall or proxy'],
	['ECONNABORTED', 'No complete response from HOST (ECONNABORTED)', 'firewall or proxy'],
	['ECONNRESET', 'No complete response from HOST (ECONNRESET)', 'Try again later'],
	['EPIPE', 'No complete response from HOST (EPIPE)', 'Try again later'],
	['CERT_HAS_EXPIRED', 'No trusted TLS connection to HOST (CERT_HAS_EXPIRED)', 'certificate'],
	['EPROTO', 'No trusted TLS connection to HOST (EPROTO)', 'start Base URL with http://'],
	[
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'No trusted TLS connection to HOST (DEPTH_ZERO_SELF_SIGNED_CERT)',
		'certificate',
	],
])('a call that fails with %s', async (code, message, hint) => {
	const { error, host } = await run('get', fail(code));
	expect(error).toMatchObject({
		name: 'NodeOperationError',
		message: message.replace('HOST', host),
		description: expect.stringContaining(hint),
		context: { itemIndex: 0 },
	});
});

test('a call that fails without a code: its message, without the key', async () => {
	const { error } = await run('get', () => {
		throw new Error('secret-key-1234 is broken');
	});
	// What n8n's own error says; its cause stays out.
	expect(error).toMatchObject({
		message: 'The request failed: n8n wraps what a request throws',
		description: expect.stringContaining('network settings'),
	});
});

test.each([
	['ECONNRESET', /It is not known whether the change was made/],
	['ETIMEDOUT', /It is not known whether the change was made/],
	['ECONNREFUSED', /npm run sandbox/],
	['CERT_HAS_EXPIRED', /certificate/],
])('create after %s: the hint says to check first, unless nothing was sent', async (code, hint) => {
	expect((await run('create', fail(code))).error?.description).toMatch(hint);
	expect((await run('rename', fail(code))).error?.description).not.toMatch(
		/whether the change was made/,
	);
});

describe('the key', () => {
	test('is removed from a message of the API', async () => {
		const message = 'Key secret-key-1234 is unknown';
		const { error } = await run('get', () => ({ status: 401, body: { code: 'x', message } }));
		expect(error?.message).toBe('Key [API key] is unknown (401 x)');
	});

	test('is removed from the code of an error', async () => {
		const { error } = await run(
			'get',
			() => ({ status: 401, body: { code: 'ab', message: 'x' } }),
			{
				credential: { apiKey: 'ab' },
			},
		);
		expect(error?.message).toBe('x (401 [API key])');
	});

	test('is removed as JSON or a URL encodes it', async () => {
		const apiKey = 'sec"ret/key';
		const message = `Keys ${JSON.stringify(apiKey)}, ${encodeURIComponent(apiKey)}`;
		const { error } = await run('get', () => ({ status: 401, body: { code: 'x', message } }), {
			credential: { apiKey },
		});
		expect(error?.message).toBe('Keys "[API key]", [API key] (401 x)');
	});

	/** The key as a program may write it into JSON or into an address. */
	const escapedBy: Record<string, (key: string) => string> = {
		'as it is': (key) => JSON.stringify(key).slice(1, -1),
		'with escaped slashes': (key) => JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
		'in an address': encodeURIComponent,
	};

	test.each(Object.entries(escapedBy))('in data, %s, is in no item', async (_name, escape) => {
		const apiKey = 'sk/live+"a-b_1=';
		const body = `{"id":"${id}","name":"<${escape(apiKey)}> ${escape(apiKey)}","lastFour":"1234"}`;
		const { json } = await run('get', () => ({ body }), { credential: { apiKey } });
		expect(json).toMatchObject([{ id, name: '<[API key]> [API key]', lastFour: '1234' }]);
	});

	test.each(['live-key-123456', '"live-key-123456'])(
		'behind a backslash is removed, and the response can still be read: %s',
		async (apiKey) => {
			const body = { id, name: `C:\\${apiKey}\\` };
			const { json } = await run('get', () => ({ body }), { credential: { apiKey } });
			expect(json).toMatchObject([{ id, name: 'C:\\[API key]\\' }]);
		},
	);

	test('of digits only does not change numbers', async () => {
		const apiKey = '1234567890123';
		const body = `{"id":"${id}","reference":${apiKey}}`;
		const { json } = await run('get', () => ({ body }), { credential: { apiKey } });
		expect(json).toMatchObject([{ id, reference: Number(apiKey) }]);
	});

	test('as short as a word does not change data', async () => {
		const body = { id, name: 'active' };
		const { json } = await run('get', () => ({ body }), { credential: { apiKey: 'active' } });
		expect(json).toMatchObject([body]);
	});
});
