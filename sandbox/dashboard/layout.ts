import type { Context } from 'hono';
import { html } from 'hono/html';

import type { ControlEnv } from '../http/guard.ts';

/** A piece of HTML in which everything inserted is escaped. */
export type Html = ReturnType<typeof html>;

/** The heading of a page. */
export interface Heading {
	title: string;
	lede: string | Html;
}

const NAVIGATION: [path: string, label: string][] = [
	['/dashboard', 'Start'],
	['/dashboard/webhooks', 'Webhooks'],
	['/dashboard/simulate', 'Simulate'],
	['/dashboard/requests', 'Request log'],
	['/dashboard/cards', 'Cards'],
	['/dashboard/transactions', 'Transactions'],
	['/dashboard/accounts', 'Accounts'],
	['/dashboard/controls', 'Controls'],
];

/**
 * Settings of htmx. It sets no styles, as the security policy refuses them. An element that
 * the user opened stays open when a fragment is updated. Going back reloads the page.
 */
const HTMX_CONFIG = JSON.stringify({
	includeIndicatorCSS: false,
	history: 'reload',
	defaultSwap: 'outerHTML',
	defaultSettleDelay: 0,
	morphIgnore: ['data-htmx-powered', 'open'],
	defaultTimeout: 10_000,
});

/** Tells whether htmx requests a part of a page; otherwise the browser shows the response as a page. */
export const isPartial = (c: Context<ControlEnv>): boolean =>
	c.req.header('hx-request-type') === 'partial';

const banners = new WeakMap<Context, Html>();

/** Puts a banner above the page that a request gets. */
export const setBanner = (c: Context<ControlEnv>, banner: Html): void => {
	banners.set(c, banner);
};

/** Responds with a whole page. */
export const page = (c: Context<ControlEnv>, heading: Heading, content: Html) =>
	c.html(layout(c, heading, content));

/**
 * Responds to htmx with a fragment, which replaces the element that requested it. A form that was
 * sent before the scripts had loaded gets the fragment as a page.
 */
export const fragment = (c: Context<ControlEnv>, heading: Heading, content: Html) =>
	isPartial(c) ? c.html(content) : page(c, heading, content);

/** Responds like `fragment` after a change, and updates every live region at once. */
export function changed(c: Context<ControlEnv>, heading: Heading, content: Html) {
	c.header('hx-trigger', 'refresh');
	return fragment(c, heading, content);
}

const asset = (name: string) => `/dashboard/assets/${name}`;

/** The whole page: navigation, heading and the content. */
export const layout = (c: Context<ControlEnv>, { title, lede }: Heading, content: Html): Html =>
	html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="color-scheme" content="light dark" />
				<meta name="htmx-config" content="${HTMX_CONFIG}" />
				<title>${title} · Card Platform sandbox</title>
				<link rel="icon" type="image/svg+xml" href="${asset('icon.svg')}" />
				<link rel="stylesheet" href="${asset('bootstrap.css')}" />
				<link rel="stylesheet" href="${asset('dashboard.css')}" />
				<script src="${asset('theme.js')}"></script>
				<script defer src="${asset('htmx.js')}"></script>
				<script type="module" src="${asset('dashboard.js')}"></script>
			</head>
			<body class="d-lg-flex bg-body-tertiary">
				<header class="sidebar sticky-top bg-body border-end border-bottom p-2 p-lg-3">
					<a class="visually-hidden-focusable" href="#main">Skip to content</a>
					<p class="d-flex gap-2 align-items-center mb-2 fw-semibold">
						<img src="${asset('icon.svg')}" alt="" width="28" height="28" /> Card Platform Sandbox
					</p>
					<nav
						class="nav nav-pills flex-nowrap flex-lg-column text-nowrap overflow-x-auto"
						aria-label="Dashboard"
					>
						${NAVIGATION.map(
							([href, label]) =>
								html`<a ${currentIf(isWithin(c.req.path, href))} href="${href}">${label}</a>`,
						)}
					</nav>
				</header>
				<main id="main" class="flex-grow-1 p-3 p-lg-4" tabindex="-1">
					${banners.get(c)}
					<h1 class="h3 mb-1">${title}</h1>
					<p class="text-body-secondary">${lede}</p>
					${content}
				</main>
				<div id="dialog"></div>
				<div class="toast-container position-fixed bottom-0 end-0 p-3">
					<p id="notice" class="alert alert-dark m-0" role="status"></p>
					<p id="problem" class="alert alert-danger m-0" role="alert"></p>
				</div>
			</body>
		</html>`;

/** Attributes of a link that may be the current one. */
export const currentIf = (isCurrent: boolean): Html =>
	isCurrent ? html`class="nav-link active" aria-current="true"` : html`class="nav-link"`;

const isWithin = (path: string, href: string): boolean =>
	path === href || (href !== '/dashboard' && path.startsWith(`${href}/`));
