import { html } from 'hono/html';

import type { Account } from '../accounts/account.ts';
import { dateTime } from './format.ts';
import type { Html } from './layout.ts';

// Parts that several pages use. Each is one element or a few, without a state.

type Tone = 'good' | 'bad' | 'waiting' | 'calm';

const TONES: Record<string, Tone> = {
	active: 'good',
	approved: 'good',
	delivered: 'good',
	settled: 'good',
	valid: 'good',
	pending: 'waiting',
	frozen: 'waiting',
	declined: 'bad',
	failed: 'bad',
	failing: 'bad',
	invalid: 'bad',
};

/** The colour of a status. */
export const toneOf = (status: string): Tone => TONES[status] ?? 'calm';

/** A status; its words say as much as its colour. */
export const badge = (status: string, tone = toneOf(status)): Html =>
	html`<span class="badge ${tone}">${status}</span>`;

/** A time, in full for machines. */
export const time = (at: string, format: (at: string) => string = dateTime): Html =>
	html`<time datetime="${at}">${format(at)}</time>`;

/** What belongs together, with a heading; `aside` stands at the other end of the heading. */
export const panel = (
	id: string,
	title: string | Html,
	content: string | Html,
	aside: string | Html = '',
): Html =>
	html`<article aria-labelledby="${id}-heading">
		<header>
			<h2 id="${id}-heading">${title}</h2>
			${aside}
		</header>
		${content}
	</article>`;

/** A remark. */
export const muted = (content: string | Html): Html => html`<p class="muted">${content}</p>`;

/**
 * A region that shows the newest state: it requests itself from `url` every second, or every `seconds`,
 * and after each action (`done`), and changes only what differs, so that focus and opened details stay.
 * Its route responds with the same region.
 */
export const live = (id: string, url: string, content: Html, seconds = 1): Html =>
	html`<div
		id="${id}"
		hx-get="${url}"
		hx-trigger="every ${seconds}s, refresh from:document"
		hx-swap="outerMorph"
	>
		${content}
	</div>`;

/** Attributes of a form that posts to `path`; the response replaces the form. */
export const post = (path: string): Html => html`method="post" action="${path}" hx-post="${path}"`;

/** The place in a form where an error of its action is shown; see `respondToError`. */
export const formError = (): Html =>
	html`<p class="error" role="alert" hx-morph-skip-children></p>`;

/** A button in a small form that posts to `path`. `about` names for screen readers what it acts on. */
export const actionButton = (path: string, label: string, about: string, fields = html``): Html =>
	html`<form ${post(path)}>
		${fields}
		<button class="small secondary outline" aria-label="${label} ${about}">${label}</button>
		${formError()}
	</form>`;

/** A button that opens the dialog which a GET of `path` gives. */
export const dialogButton = (path: string, label: string, about: string): Html =>
	html`<button
		type="button"
		class="small secondary outline"
		aria-label="${label} ${about}"
		aria-haspopup="dialog"
		hx-get="${path}"
		hx-target="#dialog"
		hx-swap="innerHTML"
	>
		${label}
	</button>`;

/** Buttons side by side. */
export const actions = (...buttons: (Html | Html[])[]): Html =>
	html`<div class="actions">${buttons}</div>`;

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
			<h2 id="dialog-title">${title}</h2>
			<form ${post(path)}>
				<p>${consequence}</p>
				${fields} ${formError()}
				<footer>
					<button
						type="button"
						class="secondary outline"
						data-close
						${dangerous ? html`autofocus` : ''}
					>
						Cancel
					</button>
					<button class="${dangerous ? 'danger' : ''}">${action}</button>
				</footer>
			</form>
		</article>
	</dialog>`;

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
			<footer><button type="button" data-close>Done</button></footer>
		</article>
	</dialog>`;

/** A value that can be copied, with its label. */
export const copyField = (id: string, label: string, value: string, attributes = html``): Html =>
	html`<label for="${id}">${label}</label>
		<div class="copyable">
			<input id="${id}" readonly spellcheck="false" value="${value}" />
			<button type="button" class="secondary outline" data-copy="${value}" ${attributes}>
				Copy
			</button>
		</div>`;

/** A value in running text, such as an ID, with a small button that copies it. */
export const copyable = (value: string, what: string): Html =>
	html`<span
		><code>${value}</code>
		<button type="button" class="link" data-copy="${value}" aria-label="Copy ${what}">
			Copy
		</button></span
	>`;

/** A name and what it stands for. */
export type Fact = [name: string, value: string | Html | undefined];

/** Names and values, one below the other; those without a value are left out. */
export const facts = (entries: Fact[]): Html =>
	html`<dl>
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

/** Text as it was sent or received. */
export const preformatted = (label: string, text: string): Html =>
	html`<pre aria-label="${label}" tabindex="0">${text}</pre>`;

/** What is shown where there is nothing yet. */
export const empty = (content: string | Html): Html => html`<p class="empty">${content}</p>`;

/** Options of a select field; each has a value and a label. */
export const options = (
	values: readonly (readonly [value: string, label: string])[],
	chosen?: string,
): Html =>
	html`${values.map(
		([value, label]) =>
			html`<option value="${value}" ${value === chosen ? html`selected` : ''}>${label}</option>`,
	)}`;

/** The value and the label of each account, for a choice of one. */
export const accountChoices = (accounts: Account[]): [value: string, label: string][] =>
	accounts.map(({ id, name }) => [String(id), `${name} (${id})`]);

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
