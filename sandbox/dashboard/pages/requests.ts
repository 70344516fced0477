import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';

import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { pageParametersOf, readQuery } from '../../http/query.ts';
import { type LoggedBody, type LoggedRequest, REDACTED } from '../../requests/requestLog.ts';
import type { Services } from '../../services.ts';
import { curl } from '../curl.ts';
import { showDetail } from '../detail.ts';
import { timeOfDay, utc } from '../format.ts';
import type { Html } from '../layout.ts';
import { blank, type List, pageOf, showList } from '../list.ts';
import { badge, copyField, facts, muted, panel, preformatted, time } from '../parts.ts';

const HEADING = {
	title: 'Request log',
	lede: 'The last 200 requests to the public API, newest first. They are kept in memory, without their API keys.',
};

const PATH = '/dashboard/requests';

/** Characters of a path in the list, which is fetched every second. */
const LONGEST_PATH = 200;

const STATUSES: [value: string, label: string][] = [
	['2xx', 'Successful (2xx)'],
	['4xx', 'Refused (4xx)'],
	['5xx', 'Failed (5xx)'],
	['none', 'No response'],
];

const listParameters = pageParametersOf(100).extend({
	status: blank(z.enum(['2xx', '4xx', '5xx', 'none'])),
	path: blank(z.string()),
});

type Filter = z.infer<typeof listParameters>;

/** The last requests to the API. `apiPath` is the prefix of §9. */
export function requestsPage({ requestLog }: Services, apiPath: string): Hono<ControlEnv> {
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) => {
		const query = readQuery(c, listParameters);
		const requests = requestLog.list().filter((request) => matches(request, query));
		return showList(c, HEADING, listOf(query), pageOf(requests, query.page, query.pageSize));
	});

	routes.get('/:number', (c) => {
		const number = Number(c.req.param('number'));
		const request = requestLog.list().find((other) => other.number === number);
		if (!request) throw notFound('The request is no longer in the log');
		const url = new URL(apiPath + pathAndQuery(request), c.req.url).href;
		return showDetail(c, {
			noun: 'exchange',
			heading: { title: `${request.method} ${request.path}`, lede: `Request ${number}` },
			status: statusBadge(request),
			actions: html`<a href="${PATH}">All requests</a>`,
			facts: [
				['Time', time(request.at, utc)],
				['Duration', `${request.durationMs} ms`],
				['API key', describeKey(request.key)],
				['Path', html`<code>${request.path}</code>`],
				['Query', request.query && html`<code>${request.query}</code>`],
			],
			fixed: html`${panel('sent', 'Request', sent(request, url))}
			${panel('response', 'Response', response(request))}`,
		});
	});

	return routes;
}

function matches({ status, path }: LoggedRequest, filter: Filter): boolean {
	const group = status === null ? 'none' : `${Math.floor(status / 100)}xx`;
	return (filter.status ?? group) === group && path.includes(filter.path ?? '');
}

const pathAndQuery = ({ path, query }: LoggedRequest): string =>
	query === '' ? path : `${path}?${query}`;

const shortened = (path: string): string =>
	path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path;

const listOf = (query: Filter): List<LoggedRequest> => ({
	title: 'Requests',
	path: PATH,
	noun: 'request',
	id: ({ number }) => number,
	columns: [
		{
			title: 'Request',
			cell: (request) =>
				html`<a href="${PATH}/${request.number}"
						>${request.method} ${shortened(pathAndQuery(request))}</a
					>
					<small>${time(request.at, timeOfDay)}</small>`,
		},
		{ title: 'Status', cell: statusBadge },
		{ title: 'Key', cell: ({ key }) => describeKey(key) },
		{ title: 'Duration', cell: ({ durationMs }) => `${durationMs} ms`, isNumber: true },
	],
	filters: [
		{ name: 'path', label: 'Path', hint: '/cards' },
		{ name: 'status', label: 'Status', choices: STATUSES },
	],
	query,
	empty: 'No requests yet.',
});

function statusBadge({ status }: LoggedRequest): Html {
	const tone = status === null || status >= 500 ? 'bad' : status >= 400 ? 'waiting' : 'good';
	return badge(String(status ?? 'no response'), tone);
}

/** What is known about the key of a request: "customer …x7Qa", "unknown …9f3c". */
function describeKey(key: LoggedRequest['key']): string {
	if (!('lastFour' in key)) return key.state === 'missing' ? 'none' : 'malformed header';
	const { lastFour } = key;
	if (key.state !== 'active') return `${key.state} …${lastFour}`;
	const { caller } = key;
	const scope = caller.scope === 'customer' ? 'customer' : `account ${caller.accountId}`;
	return `${scope} …${lastFour}`;
}

const sent = (request: LoggedRequest, url: string): Html =>
	html`${facts(request.requestHeaders.map(([name, value]) => [name, html`<code>${value}</code>`]))}
	${body(request.requestBody)}
	${
		request.requestBody.isCut
			? muted('The body is too long for a matching curl command.')
			: copyField('curl', 'Matching curl', curlOf(request, url))
	}`;

const response = ({ status, responseBody }: LoggedRequest): Html =>
	status === null
		? html`<p>The connection was closed before the response was sent.</p>`
		: body(responseBody);

/** Headers that make a difference to the API; others belong to the client that sent them. */
const CURL_HEADERS = ['content-type', 'idempotency-key'];

const curlOf = ({ method, requestHeaders, requestBody }: LoggedRequest, url: string): string =>
	curl({
		url,
		method,
		headers: requestHeaders.filter(([name]) => CURL_HEADERS.includes(name)),
		body: requestBody.content,
	});

function body({ content, isCut }: LoggedBody): Html {
	if (content === '') return muted('Body: empty');
	if (content === REDACTED) return muted('Body: not kept, as it is sensitive');
	return html`<h3>Body</h3>
		${preformatted('Body', isCut ? content : indented(content))}
		${isCut ? muted('The end was cut off.') : ''}`;
}

/** JSON is indented; anything else is shown as it was sent. */
function indented(content: string): string {
	try {
		return JSON.stringify(JSON.parse(content), null, 2);
	} catch {
		return content;
	}
}
