import { UserError } from '../../nodes/CardPlatform/api/userError';
import { hintFor, HINTS } from '../../nodes/CardPlatform/transport/hints';
import { execute, type ExecuteOptions, useFakeClock } from '../support/execute';
import { fakeApi, networkError, refusal, type Reply } from '../support/fakeApi';
import { CARD as id, parametersOf } from '../support/operations';

useFakeClock();

async function run(operation: string, respond: () => Reply, options: ExecuteOptions = {}) {
	const api = fakeApi(respond);
	const result = await execute(api, parametersOf(operation), options);
	return { ...result, host: new URL(api.baseUrl).host };
}

const fail = (code: string) => () => {
	throw networkError(code);
};

const refuse = (status: number) => () => refusal(status);

/** Each row of the table of hints, the first of its rows that fits, and a status without one; how the hint starts. */
const CASES: [status: number, operation: string, keyScope: string, hint: string][] = [
	[302, 'card/get', 'account', 'The API redirected the request'],
	[399, 'card/get', 'account', 'The API redirected the request'],
	[400, 'connection/check', 'account', 'Check Base URL in the Card Platform API credential a'],
	[400, 'card/unfreeze', 'account', 'The card may be archived'],
	[400, 'card/freeze', 'customer', 'The card may be archived'],
	[400, 'card/archive', 'account', 'The API rejected a value'],
	[400, 'payment/getAll', 'account', 'If the message is about the account'],
	[400, 'payment/getAll', 'customer', 'The API rejected a value'],
	[401, 'card/get', 'account', 'Paste the newest API key'],
	[403, 'card/get', 'account', 'Card management is probably not enabled'],
	[
		403,
		'account/transfer',
		'account',
		'This request changed nothing. Key Scope in the credential is',
	],
	[403, 'account/transfer', 'customer', 'This request changed nothing. Renaming accounts'],
	[
		403,
		'account/rename',
		'account',
		'This request changed nothing. Key Scope in the credential is set to Account',
	],
	[403, 'account/rename', 'customer', 'This request changed nothing. Renaming accounts'],
	[403, 'balance/get', 'account', 'This feature is probably not enabled'],
	[404, 'card/get', 'account', 'No card with this ID'],
	[404, 'account/rename', 'account', 'No account with this ID'],
	[404, 'transaction/get', 'account', 'No record with this ID'],
	[404, 'card/getAll', 'account', 'Check Base URL in the Card Platform API credential: it'],
	[404, 'connection/check', 'account', 'Check Base URL in the Card Platform API credential: it'],
	[418, 'card/getAll', 'account', 'Check the fields of this node and Base URL'],
	[500, 'card/get', 'account', 'The API could not answer'],
	[599, 'account/rename', 'account', 'The outcome is unknown'],
];

test.each(CASES)('%d of %s, with the Key Scope %s: "%s"', async (status, name, keyScope, hint) => {
	const credential = { keyScope, accountId: '1001' };
	const { error } = await run(name, refuse(status), { credential });
	expect(error).toMatchObject({
		name: 'NodeApiError',
		message: `Some message (${status} some-code)`,
		description: expect.stringMatching(new RegExp(`^${hint.replace(/[()]/g, '\\$&')}`)),
		httpCode: String(status),
		context: { itemIndex: 0 },
	});
});

test('the test above has each row of the table of hints, but that of 429', () => {
	const isTested = ({ status, hint }: (typeof HINTS)[number]) =>
		CASES.some(
			([given, , , start]) =>
				Math.trunc(given / 100) === Math.trunc(status / 100) && hint.startsWith(start),
		);
	expect(HINTS.filter((row) => !isTested(row)).map(({ status }) => status)).toEqual([429]);
	expect(hintFor(429, { path: '/x' }, { keyScope: 'account' })).toMatch(/^Too many requests/);
});

const WRITES = ['card/create', 'card/update', 'card/freeze', 'account/rename', 'account/transfer'];
const UNKNOWN =
	/^The outcome is unknown: the API may have made the change|^Check in the dashboard whether 25/;

test.each([303, 408, 409, 500, 501, 503])(
	'after %d, the outcome of a write is unknown',
	async (status) => {
		for (const name of WRITES) {
			const { error } = await run(name, refuse(status));
			const isUnrepeatable = name === 'card/create' || name === 'card/update';
			expect(error?.description).toMatch(UNKNOWN);
			expect(error?.description?.includes('leave Retry On Fail off')).toBe(isUnrepeatable);
		}
		expect((await run('card/get', refuse(status))).error?.description).not.toMatch(UNKNOWN);
	},
);

test.each([400, 401, 403, 404, 410, 422])('after %d, nothing was changed', async (status) => {
	for (const name of WRITES)
		expect((await run(name, refuse(status))).error?.description).not.toMatch(UNKNOWN);
});

test.each([
	['card/get', false],
	['card/freeze', true],
	['card/create', true],
])(
	'a 404 of %s that is not from the API says so; outcome unknown: %s',
	async (operation, isWrite) => {
		const { error } = await run(operation, () => ({ status: 404, body: { error: 'no route' } }));
		expect(error).toMatchObject({
			message: 'The API returned 404 with unexpected JSON instead of its error format',
			description: expect.stringMatching(/This 404 is not from the API .* Check|check Base URL/),
			httpCode: '404',
		});
		expect(error?.description).not.toContain('with this ID');
		expect((error?.description ?? '').includes('outcome is unknown')).toBe(isWrite);
	},
);

const elsewhere = { baseUrl: 'https://api.example.com/cards', apiKey: 'k' };

test.each<[string, Reply]>([
	['a 404', { status: 404, body: {} }],
	['a sign-in page', { status: 403, body: '<html>' }],
])('without the usual prefix, %s blames Base URL first', async (_name, reply) => {
	const { error } = await run('card/get', () => reply, { credential: elsewhere });
	expect(error?.description).toMatch(
		/^Base URL probably lacks its prefix: try https:\/\/api\.example\.com\/v1\/public\. If this address has worked before: This .* proxy/,
	);
});

test('without the usual prefix, the API’s own errors and other statuses are as ever', async () => {
	const { error: own } = await run('card/get', refuse(404), { credential: elsewhere });
	expect(own?.message).toBe('Some message (404 some-code)');
	const gateway = () => ({ status: 502, body: '<html>' });
	const { error: other } = await run('card/get', gateway, { credential: elsewhere });
	expect(other?.description).toMatch(/^The API could not answer\./);
});

const UNEXPECTED = (what: string) =>
	`The API returned 401 with ${what} instead of its error format`;

test.each<[Reply['body'], string]>([
	[{ code: 'x' }, 'The API rejected the request (401 x)'],
	[{ code: 'x', message: null }, 'The API rejected the request (401 x)'],
	[{ code: 'x', message: ' a\n  b ' }, 'a b (401 x)'],
	[{ code: 'x', message: 'a'.repeat(300) }, `${'a'.repeat(300)} (401 x)`],
	[{ code: 'x', message: 'a'.repeat(301) }, `${'a'.repeat(300)}… (401 x)`],
	[{ message: 'x' }, UNEXPECTED('unexpected JSON')],
	...['<!DOCTYPE html>', ' <HTML>', '<?xml version="1.0"?>', '<head>', '<body>'].map(
		(page): [string, string] => [page, UNEXPECTED('a web page')],
	),
	[' {"code":', UNEXPECTED('a body that is not JSON')],
	['see <html>\n here', UNEXPECTED('"see ‹html> here"')],
	[' \n', UNEXPECTED('an empty body')],
])('an error response of %j', async (body, message) => {
	const { error } = await run('card/get', () => ({ status: 401, body }));
	expect(error).toMatchObject({ message, httpCode: '401' });
});

test.each<[number, Reply['body'], boolean]>([
	[403, '<html>Blocked', true],
	[401, 'Access denied [1]', true],
	[400, '<html>', true],
	[403, { code: 'x' }, false],
	[500, '<html>', false],
])('a %s with %j names what stands in front of the API: %s', async (status, body, isNamed) => {
	const { error } = await run('account/rename', () => ({ status, body }));
	expect(error?.description?.includes('a firewall, proxy or server in front of it')).toBe(isNamed);
});

const CHECK_BASE_URL = 'Check Base URL in the Card Platform API credential: it must be';
const DONE = 'The outcome is unknown: the API may have made the change';

test.each<[string, Reply['body'], string, string]>([
	['card/get', '<html>', `to GET /cards/${id} with a web page instead of a card`, CHECK_BASE_URL],
	['card/get', 'OK', 'with a body that is not JSON instead of a card', CHECK_BASE_URL],
	['card/get', '', 'with an empty body instead of a card', CHECK_BASE_URL],
	// No field is named if none is broken.
	['card/get', [], 'with unexpected JSON instead of a card', CHECK_BASE_URL],
	['card/get', { id, balance: 12.5 }, 'a card (missing or invalid: balance)', CHECK_BASE_URL],
	['transaction/get', [], 'instead of a transaction', CHECK_BASE_URL],
	['balance/get', [], 'instead of a balance', CHECK_BASE_URL],
	['card/getAll', { items: [] }, 'instead of a list of cards', CHECK_BASE_URL],
	['card/getAll', { code: 'x', data: [] }, 'instead of a list of cards', CHECK_BASE_URL],
	['card/getAll', { code: 'not-ok', data: [] }, 'instead of a list of cards', CHECK_BASE_URL],
	...[{ errors: ['x'] }, { error: { code: 1 } }, { error: 'timed out' }, { success: false }].map(
		(more): [string, object, string, string] => {
			return ['card/getAll', { ...more, data: [{ id }] }, 'a list of cards', CHECK_BASE_URL];
		},
	),
	['card/getAll', { data: Array(6).fill({}) }, ' 0.id, 1.id, 2.id, 3.id, 4.id)', CHECK_BASE_URL],
	['card/freeze', [], 'unexpected JSON instead of status 204', DONE],
	['card/update', { success: false }, 'instead of an object or an empty body', DONE],
	['account/rename', '', 'an empty body instead of the renamed account', DONE],
])('%s: a response of %j breaks the contract', async (operation, body, message, hint) => {
	const { error } = await run(operation, () => ({ body }));
	expect(error).toMatchObject({
		name: 'NodeApiError',
		message: expect.stringMatching(/^The API responded to /),
		description: expect.stringContaining(hint),
		httpCode: '200',
		context: { itemIndex: 0 },
	});
	expect(error?.message.slice(-message.length)).toBe(message);
});

test('a response that is nested too deeply to be written again is no JSON', async () => {
	const createdAt = `${'['.repeat(9_000)}${']'.repeat(9_000)}`;
	const body = `{"data": [{"id": "x", "createdAt": ${createdAt}}]}`;
	const { error } = await run('settlement/getAll', () => ({ body }));
	expect(error?.message).toContain('with a body that is not JSON instead of a list of settlements');
	const records = Array.from({ length: 2_000 }, () => ({ more: {} }));
	expect((await run('settlement/getAll', () => ({ body: records }))).error).toBeUndefined();
});

const list = { data: [{ id }], totalPages: 1, totalItemCount: 1 };

test.each<[string, object]>([
	['card/getAll', { ...list, error: '', errors: {}, success: true }],
	['card/getAll', { ...list, error: false, errors: [] }],
	...['ok', 'OK', 'success', '200'].map((code): [string, object] => [
		'card/getAll',
		{ data: [], code },
	]),
	['card/update', { id, name: 'New', code: 'x', message: 'A field of the card', error: null }],
])('%s: a response of %j is no error', async (operation, body) => {
	expect((await run(operation, () => ({ body }))).error).toBeUndefined();
});

test.each([202, 206])('a list with %d may be only a part of it', async (status) => {
	const { error } = await run('card/getAll', () => ({ status, body: { data: [{ id }] } }));
	expect(error).toMatchObject({ httpCode: `${status}` });
});

test.each<[string, number, Reply['body']]>([
	['card/get', 200, { token: 'ONE-TIME-TOKEN' }],
	['card/getSensitiveDetails', 200, 'ONE-TIME-TOKEN'],
	...['card/getSensitiveDetails', 'card/get', 'card/getAll'].flatMap((operation) =>
		[200, 500].map((status): [string, number, string] => [
			operation,
			status,
			'{"details": {"url": "https://x/?token=ONE-TIME-TOKEN"',
		]),
	),
])('%s: what may be secret in a broken response is not quoted (%d)', async (name, status, body) => {
	const { error } = await run(name, () => ({ status, body }));
	expect(error).toBeDefined();
	expect(JSON.stringify(error)).not.toContain('ONE-TIME-TOKEN');
});

// failedCall.test.ts has the message of each code.
test.each([
	['ENOTFOUND', 'typos'],
	['ETIMEDOUT', 'firewall or proxy'],
	['ECONNREFUSED', 'check that the API is running.'],
	['EPIPE', 'Try again later'],
	['CERT_HAS_EXPIRED', 'certificate'],
	['EPROTO', 'start Base URL with http://'],
])('a call that fails with %s: the hint says "%s"', async (code, hint) => {
	const { error, host } = await run('card/get', fail(code));
	expect(error).toMatchObject({
		name: 'NodeOperationError',
		message: expect.stringContaining(host),
		description: expect.stringContaining(hint),
		context: { itemIndex: 0 },
	});
});

test('a call that fails without a code: its message, without the key', async () => {
	const { error } = await run('card/get', () => {
		throw new Error('secret-key-1234 is broken');
	});
	// What n8n's own error says; its cause stays out.
	expect(error).toMatchObject({
		message: 'The request failed: n8n wraps what a request throws',
		description: expect.stringContaining('network settings'),
	});
});

test('by default, an error is not from the API, and its outcome is known', () => {
	const { isFromApi, outcomeUnknown } = new UserError('x', 'y');
	expect([isFromApi, outcomeUnknown]).toEqual([false, false]);
});

describe('the key', () => {
	test.each([
		['secret-key-1234', 'x', 'Is secret-key-1234 a key?', 'Is [API key] a key? (401 x)'],
		['ab', 'ab', 'x', 'x (401 [API key])'],
		['sec"ret/key', 'x', 'Is "sec\\"ret\\/key", sec"ret/key', 'Is "[API key]", [API key] (401 x)'],
		// JSON in a string escapes the quotes once more, and the slashes need not be escaped.
		['sec"ret/key\\1', 'x', '{"key":"sec\\"ret/key\\\\1"}', '{"key":"[API key]"} (401 x)'],
	])('%s is removed from an error: %s, %s', async (apiKey, code, message, shown) => {
		const respond = () => ({ status: 401, body: { code, message } });
		const { error } = await run('card/get', respond, { credential: { apiKey } });
		expect(error?.message).toBe(shown);
	});

	const inString = (key: string, times: number): string =>
		times === 0 ? key : JSON.stringify(inString(key, times - 1)).slice(1, -1);

	/** The key as a program may write it into JSON. */
	const escapedBy: Record<string, (key: string) => string> = {
		'as it is': (key) => JSON.stringify(key).slice(1, -1),
		'as code points': (key) => key.replace(/./g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
		'some as code points': (key) =>
			key.replace(/[\Wk]/g, (c) => `\\u00${c.charCodeAt(0).toString(16).toUpperCase()}`),
		'in JSON in a string': (key) => inString(key, 2),
		'in JSON in a string in a string': (key) => inString(key, 3),
		'as code points, in JSON in a string': (key) =>
			key.replace(/./g, (c) => `\\\\u00${c.charCodeAt(0).toString(16)}`),
		'as in a URL': encodeURIComponent,
		'with escaped slashes': (key) => JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
	};

	test.each(Object.entries(escapedBy))('in data, %s, is in no item', async (_name, escape) => {
		const apiKey = 'sk/live+a-b_1="\\';
		const body = `{"id":"${id}","name":"<${escape(apiKey)}> ${escape(apiKey)}","lastFour":"1234"}`;
		const { json } = await run('card/get', () => ({ body }), { credential: { apiKey } });
		expect(json).toMatchObject([{ id, name: '<[API key]> [API key]', lastFour: '1234' }]);
	});

	test.each<[string, object, object]>([
		// The response can still be read.
		['live-key-123456', { name: 'C:\\live-key-123456\\' }, { name: 'C:\\[API key]\\' }],
		['"live-key-123456"', { name: 'C:\\"live-key-123456"\\' }, { name: 'C:[API key]\\' }],
		['live-key-123456\\', { name: 'live-key-123456\\"' }, { name: '[API key]"' }],
		['12345678-key', { name: '12345678-key' }, { name: '[API key]' }],
		// A number or a word is no key.
		['1234567890123', { reference: 1234567890123 }, { reference: 1234567890123 }],
		['active', { name: 'active' }, { name: 'active' }],
	])('%s in %j gives %j', async (apiKey, fields, expected) => {
		const body = { id, ...fields };
		const { json } = await run('card/get', () => ({ body }), { credential: { apiKey } });
		expect(json).toMatchObject([{ id, ...expected }]);
	});
});
