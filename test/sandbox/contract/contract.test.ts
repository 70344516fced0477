import type { Exchange } from '../../../sandbox/http/exchange.ts';
import { recordContract } from '../../support/contract';

const ID = '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10';

const KEY = { authorization: 'Bearer key' };
const JSON_KEY = { ...KEY, 'content-type': 'application/json' };
const JSON_TYPE = new Headers({ 'content-type': 'application/json; charset=UTF-8' });
const TRANSFER = {
	id: ID,
	fromAccountId: 1001,
	toAccountId: 1002,
	status: 'completed',
	createdAt: '2026-03-15T12:00:00Z',
};

const transfer: Exchange = {
	method: 'POST',
	path: '/accounts/1001/transfers',
	query: new URLSearchParams(),
	requestHeaders: new Headers({ ...JSON_KEY, 'idempotency-key': 'one', host: 'localhost' }),
	requestBody: '{"amount":"25.00","toAccountId":1002}',
	status: 201,
	responseHeaders: JSON_TYPE,
	responseBody: JSON.stringify(TRANSFER),
};

const freeze: Exchange = {
	method: 'POST',
	path: `/cards/${ID}/freeze`,
	query: new URLSearchParams(),
	requestHeaders: new Headers({ ...KEY, accept: 'application/json' }),
	requestBody: '',
	status: 204,
	responseHeaders: new Headers(),
	responseBody: '',
};

const RANGE = 'from=2026-01-01&to=2026-02-01';

const list: Exchange = {
	...freeze,
	method: 'GET',
	path: '/payments',
	query: new URLSearchParams(`${RANGE}&accountId=1001`),
	status: 200,
	responseHeaders: JSON_TYPE,
	responseBody: '{"data":[]}',
};

const query = (text: string) => ({ query: new URLSearchParams(text) });
const requestHeaders = (headers: Record<string, string>) => ({
	requestHeaders: new Headers(headers),
});
const responseHeaders = (headers: Record<string, string>) => ({
	responseHeaders: new Headers(headers),
});

function problemsOf(exchange: Exchange, requests: 'checked' | 'any' = 'checked'): string[] {
	const { hooks, problems } = recordContract(requests);
	hooks.onExchange(exchange);
	return problems;
}

test('what is documented passes and is counted', () => {
	const { hooks, problems, counts } = recordContract('checked');
	for (const exchange of [transfer, freeze, list, list]) hooks.onExchange(exchange);
	expect(problems).toEqual([]);
	expect([...counts]).toEqual([
		['POST /accounts/{account-id}/transfers 201', 1],
		['POST /cards/{card-id}/freeze 204', 1],
		['GET /payments 200', 2],
	]);
});

test.each<[string, Exchange, Partial<Exchange>, string]>([
	['an operation', list, { path: '/refunds' }, 'operation is not documented'],
	['a method', list, { method: 'DELETE' }, 'operation is not documented'],
	['a path below', freeze, { path: `/cards/${ID}/freeze/` }, 'operation is not documented'],
	['a path parameter', freeze, { path: '/cards/1/freeze' }, '/path/card-id must match format'],
	['a query parameter', list, query(`${RANGE}&x=1`), '/query must NOT have unevaluated'],
	['a missing query parameter', list, query('from=2026-01-01'), '/query must have required'],
	['a query value', list, query('from=2026-01-01&to=May'), '/query/to must match format "date"'],
	['a query parameter twice', list, query(`${RANGE}&to=2026-03-01`), '/query/to must be string'],
	[
		'a request header',
		freeze,
		requestHeaders({ ...KEY, 'idempotency-key': 'one' }),
		'/header must NOT have unevaluated properties "idempotency-key"',
	],
	[
		'a key in another form',
		freeze,
		requestHeaders({ authorization: 'Basic a' }),
		'/header/authorization must match',
	],
	[
		'a missing key',
		freeze,
		requestHeaders({}),
		"/header must have required property 'authorization'",
	],
	[
		'other content wanted',
		freeze,
		requestHeaders({ ...KEY, accept: 'text/csv' }),
		'/header/accept must match',
	],
	['a body', freeze, { requestBody: '{}' }, 'request: body: must be equal to constant'],
	[
		'a content type without a body',
		freeze,
		requestHeaders(JSON_KEY),
		'/header must NOT have unevaluated properties "content-type"',
	],
	[
		'a body field',
		transfer,
		{ requestBody: '{"amount":"1","toAccountId":2,"memo":"x"}' },
		'request: body: must NOT have unevaluated properties "memo"',
	],
	[
		'a number for an amount',
		transfer,
		{ requestBody: '{"amount":1,"toAccountId":2}' },
		'request: body: /amount must be string',
	],
	[
		'a body that is no JSON',
		transfer,
		{ requestBody: 'amount=1' },
		'request: body: must be object',
	],
	[
		'a body of no type',
		transfer,
		requestHeaders(KEY),
		"/header must have required property 'content-type'",
	],
	['a status', freeze, { status: 202 }, 'status is not documented'],
	['a body of a 204', freeze, { responseBody: '{}' }, ' 204: body: must be equal to constant'],
	[
		'a response header',
		freeze,
		responseHeaders({ 'x-request-id': '1' }),
		'header: must NOT have unevaluated properties "x-request-id"',
	],
	[
		'a response of another type',
		list,
		responseHeaders({ 'content-type': 'text/html' }),
		'header: /content-type must match',
	],
	[
		'a response without a type',
		list,
		responseHeaders({}),
		"header: must have required property 'content-type'",
	],
	[
		'a type without a response',
		freeze,
		{ responseHeaders: JSON_TYPE },
		'header: must NOT have unevaluated properties "content-type"',
	],
	[
		'a response field',
		transfer,
		{ responseBody: JSON.stringify({ ...TRANSFER, amount: '1' }) },
		' 201: body: must NOT have unevaluated properties "amount"',
	],
	[
		'a field of an item',
		list,
		{ responseBody: '{"data":[{"note":"x"}]}' },
		'body: /data/0 must NOT have unevaluated properties "note"',
	],
	['a missing field', list, { responseBody: '{}' }, "body: must have required property 'data'"],
	[
		'another error code',
		freeze,
		{ status: 404, responseHeaders: JSON_TYPE, responseBody: '{"code":"gone"}' },
		'body: /code must be equal to constant',
	],
])('not documented: %s', (_name, exchange, change, problem) => {
	expect(problemsOf({ ...exchange, ...change })).toContainEqual(expect.stringContaining(problem));
});

test('where a test requests what it likes, the responses are still checked', () => {
	const requested = { ...list, ...query('x=1') };
	expect(problemsOf(requested, 'any')).toEqual([]);
	expect(problemsOf({ ...requested, responseBody: '{}' }, 'any')).toHaveLength(1);
	expect(problemsOf({ ...requested, status: 418 }, 'any')).toHaveLength(1);
	const nowhere = { ...list, path: '/refunds' };
	expect(problemsOf({ ...nowhere, status: 404 }, 'any')).toEqual([]);
	expect(problemsOf(nowhere, 'any')).toHaveLength(1);
});

const untimed = {
	'content-type': 'application/json',
	'x-webhook-event-id': ID,
	'x-webhook-topic': 'card.financial_event.v1',
	'x-webhook-signature': `v0=${'a'.repeat(64)},v0=${'b'.repeat(64)}`,
};
const delivery = { ...untimed, 'x-webhook-timestamp': '2026-03-15T12:00:00Z' };

test.each<[string, Record<string, string>, string, string[]]>([
	['nothing', delivery, `{"id":"${ID}"}`, []],
	[
		'another topic',
		{ ...delivery, 'x-webhook-topic': 'card.v2' },
		'{}',
		['topic is not documented'],
	],
	['a header', { ...delivery, 'x-try': '2' }, '{}', ['/header must NOT have unevaluated']],
	[
		'a missing header',
		untimed,
		'{}',
		["/header must have required property 'x-webhook-timestamp'"],
	],
	['a signature', { ...delivery, 'x-webhook-signature': 'v1=a' }, '{}', ['must match pattern']],
	['a content type', { ...delivery, 'content-type': 'text/csv' }, '{}', ['/header/content-type']],
	['a field', delivery, '{"note":"x"}', ['body: must NOT have unevaluated properties "note"']],
	['an envelope', delivery, '[{}]', ['body: must be object']],
])('not documented of a delivery: %s', (_name, headers, body, expected) => {
	const { hooks, problems } = recordContract('any');
	hooks.onDelivery({ headers, body: new TextEncoder().encode(body) });
	expect(problems).toEqual(expected.map((problem): unknown => expect.stringContaining(problem)));
});
