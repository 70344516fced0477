import { html } from 'hono/html';

import type { Account } from '../accounts/account.ts';
import type { Page } from '../database/list.ts';
import { counted, dateTime } from './format.ts';
import type { Html } from './layout.ts';

// Parts that several pages use. Each is one element or a few, without a state.

const TONES: Record<string, 'good' | 'bad' | 'waiting'> = {
	active: 'good',
	approved: 'good',
	delivered: 'good',
	settled: 'good',
	valid: 'good',
	pending: 'waiting',
	declined: 'bad',
	failed: 'bad',
	failing: 'bad',
	invalid: 'bad',
};

/** A status; its words say as much as its colour. */
export const badge = (status: string): Html =>
	html`<span class="badge ${TONES[status] ?? 'calm'}">${status}</span>`;

/** A time, in full for machines. */
export const time = (at: string, format: (at: string) => string = dateTime): Html =>
	html`<time datetime="${at}">${format(at)}</time>`;

/**
 * A region that shows the newest state: it requests itself from `url` every second, or every `seconds`,
 * and after each action (`done`), and changes only what differs, so that focus and opened details stay.
 * Its route responds with the same region.
 */
export const live = (id: string, url: string, content: Html, seconds = 1): Html =>
	html`<div
		id="${id}"
		class="live"
		hx-get="${url}"
		hx-trigger="every ${seconds}s, refresh from:document"
		hx-swap="outerMorph"
	>
		${content}
	</div>`;

/** Seconds between two requests of a list with a search, which may have to read every row. */
export const SEARCHED_LIST_SECONDS = 5;

/** Attributes of a form that posts to `path`; the response replaces the form. */
export const post = (path: string): Html => html`method="post" action="${path}" hx-post="${path}"`;

/** The place in a form where an error of its action is shown; see `respondToError`. */
export const formError = (): Html =>
	html`<p class="error" role="alert" hx-morph-skip-children></p>`;

/** A button in a small form that posts to `path`. `about` names for screen readers what it acts on. */
export const actionButton = (path: string, label: string, about: string, style = ''): Html =>
	html`<form class="action" ${post(path)}>
		<button class="small secondary ${style}" aria-label="${label} ${about}">${label}</button>
		${formError()}
	</form>`;

/** A button that opens the dialog which a GET of `path` gives. */
export const dialogButton = (path: string, label: string, about: string, style = ''): Html =>
	html`<button
		type="button"
		class="small secondary ${style}"
		aria-label="${label} ${about}"
		aria-haspopup="dialog"
		hx-get="${path}"
		hx-target="#dialog"
		hx-swap="innerHTML"
	>
		${label}
	</button>`;

/** Content for an element elsewhere in the page, beside a fragment. */
export const elsewhere = (selector: string, content: Html | string): Html =>
	html`<hx-partial hx-target="${selector}" hx-swap="innerHTML">${content}</hx-partial>`;

/** Opens a dialog from a response that also holds other fragments. */
export const openDialog = (dialog: Html): Html => elsewhere('#dialog', dialog);

/** Confirms that an action was taken, and closes its dialog; send it as `changed`. */
export const done = (message: string): Html =>
	html`${elsewhere('#dialog', '')}${elsewhere('#notice', message)}`;

/**
 * A dialog that asks before `path` is posted to. `consequence` says what happens then; `fields` is
 * what the user enters, or hidden fields.
 */
export const confirmDialog = ({
	title,
	consequence,
	action,
	path,
	fields = html``,
	dangerous = false,
}: {
	title: string;
	consequence: string | Html;
	action: string;
	path: string;
	fields?: Html;
	dangerous?: boolean;
}): Html =>
	html`<dialog aria-labelledby="dialog-title">
		<article>
			<form ${post(path)}>
				<h2 id="dialog-title">${title}</h2>
				<p>${consequence}</p>
				${fields} ${formError()}
				<div class="buttons">
					<button type="button" class="secondary" data-close ${autofocus(dangerous)}>Cancel</button>
					<button class="${dangerous ? 'danger' : ''}">${action}</button>
				</div>
			</form>
		</article>
	</dialog>`;

const autofocus = (on: boolean): Html => (on ? html`autofocus` : html``);

/**
 * A dialog that shows a secret, this once. It has the focus on Copy, and Escape closes it only
 * after the secret was copied.
 */
export const secretDialog = (title: string, label: string, secret: string, advice: string): Html =>
	html`<dialog aria-labelledby="dialog-title" closedby="none" data-secret>
		<article>
			<h2 id="dialog-title">${title}</h2>
			<p class="warning">${advice}</p>
			${copyField('secret', label, secret, html`autofocus`)}
			<p class="muted" role="status" data-hint></p>
			<div class="buttons"><button type="button" data-close>Done</button></div>
		</article>
	</dialog>`;

/** A value that can be copied, with its label. */
export const copyField = (id: string, label: string, value: string, attributes = html``): Html =>
	html`<div class="field">
		<label for="${id}">${label}</label>
		<div class="copyable">
			<input id="${id}" readonly spellcheck="false" value="${value}" />
			<button type="button" class="secondary" data-copy="${value}" ${attributes}>Copy</button>
		</div>
	</div>`;

/** A value in running text, such as an ID, with a small button that copies it. */
export const copyable = (value: string, what: string): Html =>
	html`<span class="copyable-value"
		><code>${value}</code
		><button type="button" class="link" data-copy="${value}" aria-label="Copy ${what}">
			Copy
		</button></span
	>`;

/** Names and values, one below the other; those without a value are left out. */
export const facts = (entries: [name: string, value: string | Html | undefined][]): Html =>
	html`<dl class="facts">
		${entries
			.filter(([, value]) => value !== undefined && value !== '')
			.map(
				([name, value]) =>
					html`<div>
						<dt>${name}</dt>
						<dd>${value}</dd>
					</div>`,
			)}
	</dl>`;

/** What a list shows while it has no rows. */
export const empty = (content: string | Html): Html => html`<p class="empty">${content}</p>`;

/** The accounts to choose from. */
export const accountOptions = (accounts: Account[], chosen?: number): Html =>
	html`${accounts.map(
		({ id, name }) =>
			html`<option value="${id}" ${selected(id === chosen)}>${name} (${id})</option>`,
	)}`;

/** The attribute of a radio button or checkbox that is chosen. */
export const checked = (chosen: boolean): Html => (chosen ? html`checked` : html``);

/** The attribute of an option that is chosen. */
export const selected = (chosen: boolean): Html => (chosen ? html`selected` : html``);

/** Gives a URL with a query; a parameter without a value is left out. */
export function urlWith(
	path: string,
	parameters: Record<string, string | number | undefined>,
): string {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) {
		if (value !== undefined && value !== '') query.set(name, String(value));
	}
	return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/** A form of filters; each change shows the list `id` anew, whose route is `path`. */
export const filterForm = (path: string, id: string, fields: Html): Html =>
	html`<form
		class="filters"
		method="get"
		action="${path}"
		hx-get="${path}"
		hx-trigger="change, submit"
		hx-target="#${id}"
		hx-push-url="true"
	>
		${fields}
	</form>`;

/** Links to the newer and older page of a list, newest first, with its total. */
export function pager(
	{ page, totalPages, totalItemCount, totalItemCountCapped, data, pageSize }: Page<unknown>,
	noun: string,
	url: (page: number) => string,
): Html {
	// Totals are lower bounds when counting stopped early (§2): a full page may have a next one.
	const isLast = totalItemCountCapped ? data.length < pageSize : page >= totalPages;
	const more = totalItemCountCapped ? 'more than ' : '';
	return html`<nav class="pager" aria-label="Pages">
		${pageLink(page > 1 ? url(page - 1) : undefined, 'Newer')}
		<p class="muted">
			Page ${page} of ${more}${totalPages} · ${more}${counted(totalItemCount, noun)}
		</p>
		${pageLink(isLast ? undefined : url(page + 1), 'Older')}
	</nav>`;
}

const pageLink = (url: string | undefined, label: string): Html =>
	url === undefined
		? html`<a role="button" class="small secondary" aria-disabled="true">${label}</a>`
		: html`<a role="button" class="small secondary" href="${url}">${label}</a>`;
