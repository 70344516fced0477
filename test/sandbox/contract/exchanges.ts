import type { Exchange } from '../../../sandbox/http/exchange.ts';

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

/** A transfer, as it should be. */
export const transfer: Exchange = {
	method: 'POST',
	path: '/accounts/1001/transfers',
	query: new URLSearchParams(),
	requestHeaders: new Headers({ ...JSON_KEY, 'idempotency-key': 'one', host: 'localhost' }),
	requestBody: '{"amount":"25.00","toAccountId":1002}',
	status: 201,
	responseHeaders: JSON_TYPE,
	responseBody: JSON.stringify(TRANSFER),
};

/** A freeze, as it should be. */
export const freeze: Exchange = {
	method: 'POST',
	path: `/cards/${ID}/freeze`,
	query: new URLSearchParams(),
	requestHeaders: new Headers({ ...KEY, accept: 'application/json' }),
	requestBody: '',
	status: 204,
	responseHeaders: new Headers(),
	responseBody: '',
};

/** A list, as it should be. */
export const list: Exchange = {
	...freeze,
	method: 'GET',
	path: '/payments',
	query: new URLSearchParams({ from: '2026-01-01', to: '2026-02-01', accountId: '1001' }),
	status: 200,
	responseHeaders: JSON_TYPE,
	responseBody: '{"data":[]}',
};

/** What a request asks for, to change an exchange with. */
export const request = (method: string, path: string, query = ''): Partial<Exchange> => ({
	method,
	path,
	query: new URLSearchParams(query),
});

/** What is not documented, the exchange it is in, the change that makes it so, and what is said of it. */
export const UNDOCUMENTED: [string, Exchange, Partial<Exchange>, string][] = [
	['an operation', list, request('GET', '/refunds'), 'operation is not documented'],
	['a method', list, request('DELETE', '/payments'), 'operation is not documented'],
	['a path below', freeze, { path: `/cards/${ID}/freeze/` }, 'operation is not documented'],
	['a path parameter', freeze, { path: '/cards/1/freeze' }, 'path: /card-id must match format'],
	[
		'a query parameter',
		list,
		request('GET', '/payments', 'from=2026-01-01&to=2026-02-01&x=1'),
		'query: must NOT have unevaluated properties "x"',
	],
	[
		'a missing query parameter',
		list,
		request('GET', '/payments', 'from=2026-01-01'),
		"query: must have required property 'to'",
	],
	[
		'a query value',
		list,
		request('GET', '/payments', 'from=2026-01-01&to=May'),
		'query: /to must match format "date"',
	],
	[
		'a query parameter twice',
		list,
		request('GET', '/payments', 'from=2026-01-01&to=2026-02-01&to=2026-03-01'),
		'query: a parameter is there twice',
	],
	[
		'a request header',
		freeze,
		{ requestHeaders: new Headers({ ...KEY, 'idempotency-key': 'one' }) },
		'header: must NOT have unevaluated properties "idempotency-key"',
	],
	[
		'a key in another form',
		freeze,
		{ requestHeaders: new Headers({ authorization: 'Basic a' }) },
		'header authorization: no bearer key',
	],
	[
		'other content wanted',
		freeze,
		{ requestHeaders: new Headers({ ...KEY, accept: 'text/csv' }) },
		'header accept: text/csv',
	],
	['a body', freeze, { requestBody: '{}' }, 'request body: is not documented'],
	[
		'a content type without a body',
		freeze,
		{ requestHeaders: new Headers(JSON_KEY) },
		'content-type without a body',
	],
	[
		'a body field',
		transfer,
		{ requestBody: '{"amount":"1","toAccountId":2,"memo":"x"}' },
		'request body: must NOT have unevaluated properties "memo"',
	],
	[
		'a number for an amount',
		transfer,
		{ requestBody: '{"amount":1,"toAccountId":2}' },
		'request body: /amount must be string',
	],
	['a body that is no JSON', transfer, { requestBody: 'amount=1' }, 'request body: must be object'],
	[
		'a body of another type',
		transfer,
		{ requestHeaders: new Headers(KEY) },
		'request body: content-type: missing',
	],
	['a status', freeze, { status: 202 }, 'status is not documented'],
	['an answer to a 204', freeze, { responseBody: '{}' }, 'body: is not documented'],
	[
		'an answer header',
		freeze,
		{ responseHeaders: new Headers({ 'x-request-id': '1' }) },
		'header x-request-id is not documented',
	],
	[
		'an answer of another type',
		list,
		{ responseHeaders: new Headers({ 'content-type': 'text/html' }) },
		'header content-type: text/html',
	],
	[
		'an answer without a type',
		list,
		{ responseHeaders: new Headers() },
		'header content-type: missing',
	],
	[
		'a type without an answer',
		freeze,
		{ responseHeaders: JSON_TYPE },
		'header content-type: application/json',
	],
	[
		'an answer field',
		transfer,
		{ responseBody: JSON.stringify({ ...TRANSFER, amount: '1' }) },
		'body: must NOT have unevaluated properties "amount"',
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
];
