import { Hono } from 'hono';
import { html } from 'hono/html';

import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { type LoggedBody, type LoggedRequest, REDACTED } from '../../requests/requestLog.ts';
import type { Services } from '../../services.ts';
import { curl } from '../curl.ts';
import type { Html } from '../layout.ts';
import { badge, copyField, headerLines, muted, panel, preformatted, time } from '../parts.ts';

const PATH = '/dashboard/requests';

/** The last requests to the API. `apiPath` is the prefix of §9. */
export function requestsPage({ requestLog }: Services, apiPath: string): Hono<ControlEnv> {
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) => {
		const requests = requestLog.list();
		const list = html`${muted('The last 200 are kept in memory, without their keys.')}
		${requests.length === 0 ? 'No requests yet.' : requests.map(summary)}`;
		return c.render(panel('list', 'Requests to the API, newest first', list), 'Request log');
	});

	routes.get('/:number', (c) => {
		const number = Number(c.req.param('number'));
		const request = requestLog.list().find((other) => other.number === number);
		if (!request) throw notFound('The request is no longer in the log');
		const url = new URL(apiPath + pathAndQuery(request), c.req.url).href;
		return c.html(details(request, url));
	});

	return routes;
}

const pathAndQuery = ({ path, query }: LoggedRequest): string =>
	query === '' ? path : `${path}?${query}`;

/** A line of the list, which fetches its details when it is opened. */
function summary(request: LoggedRequest): Html {
	const { number, method, at, durationMs, status, key } = request;
	const tone = status === null || status >= 500 ? 'danger' : status >= 400 ? 'warning' : 'success';
	return html`<details
		id="request-${number}"
		class="py-2"
		hx-get="${PATH}/${number}"
		hx-trigger="toggle once"
		hx-target="find .details"
		hx-swap="innerHTML"
	>
		<summary>
			${badge(String(status ?? 'no response'), tone)}
			<span>${method} ${pathAndQuery(request)}</span>
			<small class="d-block text-body-secondary">
				${time(at)} · ${durationMs} ms · key: ${describeKey(key)}
			</small>
		</summary>
		<div class="details p-2" hx-morph-skip-children></div>
	</details>`;
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

const details = (request: LoggedRequest, url: string): Html => {
	const { requestHeaders, requestBody, status, responseBody, warning } = request;
	return html`${warning === null ? '' : html`<p class="alert alert-warning p-2">${warning}</p>`}
	${headerLines(requestHeaders)} ${body('Request body', requestBody)}
	${
		requestBody.isCut
			? muted('The body is too long for a matching curl command.')
			: copyField(`curl-${request.number}`, 'Matching curl', curlOf(request, url))
	}
	${
		status === null
			? muted('The connection was closed before the response was sent.')
			: body('Response body', responseBody)
	}`;
};

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
	if (content === REDACTED) return muted('Body: not kept, as it is sensitive');
	return html`${preformatted(label, isCut ? content : indented(content))}
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
