import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { html, raw } from 'hono/html';

import type { ControlEnv } from '../http/guard.ts';
import type { IconName } from './assets.ts';
import { icon } from './icons.ts';

/** A piece of HTML in which everything inserted is escaped. */
export type Html = ReturnType<typeof html>;

interface NavigationItem {
	path: string;
	label: string;
	icon: IconName;
}

/** The pages, in groups. */
const NAVIGATION: [group: string, items: NavigationItem[]][] = [
	[
		'Company',
		[
			{ path: '/dashboard', label: 'Overview', icon: 'speedometer2' },
			{ path: '/dashboard/cards', label: 'Cards', icon: 'credit-card' },
			{ path: '/dashboard/transactions', label: 'Transactions', icon: 'arrow-left-right' },
			{ path: '/dashboard/payments', label: 'Payments', icon: 'calendar-event' },
			{ path: '/dashboard/accounts', label: 'Accounts', icon: 'building' },
		],
	],
	[
		'Events',
		[
			{ path: '/dashboard/simulate', label: 'Simulate', icon: 'lightning-charge' },
			{ path: '/dashboard/webhooks', label: 'Webhooks', icon: 'broadcast' },
			{ path: '/dashboard/requests', label: 'Request log', icon: 'journal-text' },
		],
	],
	[
		'Sandbox',
		[
			{ path: '/dashboard/connect', label: 'Connect', icon: 'plug' },
			{ path: '/dashboard/controls', label: 'Controls', icon: 'sliders' },
			{ path: '/dashboard/reference', label: 'API reference', icon: 'book' },
		],
	],
];

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

type Renderer = (content: Html, title: string) => Response | Promise<Response>;

declare module 'hono' {
	interface ContextRenderer extends Renderer {}
}

/** Makes `c.render` respond with a whole page, below a banner. */
export const renderer = (banner: () => Html) =>
	createMiddleware<ControlEnv>(async (c, next) => {
		c.setRenderer((content, title) => c.html(layout(c.req.url, title, banner(), content)));
		await next();
	});

/** Tells whether htmx sent a request; it handles errors and messages itself. */
export const isByHtmx = (c: Context<ControlEnv>): boolean => c.req.header('hx-request') === 'true';

/**
 * Responds to a form after a change, with what is shown elsewhere in the page, which then shows the newest
 * state. A form that was sent before the scripts had loaded gets a page.
 */
export function changed(c: Context<ControlEnv>, partial: Html): Response | Promise<Response> {
	if (!isByHtmx(c)) return c.render(partial, 'Done');
	return c.html(partial, 200, { 'hx-trigger': 'refresh' });
}

/** Responds to a form after a change, with a message. */
export const done = (c: Context<ControlEnv>, message: string): Response | Promise<Response> =>
	changed(
		c,
		html`<hx-partial hx-target="#notice" hx-swap="innerHTML">
			<p class="toast-message m-0 px-3 py-2">${icon('check-circle')} ${message}</p>
		</hx-partial>`,
	);

/** Attributes of what requests a page and shows it in place of this one; what has the focus keeps it. */
export const intoMain = (more = ''): Html =>
	html`hx-select="#main" hx-target="#main" hx-swap="outerMorph ${more}"`;

/** Gives a URL with a query. */
export const withQuery = (path: string, parameters: Record<string, string>): string =>
	`${path}?${new URLSearchParams(parameters).toString()}`;

const asset = (name: string) => `/dashboard/assets/${name}`;

/** The whole page. Its main part requests itself every second and after each change, and changes only what differs. */
function layout(url: string, title: string, banner: Html, content: Html): Html {
	const { pathname, search } = new URL(url);
	// RapiDoc brings its own <main>, which may not be inside another landmark.
	const main = raw(pathname === '/dashboard/reference' ? 'div' : 'main');
	return html`<!doctype html>
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
			<body class="d-lg-flex">
				<header
					class="sidebar sticky-top d-flex d-lg-block align-items-center justify-content-between border-bottom px-3 py-2 py-lg-4"
				>
					<a class="visually-hidden-focusable" href="#main">Skip to content</a>
					<p class="d-flex gap-2 align-items-center m-0 fw-semibold">
						<img src="${asset('icon.svg')}" alt="" width="24" height="24" /> Card sandbox
					</p>
					<button
						type="button"
						class="btn btn-outline-secondary d-lg-none"
						popovertarget="menu"
					>
						${icon('list')} Menu
					</button>
					<nav id="menu" popover aria-label="Dashboard">
						${NAVIGATION.map(
							([group, items]) =>
								html`<p>${group}</p>
									<ul class="list-unstyled m-0">
										${items.map(
											({ path, label, icon: name }) =>
												html`<li>
													<a ${currentIf(isWithin(pathname, path))} href="${path}"
														>${icon(name)} ${label}</a
													>
												</li>`,
										)}
									</ul>`,
						)}
					</nav>
				</header>
				<${main}
					id="main"
					class="flex-grow-1 p-3 p-lg-4"
					tabindex="-1"
					hx-get="${pathname + search}"
					hx-trigger="every 1s, refresh from:document"
					${intoMain()}
				>
					<section aria-labelledby="title">
						${breadcrumb(pathname)}
						<h1 id="title">${title}</h1>
						${banner}
					</section>
					${content}
				</${main}>
				<div id="dialog"></div>
				<dialog id="question" class="p-4 border rounded-4" aria-labelledby="question-title">
					<form method="dialog">
						<h2 id="question-title" class="mb-2"></h2>
						<p class="mb-4"></p>
						<div class="d-flex gap-2 justify-content-end">
							<button class="btn btn-outline-secondary">Cancel</button>
							<button class="btn btn-danger" value="yes"></button>
						</div>
					</form>
				</dialog>
				<div id="notice" class="m-3 border-0 bg-transparent" popover="manual" role="status"></div>
			</body>
		</html>`;
}

/** A link to the list that a page of one thing belongs to. */
function breadcrumb(pathname: string): Html {
	const items = NAVIGATION.flatMap(([, group]) => group);
	const list = items.find(({ path }) => pathname !== path && isWithin(pathname, path));
	return list ? html`<p class="small mb-1"><a href="${list.path}">${list.label}</a></p>` : html``;
}

/** Attributes of a link that may be the current one. */
export const currentIf = (isCurrent: boolean): Html =>
	isCurrent ? html`class="nav-link active" aria-current="true"` : html`class="nav-link"`;

const isWithin = (path: string, href: string): boolean =>
	path === href || (href !== '/dashboard' && path.startsWith(`${href}/`));
