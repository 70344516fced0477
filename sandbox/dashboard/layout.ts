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

/** All pages of the navigation, by heading; §5.2 and §6 name the first two. */
const NAVIGATION: [heading: string, pages: [path: string, label: string][]][] = [
	[
		'Developer settings',
		[
			['/dashboard/api', 'API'],
			['/dashboard/webhooks', 'Webhooks'],
			['/dashboard/signature', 'Check a signature'],
		],
	],
	['Card network', [['/dashboard/simulate', 'Simulate']]],
	[
		'Company',
		[
			['/dashboard/accounts', 'Accounts'],
			['/dashboard/cards', 'Cards'],
			['/dashboard/transactions', 'Transactions'],
		],
	],
	[
		'Sandbox',
		[
			['/dashboard/requests', 'Request log'],
			['/dashboard/controls', 'Controls'],
		],
	],
	['Documentation', [['/dashboard/reference', 'API reference']]],
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
				<link rel="stylesheet" href="${asset('pico.css')}" />
				<link rel="stylesheet" href="${asset('dashboard.css')}" />
				<script defer src="${asset('htmx.js')}"></script>
				<script type="module" src="${asset('dashboard.js')}"></script>
			</head>
			<body>
				<a class="skip" href="#main">Skip to content</a>
				<header class="sidebar">
					<a class="brand" href="/dashboard/api">
						<img src="${asset('icon.svg')}" alt="" width="32" height="32" />
						<span>Card Platform <small>Sandbox</small></span>
					</a>
					<nav aria-label="Dashboard">
						${NAVIGATION.map(
							([heading, pages]) =>
								html`<h2>${heading}</h2>
									${pages.map(
										([href, label]) =>
											html`<a href="${href}" ${isWithin(c.req.path, href)}>${label}</a>`,
									)}`,
						)}
					</nav>
				</header>
				<main id="main" tabindex="-1">
					${banners.get(c)}
					<h1>${title}</h1>
					<p class="muted">${lede}</p>
					${content}
				</main>
				<div id="dialog"></div>
				<div class="toasts">
					<p id="notice" role="status"></p>
					<p id="problem" role="alert"></p>
				</div>
			</body>
		</html>`;

const isWithin = (path: string, href: string): Html =>
	path === href || path.startsWith(`${href}/`) ? html`aria-current="page"` : html``;
