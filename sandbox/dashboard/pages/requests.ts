import { html } from 'hono/html';
import { z } from 'zod/v4';

import {
	filterRequests,
	type LoggedRequest,
	requestParameters,
} from '../../requests/requestLog.ts';
import type { Services } from '../../services.ts';
import * as ui from '../ui.ts';

const PATH = '/dashboard/requests';

const METHODS = ['GET', 'POST', 'PATCH'];

const STATUSES: ui.Option[] = [
	['', 'Any'],
	['2xx', '2xx success'],
	['4xx', '4xx refused'],
	['5xx', '5xx failed'],
	['none', 'No response'],
];

/** Of a path that is being typed, all is valid. */
const filters = requestParameters.extend({ path: z.string().optional() });

const KEPT = 'The last 200, without keys';

export function addRequests(pages: ui.Pages, { requestLog, now }: Services): void {
	pages.get('/requests', (c) => {
		const { path, ...filter } = ui.readFilters(c, filters);
		const below = path && `/${path.replace(/^\//, '')}`;
		const requests = filterRequests(requestLog.list(), { ...filter, path: below });
		const none = ui.noRows(
			c,
			html`No requests yet. <a href="/dashboard/connect">Connect a client</a>.`,
		);
		const content = html`${ui.filterForm(c, [
			ui.field('Path', html`type="search" name="path" value="${path}" placeholder="/cards"`),
			ui.choice('Status', html`name="status"`, STATUSES, filter.status),
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
			<code>${method.padEnd(5)} ${path}${query && `?${query}`}</code>
			<small>
				${ui.timeAgo(at, now)} · ${durationMs} ms ${apiKey !== 'active' && `· key: ${apiKey}`}
			</small>
		</summary>
		<div class="details p-2" hx-morph-skip-children></div>
	</details>`;
}

const details = ({ requestHeaders, requestBody, status, responseBody, warning }: LoggedRequest) =>
	html`${warning === null ? '' : ui.alert(warning)}
	${ui.headerLines(Object.entries(requestHeaders))}
	${requestBody !== '' && body('Request body', requestBody)}
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
