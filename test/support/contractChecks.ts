import type { Exchange } from '../../sandbox/http/exchange.ts';
import type { OutgoingDelivery } from '../../sandbox/webhooks/send.ts';
import { type CheckedOperation, operations, webhooks } from './contractOperations';

/** Headers that belong to HTTP itself, and those that every client adds on its own. */
const TRANSPORT_HEADERS = new Set([
	'accept-encoding',
	'accept-language',
	'connection',
	'content-length',
	'host',
	// Of a request to this machine that avoids a proxy.
	'proxy-connection',
	'sec-fetch-mode',
	'transfer-encoding',
	'user-agent',
]);

const isJson = (contentType: string | null | undefined): boolean =>
	/^application\/json(;|$)/.test(contentType ?? '');

/** JSON that cannot be parsed stays text, which no schema of an object accepts. */
function parseBody(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

const within = (place: string, problems: string[]): string[] =>
	problems.map((problem) => `${place}: ${problem}`);

/** Finds the operation that a request asks for. */
export const findOperation = ({ method, path }: Exchange): CheckedOperation | undefined =>
	operations.find((operation) => operation.method === method && operation.match(path));

function checkRequestBody(
	check: CheckedOperation['checkRequestBody'],
	contentType: string | null | undefined,
	body: string,
): string[] {
	if (check) {
		if (!isJson(contentType)) return [`content-type: ${contentType ?? 'missing'}`];
		return check(parseBody(body));
	}
	if (body !== '') return ['is not documented'];
	return contentType ? [`content-type without a body: ${contentType}`] : [];
}

/** Says what of a request is not as openapi.yaml documents it. */
export function checkRequest(operation: CheckedOperation, exchange: Exchange): string[] {
	const { path, query, requestHeaders, requestBody } = exchange;
	const headers = Object.fromEntries(
		[...requestHeaders].filter(([name]) => !TRANSPORT_HEADERS.has(name)),
	);
	const { authorization = '', accept = '*/*', 'content-type': contentType, ...others } = headers;
	const names = [...query.keys()];
	return [
		...within('path', operation.checkPath(operation.match(path))),
		...within('query', operation.checkQuery(Object.fromEntries(query))),
		...(new Set(names).size < names.length ? ['query: a parameter is there twice'] : []),
		...within('header', operation.checkHeaders(others)),
		...(/^Bearer \S+$/.test(authorization) ? [] : ['header authorization: no bearer key']),
		...(/application\/json|\*\/\*/.test(accept) ? [] : [`header accept: ${accept}`]),
		...within(
			'request body',
			checkRequestBody(operation.checkRequestBody, contentType, requestBody),
		),
	];
}

/** Says what of an answer is not as openapi.yaml documents it. */
export function checkAnswer(operation: CheckedOperation, exchange: Exchange): string[] {
	const { status, responseHeaders, responseBody } = exchange;
	if (!operation.answers.has(String(status))) return ['status is not documented'];
	const check = operation.answers.get(String(status));
	const contentType = responseHeaders.get('content-type');
	const unknownHeaders = [...responseHeaders.keys()].filter(
		(name) => name !== 'content-type' && !TRANSPORT_HEADERS.has(name),
	);
	const body = () => {
		if (!check) return responseBody === '' ? [] : ['is not documented'];
		return check(parseBody(responseBody));
	};
	return [
		...unknownHeaders.map((name) => `header ${name} is not documented`),
		...(isJson(contentType) === (check !== undefined) && (check ?? contentType === null)
			? []
			: [`header content-type: ${contentType ?? 'missing'}`]),
		...within('body', body()),
	];
}

/** Says what of a webhook delivery is not as openapi.yaml documents it (§6). */
export function checkDelivery({ headers, body }: OutgoingDelivery): string[] {
	const topic = headers['x-webhook-topic'] ?? 'no topic';
	const webhook = webhooks.find(({ path }) => path === topic);
	if (!webhook) return [`${topic} is not documented`];
	const { 'content-type': contentType, ...others } = headers;
	return [
		...within('header', webhook.checkHeaders(others)),
		...within(
			'body',
			checkRequestBody(webhook.checkRequestBody, contentType, new TextDecoder().decode(body)),
		),
	];
}
