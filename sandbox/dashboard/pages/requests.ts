import { html } from 'hono/html';

import {
	filterRequests,
	type LoggedRequest,
	requestParameters,
} from '../../requests/requestLog.ts';
import type { Services } from '../../services.ts';
import * as ui from '../ui.ts';

const PATH = '/dashboard/requests';

const METHODS = ['GET', 'POST', 'PATCH'];

const KEPT = 'The last 200, without their keys';

/** The last requests to the API. */
export function addRequests(pages: ui.Pages, { requestLog, now }: Services): void {
	pages.get('/requests', (c) => {
		const filter = ui.readFilters(c, requestParameters);
		const requests = filterRequests(requestLog.list(), filter);
		const none = ui.noRows(
			c,
			html`No requests yet. <a href="/dashboard/connect">Connect a client</a>.`,
		);
		const content = html`${ui.filterForm(c, [
			ui.field('Path', html`type="search" name="path" value="${filter.path}" placeholder="/cards"`),
			ui.anyFilter('Method', 'method', METHODS, filter.method),
		])}
		${requests.length === 0 ? ui.muted(none) : requests.map((each) => summary(each, now()))}`;
		const title = ui.counted(requests.length, 'request');
		return c.render(ui.panel('list', title, content, KEPT), 'Request log');
	});

	pages.get('/requests/:number', (c) => {
		const number = Number(c.req.param('number'));
		const request = requestLog.list().find((other) => other.number === number);
		return c.html(details(ui.found(request, 'request')));
	});
}

/** A line of the list, which fetches its details when it is opened. */
function summary(request: LoggedRequest, now: Date): ui.Html {
	const { number, method, path, query, at, durationMs, status, apiKey } = request;
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
			<span>${method} ${path}${query && `?${query}`}</span>
			<small class="d-block"> ${ui.timeAgo(at, now)} · ${durationMs} ms · key: ${apiKey} </small>
		</summary>
		<div class="details p-2" hx-morph-skip-children></div>
	</details>`;
}

const details = ({ requestHeaders, requestBody, status, responseBody, warning }: LoggedRequest) =>
	html`${warning === null ? '' : ui.alert(warning)}
	${ui.headerLines(Object.entries(requestHeaders))} ${body('Request body', requestBody)}
	${
		status === null
			? ui.muted('The connection was closed before the response was sent.')
			: body('Response body', responseBody)
	}`;

const body = (label: string, content: string): ui.Html => ui.preformatted(label, indented(content));

/** JSON is indented; anything else is shown as it was sent. */
function indented(content: string): string {
	try {
		return JSON.stringify(JSON.parse(content), null, 2);
	} catch {
		return content;
	}
}
