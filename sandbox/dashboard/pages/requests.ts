import { Hono } from 'hono';
import { html } from 'hono/html';

import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import {
	filterRequests,
	type LoggedBody,
	type LoggedRequest,
	REDACTED,
	requestParameters,
} from '../../requests/requestLog.ts';
import type { Services } from '../../services.ts';
import { curl } from '../curl.ts';
import * as ui from '../ui.ts';

const PATH = '/dashboard/requests';

const METHODS = ['GET', 'POST', 'PATCH'];

const KEPT = 'The last 200, without their keys';

/** The last requests to the API. `apiPath` is the prefix of §9. */
export function requestsPage({ requestLog, now }: Services, apiPath: string): Hono<ControlEnv> {
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) => {
		const filter = ui.readFilters(c, requestParameters);
		const requests = filterRequests(requestLog.list(), filter);
		const none = ui.isFiltered(c) ? 'Nothing matches.' : 'No requests yet.';
		const content = html`${ui.filterForm(c, [
			ui.field('Path', html`type="search" name="path" value="${filter.path}" placeholder="/cards"`),
			ui.anyFilter('Method', 'method', METHODS, filter.method),
		])}
		${requests.length === 0 ? ui.muted(none) : requests.map((each) => summary(each, now()))}`;
		const title = ui.counted(requests.length, 'request');
		return c.render(ui.panel('list', title, content, KEPT), 'Request log');
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
function summary(request: LoggedRequest, now: Date): ui.Html {
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
			${ui.badge(String(status ?? 'no response'), tone)}
			<span>${method} ${pathAndQuery(request)}</span>
			<small class="d-block">
				${ui.timeAgo(at, now)} · ${durationMs} ms · key: ${describeKey(key)}
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

const details = (request: LoggedRequest, url: string): ui.Html => {
	const { requestHeaders, requestBody, status, responseBody, warning } = request;
	return html`${warning === null ? '' : ui.alert(warning)} ${ui.headerLines(requestHeaders)}
	${body('Request body', requestBody)}
	${
		requestBody.isCut
			? ui.muted('The body is too long for a matching curl command.')
			: ui.copyField(`curl-${request.number}`, 'Matching curl', curlOf(request, url))
	}
	${
		status === null
			? ui.muted('The connection was closed before the response was sent.')
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

function body(label: string, { content, isCut }: LoggedBody): ui.Html {
	if (content === REDACTED) return ui.muted('Body: not kept, as it is sensitive');
	return html`${ui.preformatted(label, isCut ? content : indented(content))}
	${isCut ? ui.muted('The end was cut off.') : ''}`;
}

/** JSON is indented; anything else is shown as it was sent. */
function indented(content: string): string {
	try {
		return JSON.stringify(JSON.parse(content), null, 2);
	} catch {
		return content;
	}
}
