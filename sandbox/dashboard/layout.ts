import { hash } from 'node:crypto';

import type { Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { html, raw } from 'hono/html';

import type { ControlEnv } from '../http/guard.ts';
import { icon, type IconName } from './assets.ts';

/** Where the file of a page adds its routes, below `/dashboard`. */
export type Pages = Hono<ControlEnv>;

/** A piece of HTML in which everything inserted is escaped. */
export type Html = ReturnType<typeof html>;

type NavigationItem = [page: string, label: string, icon: IconName];

const NAVIGATION: Record<string, NavigationItem[]> = {
	Company: [
		['', 'Overview', 'speedometer2'],
		['/cards', 'Cards', 'credit-card'],
		['/transactions', 'Transactions', 'arrow-left-right'],
		['/payments', 'Payments', 'calendar-event'],
		['/accounts', 'Accounts', 'building'],
	],
	Events: [
		['/simulate', 'Simulate', 'lightning-charge'],
		['/webhooks', 'Webhooks', 'broadcast'],
		['/requests', 'Request log', 'journal-text'],
	],
	Build: [
		['/connect', 'Connect', 'plug'],
		['/workflows', 'Workflows', 'diagram-3'],
		['/controls', 'Controls', 'sliders'],
		['/reference', 'API reference', 'book'],
	],
};

/**
 * Settings of htmx. It sets no styles, as the security policy refuses them. What the user opened, and
 * marks of invalid fields, stay when the page is updated. Going back reloads the page.
 */
const HTMX_CONFIG = JSON.stringify({
	includeIndicatorCSS: false,
	history: 'reload',
	defaultSettleDelay: 0,
	morphIgnore: ['data-htmx-powered', 'open', 'aria-invalid'],
});

interface PageOptions {
	/** What stands at the other end of the title. */
	action?: Html;
	/** Whether the page never changes: then it is not requested again. */
	isStatic?: boolean;
}

type Renderer = (
	content: Html,
	title: string,
	options?: PageOptions,
) => Response | Promise<Response>;

declare module 'hono' {
	interface ContextRenderer extends Renderer {}
}

/**
 * Makes `c.render` respond with a whole page, below a banner; to htmx with the main part, or with 304 if the browser
 * shows it already.
 */
export const renderer = (banner: () => Html) =>
	createMiddleware<ControlEnv>(async (c, next) => {
		c.setRenderer(async (content, title, { action, isStatic = false } = {}) => {
			const { pathname, search } = new URL(c.req.url);
			const shown = await html`<section aria-labelledby="title">
					${breadcrumb(pathname)}
					<div class="d-flex flex-wrap gap-2 align-items-center justify-content-between mb-3">
						<h1 id="title" class="m-0 fs-4 fw-semibold">${title}</h1>
						${action}
					</div>
					${banner()}
				</section>
				${content}`;
			const etag = hash('sha1', search + shown);
			if (c.req.header('if-none-match') === etag) return c.body(null, 304);
			const heading = html`<title>${title} · Card Platform sandbox</title>`;
			const update = html`hx-get="${pathname + search}" hx-trigger="every 1s, refresh from:document"`;
			// RapiDoc brings its own <main>, which may not be inside another landmark.
			const element = raw(pathname === '/dashboard/reference' ? 'div' : 'main');
			const main = html`<${element}
				id="main"
				class="flex-grow-1 p-3 p-lg-4 text-break"
				tabindex="-1"
				data-etag="${etag}"
				${!isStatic && update}
				${intoMain()}
			>${shown}</${element}>`;
			return c.html(isByHtmx(c) ? html`${heading}${main}` : layout(pathname, heading, main));
		});
		await next();
	});

/** Tells whether htmx sent a request; it handles errors and messages itself. */
export const isByHtmx = (c: Context<ControlEnv>): boolean => c.req.header('hx-request') === 'true';

/**
 * Responds to a form after a change, with what is shown elsewhere in the page, which then shows the newest
 * state. A form that was sent before the scripts had loaded gets a page.
 */
export function changed(c: Context<ControlEnv>, partial: Html): Response | Promise<Response> {
	if (!isByHtmx(c)) return c.render(partial, 'Done', { isStatic: true });
	return c.html(partial, 200, { 'hx-trigger': 'refresh' });
}

export const done = (c: Context<ControlEnv>, message: string): Response | Promise<Response> =>
	changed(
		c,
		html`<hx-partial hx-target="#notice" hx-swap="innerHTML">
			<p class="toast-message shadow-lg rounded fw-medium m-0 px-3 py-2">
				${icon('check-circle')} ${message}
			</p>
		</hx-partial>`,
	);

export const goTo = (c: Context<ControlEnv>, path: string): Response =>
	isByHtmx(c) ? c.body(null, 200, { 'hx-redirect': path }) : c.redirect(path, 303);

/** Attributes of what requests a page and shows it in place of this one; what has the focus keeps it. */
export const intoMain = (more = ''): Html =>
	html`hx-select="#main" hx-target="#main" hx-swap="outerMorph ${more}"`;

export const withQuery = (path: string, parameters: Record<string, string>): string =>
	`${path}?${new URLSearchParams(parameters).toString()}`;

const asset = (name: string) => `/dashboard/assets/${name}`;

const layout = (pathname: string, title: Html, main: Html): Html =>
	html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="color-scheme" content="light dark" />
				<meta name="htmx-config" content="${HTMX_CONFIG}" />
				${title}
				<link rel="icon" type="image/svg+xml" href="${asset('icon.svg')}" />
				<link rel="stylesheet" href="${asset('bootstrap.css')}" />
				<link rel="stylesheet" href="${asset('dashboard.css')}" />
				<script defer src="${asset('htmx.js')}"></script>
				<script type="module" src="${asset('dashboard.js')}"></script>
			</head>
			<body class="d-lg-flex">
				<header
					class="sidebar sticky-top d-flex d-lg-block align-items-center justify-content-between border-bottom px-3 py-2 py-lg-4"
				>
					<a class="visually-hidden-focusable" href="#main">Skip to content</a>
					<p class="d-flex gap-2 align-items-center m-0 fw-semibold">
						<img src="${asset('icon.svg')}" alt="" width="24" height="24" /> Card sandbox
					</p>
					<button type="button" class="btn d-lg-none" popovertarget="menu">
						${icon('list')} Menu
					</button>
					<nav id="menu" class="border-0" popover aria-label="Dashboard">
						${Object.entries(NAVIGATION).map(
							([group, items]) =>
								html`<p class="mt-3 mb-1 px-2 small">${group}</p>
									<ul class="list-unstyled m-0">
										${items.map((item) => navigationLink(pathname, item))}
									</ul>`,
						)}
					</nav>
				</header>
				${main}
				<div id="dialog"></div>
				<dialog
					id="question"
					class="p-4 border rounded-4 shadow-lg"
					aria-labelledby="question-title"
				>
					<form method="dialog">
						<h2 id="question-title" class="mb-2 h6 fw-semibold"></h2>
						<p class="mb-4"></p>
						<div class="d-flex gap-2 justify-content-end">
							<button class="btn">Cancel</button>
							<button class="btn btn-danger" value="yes"></button>
						</div>
					</form>
				</dialog>
				<div
					id="notice"
					class="m-3 p-0 border-0 bg-transparent"
					popover="manual"
					role="status"
				></div>
			</body>
		</html>`;

const LINK =
	'd-flex gap-2 align-items-center px-2 py-2 py-lg-1 rounded text-reset text-decoration-none';

const navigationLink = (pathname: string, [page, label, name]: NavigationItem): Html =>
	html`<li>
		<a ${currentIf(isWithin(pathname, page), LINK)} href="/dashboard${page}"
			>${icon(name)} ${label}</a
		>
	</li>`;

/** A link to the list that a page of one thing belongs to. */
function breadcrumb(pathname: string): Html {
	const items = Object.values(NAVIGATION).flat();
	const list = items.find(([page]) => pathname !== `/dashboard${page}` && isWithin(pathname, page));
	return html`${
		list &&
		html`<nav class="small mb-1" aria-label="Breadcrumb">
			<a class="tap d-inline-block" href="/dashboard${list[0]}">${list[1]}</a>
		</nav>`
	}`;
}

/** Attributes of a link that may be the current one; `more` are its other classes. */
export const currentIf = (isCurrent: boolean, more = ''): Html =>
	html`class="${more} ${isCurrent ? 'active' : ''}" ${isCurrent ? html`aria-current="true"` : ''}`;

const isWithin = (path: string, page: string): boolean =>
	path === `/dashboard${page}` || (page !== '' && path.startsWith(`/dashboard${page}/`));
