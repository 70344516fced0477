import type { Context } from 'hono';
import { html } from 'hono/html';

import type { ControlEnv } from '../http/guard.ts';
import { curl } from './curl.ts';
import { type Heading, type Html, isPartial, page } from './layout.ts';
import { badge, copyField, type Fact, facts, live, muted, panel } from './parts.ts';

/** What the page of one thing shows. */
export interface Detail {
	/** What it is, such as "transaction". */
	noun: string;
	heading: Heading;
	status?: string | Html;
	/** Buttons beside its status. */
	actions?: Html;
	facts: Fact[];
	/** Panels that stay up to date, as the facts do. */
	sections?: Html;
	/** Panels below: forms, and what never changes. */
	fixed?: Html;
}

/** Responds with the page of one thing, or with the part of it that stays up to date. */
export function showDetail(c: Context<ControlEnv>, detail: Detail) {
	const { noun, heading, status = '', actions, sections, fixed } = detail;
	const title = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
	const state = live(
		noun,
		c.req.path,
		html`${panel(
			'facts',
			html`${title} ${typeof status === 'string' && status !== '' ? badge(status) : status}`,
			facts(detail.facts),
			actions,
		)}
		${sections}`,
	);
	return isPartial(c) ? c.html(state) : page(c, heading, html`${state} ${fixed}`);
}

/** The requests to the public API that show an entity; `paths` are below `apiPath`, the prefix of §9. */
export const apiPanel = (
	c: Context,
	apiPath: string,
	paths: [label: string, path: string][],
	note = '',
): Html =>
	panel(
		'api',
		'API',
		html`${note === '' ? '' : muted(note)}
		${paths.map(([label, path], index) =>
			copyField(`curl-${index}`, label, curl({ url: new URL(apiPath + path, c.req.url).href })),
		)}`,
	);
