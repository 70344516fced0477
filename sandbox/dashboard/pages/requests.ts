import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';

import { notFound, parseOrBadRequest } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { type LoggedBody, type LoggedRequest, REDACTED } from '../../requests/requestLog.ts';
import type { Services } from '../../services.ts';
import { curl } from '../curl.ts';
import { timeOfDay, utc } from '../format.ts';
import { type Html, isPartial, page } from '../layout.ts';
import { copyField, empty, facts, filterForm, live, selected, time, urlWith } from '../parts.ts';

const HEADING = {
	title: 'Request log',
	lede: 'The last 200 requests to the public API, newest first. They are kept in memory, without their API keys.',
};

const PATH = '/dashboard/requests';

/** Characters of a path in the list. */
const LONGEST_PATH = 200;

const STATUSES = {
	'': 'Any',
	'2xx': 'Successful (2xx)',
	'4xx': 'Refused (4xx)',
	'5xx': 'Failed (5xx)',
	none: 'No response',
};

const listParameters = z.object({
	status: z.enum(['', '2xx', '4xx', '5xx', 'none']).default(''),
	path: z.string().default(''),
});

type Filter = z.infer<typeof listParameters>;

/** The last requests to the API. `apiPath` is the prefix of §9. */
export function requestsPage({ requestLog }: Services, apiPath: string): Hono<ControlEnv> {
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) => {
		const filter = parseOrBadRequest(listParameters, c.req.query());
		const requests = requestLog.list().filter((request) => matches(request, filter));
		const list = live('requests', urlWith(PATH, filter), listOf(requests));
		if (isPartial(c)) return c.html(list);
		return page(
			c,
			HEADING,
			html`<section class="panel" aria-labelledby="list-heading">
				<div class="panel-head">
					<h2 id="list-heading">Requests</h2>
					${filterForm(PATH, 'requests', filters(filter))}
				</div>
				${list}
			</section>`,
		);
	});

	routes.get('/:number', (c) => {
		const number = Number(c.req.param('number'));
		const request = requestLog.list().find((other) => other.number === number);
		if (!request) throw notFound('The request is no longer in the log');
		const url = new URL(apiPath + pathAndQuery(request), c.req.url).href;
		return page(
			c,
			{ title: `${request.method} ${request.path}`, lede: `Request ${number}` },
			details(request, url),
		);
	});

	return routes;
}

function matches({ status, path }: LoggedRequest, filter: Filter): boolean {
	const group = status === null ? 'none' : `${Math.floor(status / 100)}xx`;
	return (filter.status === '' || filter.status === group) && path.includes(filter.path);
}

const pathAndQuery = ({ path, query }: LoggedRequest): string =>
	query === '' ? path : `${path}?${query}`;

/** A list is fetched every second, so its rows are short. */
const shortened = (path: string): string =>
	path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path;

const filters = ({ status, path }: Filter): Html =>
	html`<label>
			Path
			<input type="search" name="path" value="${path}" placeholder="/cards" />
		</label>
		<label>
			Status
			<select name="status">
				${Object.entries(STATUSES).map(
					([value, label]) =>
						html`<option value="${value}" ${selected(value === status)}>${label}</option>`,
				)}
			</select>
		</label>`;

const listOf = (requests: LoggedRequest[]): Html =>
	requests.length === 0
		? empty('No matching requests.')
		: html`<div class="table-scroll">
				<table class="stacked">
					<thead>
						<tr>
							<th scope="col">Request</th>
							<th scope="col">Status</th>
							<th scope="col">Key</th>
							<th scope="col" class="number">Duration</th>
						</tr>
					</thead>
					<tbody>
						${requests.map(row)}
					</tbody>
				</table>
			</div>`;

const row = (request: LoggedRequest): Html =>
	html`<tr id="request-${request.number}">
		<td>
			<a href="${PATH}/${request.number}">${request.method} ${shortened(pathAndQuery(request))}</a>
			<small>${time(request.at, timeOfDay)}</small>
		</td>
		<td>${statusBadge(request)}</td>
		<td>${describeKey(request.key)}</td>
		<td class="number">${request.durationMs} ms</td>
	</tr>`;

function statusBadge({ status }: LoggedRequest): Html {
	const tone = status === null || status >= 500 ? 'bad' : status >= 400 ? 'waiting' : 'good';
	return html`<span class="badge ${tone}">${status ?? 'no response'}</span>`;
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

const details = (request: LoggedRequest, url: string): Html =>
	html`<section class="panel" aria-labelledby="exchange-heading">
			<h2 id="exchange-heading" class="panel-title">Exchange</h2>
			${facts([
				['Time', time(request.at, utc)],
				['Status', statusBadge(request)],
				['Duration', `${request.durationMs} ms`],
				['API key', describeKey(request.key)],
				['Path', html`<code>${request.path}</code>`],
				['Query', request.query && html`<code>${request.query}</code>`],
			])}
			${
				request.requestBody.isCut
					? html`<p class="muted">The body is too long for a matching curl command.</p>`
					: copyField('curl', 'Matching curl', curlOf(request, url))
			}
		</section>
		<section class="panel" aria-labelledby="request-heading">
			<h2 id="request-heading" class="panel-title">Request</h2>
			${facts(request.requestHeaders.map(([name, value]) => [name, html`<code>${value}</code>`]))}
			${body('Body', request.requestBody)}
		</section>
		<section class="panel" aria-labelledby="response-heading">
			<h2 id="response-heading" class="panel-title">Response</h2>
			${
				request.status === null
					? html`<p>The connection was closed before the response was sent.</p>`
					: body('Body', request.responseBody)
			}
		</section>
		<p><a href="${PATH}">All requests</a></p>`;

/** Headers that make a difference to the API; others belong to the client that sent them. */
const CURL_HEADERS = ['content-type', 'idempotency-key'];

const curlOf = ({ method, requestHeaders, requestBody }: LoggedRequest, url: string): string =>
	curl({
		url,
		method,
		headers: requestHeaders.filter(([name]) => CURL_HEADERS.includes(name)),
		body: requestBody.content,
	});

function body(label: string, { content, isCut }: LoggedBody): Html {
	if (content === '') return html`<p class="muted">${label}: empty</p>`;
	if (content === REDACTED)
		return html`<p class="muted">${label}: not kept, as it is sensitive</p>`;
	return html`<h3>${label}</h3>
		<pre tabindex="0" aria-label="${label}">${isCut ? content : indented(content)}</pre>
		${isCut ? html`<p class="muted">The end was cut off.</p>` : ''}`;
}

/** JSON is indented; anything else is shown as it was sent. */
function indented(content: string): string {
	try {
		return JSON.stringify(JSON.parse(content), null, 2);
	} catch {
		return content;
	}
}
