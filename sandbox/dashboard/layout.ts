import { html } from 'hono/html';
import { TABS, type Tab } from './tabs.ts';

/** A piece of HTML in which everything inserted is escaped. */
export type Html = ReturnType<typeof html>;

const STYLES = [
	'theme',
	'layout',
	'forms',
	'buttons',
	'parts',
	'deliveries',
	'dialogs',
	'cards',
	'table',
];

/** Gives the whole page of a tab: navigation, heading and the content. */
export const layout = (tab: Tab, content: Html): Html =>
	html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="color-scheme" content="light dark" />
				<title>${tab.title} · Card Platform sandbox</title>
				<link rel="icon" type="image/svg+xml" href="/dashboard/assets/icon.svg" />
				${STYLES.map(
					(name) => html`<link rel="stylesheet" href="/dashboard/assets/${name}.css" />`,
				)}
				<script type="module" src="/dashboard/assets/${tab.name}.js"></script>
				<script type="module" src="/dashboard/assets/ready.js"></script>
			</head>
			<body>
				<a class="skip" href="#main">Skip to content</a>
				<header class="sidebar">
					<div>
						<a class="brand" href="/dashboard/api">
							<img src="/dashboard/assets/icon.svg" alt="" width="32" height="32" />
							<span>Card Platform <small>Sandbox</small></span>
						</a>
						<nav aria-label="Dashboard">${TABS.map((group) => navigationGroup(group, tab))}</nav>
					</div>
				</header>
				<main id="main" tabindex="-1" inert>
					<header class="page-head">
						<h1>${tab.title}</h1>
						<p>${tab.lede}</p>
					</header>
					${content}
				</main>
				<div class="toasts">
					<p id="notice" role="status"></p>
					<p id="problem" role="alert"></p>
				</div>
			</body>
		</html>`;

const navigationGroup = ({ heading, tabs }: (typeof TABS)[number], current: Tab): Html => html`
	<h2>${heading}</h2>
	<ul>
		${tabs.map(
			({ name, label }) =>
				html`<li>
					<a href="/dashboard/${name}" aria-current="${name === current.name ? 'page' : 'false'}"
						>${label}</a
					>
				</li>`,
		)}
	</ul>
`;
