import { html } from 'hono/html';

import type { Account } from '../accounts/account.ts';
import { icon } from './assets.ts';
import { ago, capitalized, dateTime, money } from './format.ts';
import type { Html } from './layout.ts';

// Parts that several pages use. Each is one element or a few, without a state.

type Tone = 'success' | 'danger' | 'warning' | 'secondary';

const TONES: Record<string, Tone> = {
	active: 'success',
	approved: 'success',
	delivered: 'success',
	paid: 'success',
	settled: 'success',
	valid: 'success',
	pending: 'warning',
	frozen: 'warning',
	declined: 'danger',
	failed: 'danger',
	invalid: 'danger',
};

const toneOf = (status: string): Tone => TONES[status] ?? 'secondary';

/** A status; its words say as much as its colour. */
export const badge = (status: string, tone = toneOf(status)): Html =>
	html`<span class="badge rounded-pill fw-medium bg-${tone}-subtle text-${tone}-emphasis"
		>${status}</span
	>`;

/** A time, in full for machines. */
export const time = (at: string): Html => html`<time datetime="${at}">${dateTime(at)}</time>`;

/** How long ago a time was; the exact one shows on hover. */
export const timeAgo = (at: string, now: Date): Html =>
	html`<time class="text-nowrap" datetime="${at}" title="${dateTime(at)}">${ago(at, now)}</time>`;

/** A panel with a heading; `aside` stands at the other end of the heading. */
export const panel = (
	id: string,
	title: string | Html,
	content: string | Html,
	aside: string | Html = '',
): Html =>
	html`<section class="card mb-3" aria-labelledby="${id}-heading">
		<div
			class="card-header border-0 px-3 px-lg-4 pt-3 pb-0 d-flex flex-wrap gap-2 align-items-center justify-content-between"
		>
			<h2 id="${id}-heading" class="m-0 h6 fw-semibold">${title}</h2>
			${aside}
		</div>
		<div class="card-body px-3 px-lg-4">${content}</div>
	</section>`;

export const muted = (content: string | Html): Html =>
	html`<p class="text-body-secondary mb-2">${content}</p>`;

/** What a person should know before anything else. */
export const alert = (content: string | Html, tone: Tone = 'warning'): Html =>
	html`<p class="alert alert-${tone} p-2 my-2">${content}</p>`;

/** A link that stands alone; a phone gives it the height of a finger. */
export const link = (href: string, label: string): Html =>
	html`<a class="tap d-inline-block" href="${href}">${label}</a>`;

export const linkButton = (href: string, label: string, style = 'btn-sm') =>
	html`<a class="btn ${style}" href="${href}">${label}</a>`;

/** Attributes of a form that posts to `path`. It is emptied after success, unless the response goes somewhere. */
export const post = (path: string, into = html`hx-swap="none"`): Html =>
	html`method="post" action="${path}" hx-post="${path}" ${into}`;

/** The place in a form where an error of its action is shown. */
export const formError = (style = 'alert alert-danger p-2 my-2'): Html =>
	html`<p class="${style}" role="alert" hx-morph-skip-children></p>`;

const fieldError = (): Html => formError('mb-2 small text-danger-emphasis');

/** The end of a form: its error, and its button. */
export const submit = (label: string): Html =>
	html`${formError()} <button class="btn btn-primary">${label}</button>`;

/** A labelled field; `attributes` are those of the input. */
export const field = (label: string | Html, attributes: Html): Html =>
	html`<div>
		<label class="form-label w-100">
			${label} <input class="form-control" autocomplete="off" spellcheck="false" ${attributes} />
		</label>
		${fieldError()}
	</div>`;

export type Option = readonly [value: string, label: string];

/** A labelled choice; `attributes` are those of the select element. */
export const choice = (
	label: string,
	attributes: Html,
	options: readonly Option[],
	chosen?: string,
): Html =>
	html`<div>
		<label class="form-label w-100">
			${label}
			<select class="form-select" ${attributes}>
				${options.map(
					([value, text]) =>
						html`<option value="${value}" ${value === chosen ? html`selected` : ''}>
							${text}
						</option>`,
				)}
			</select>
		</label>
		${fieldError()}
	</div>`;

export const valueOptions = (values: readonly string[]): Option[] =>
	values.map((value) => [value, capitalized(value)]);

export const accountOptions = (accounts: Account[]): Option[] =>
	accounts.map(({ id, name }) => [String(id), `${name} (${id})`]);

/**
 * A button in a small form that posts to `path`. `about` names for screen readers what it acts on; `question` is
 * asked before.
 */
export const actionButton = (
	path: string,
	label: string,
	about: string,
	{ fields = html``, question = '' } = {},
): Html =>
	html`<form ${post(path)} ${question && html`hx-confirm="${question}"`}>
		${fields}
		<button class="btn btn-sm" aria-label="${label} ${about}">${label}</button>
		${formError()}
	</form>`;

export const actions = (...buttons: (string | Html | Html[])[]): Html =>
	html`<div class="d-flex flex-wrap gap-2 align-items-center">${buttons}</div>`;

/** Opens a dialog that shows a secret, this once: only Done closes it. It has the focus on Copy. */
export const secretDialog = (label: string, secret: string, advice: string): Html =>
	html`<hx-partial hx-target="#dialog" hx-swap="innerHTML">
		<dialog class="p-4 border rounded-4 shadow-lg" aria-labelledby="dialog-title" closedby="none">
			<h2 id="dialog-title" class="mb-3 h6 fw-semibold">${label}</h2>
			${alert(advice)}
			<textarea class="form-control font-monospace mb-3" rows="2" readonly aria-label="${label}">
${secret}</textarea>
			<div class="d-flex gap-2 justify-content-end">
				<button type="button" class="btn btn-primary" data-copy="${secret}" autofocus>Copy</button>
				<form method="dialog"><button class="btn">Done</button></form>
			</div>
		</dialog>
	</hx-partial>`;

/** A small button that copies a value, such as an ID, which shows on hover. */
export const copyButton = (value: string, what: string): Html =>
	html`<button
		type="button"
		class="btn icon-button border-0 px-1 text-body-secondary"
		data-copy="${value}"
		aria-label="Copy ${what}"
		title="Copy ${value}"
	>
		${icon('copy')}
	</button>`;

/** A value, such as an ID, with a small button that copies it. */
export const copyable = (value: string, what: string): Html =>
	html`<span class="d-inline-flex align-items-center">
		<code>${breakable(value)}</code> ${copyButton(value, what)}
	</span>`;

/** A value that breaks after a slash, such as a URL. */
export const breakable = (value: string): Html =>
	html`${value.split(/(?<=\/)/).map((part) => html`${part}<wbr />`)}`;

export type Fact = [name: string, value: string | Html | undefined | false];

/** Names and values, one below the other; those without a value are left out. */
export const facts = (entries: Fact[]): Html =>
	html`<dl class="facts m-0">
		${entries
			.filter(([, value]) => Boolean(value))
			.map(
				([name, value]) =>
					html`<dt>${name}</dt>
						<dd class="m-0">${value}</dd>`,
			)}
	</dl>`;

/** How much of a limit is used (minor units), in words and as a bar, which is amber from 80 %; `type` is the limit's. */
export const used = (amount: number, limit: number, about: string, type = ''): Html =>
	html`<span class="usage">
			${money(amount)} used
			<span class="text-body-secondary">of ${money(limit)}${type && `, ${type}`}</span>
		</span>
		<meter
			class="d-block w-100 mt-1 rounded-pill overflow-hidden"
			max="${Math.max(1, limit)}"
			high="${limit * 0.8}"
			optimum="0"
			value="${amount}"
			aria-label="Used of the limit of ${about}"
		></meter>`;

/** Text as it was sent or received, below its label. */
export const preformatted = (label: string, text: string): Html =>
	html`<h3 class="mt-2 mb-1 small">${label}</h3>
		${text === '' ? muted('Empty.') : html`<pre class="p-2 rounded" aria-label="${label}" tabindex="0">${text}</pre>`}`;

export const headerLines = (headers: [name: string, value: string][]): Html =>
	preformatted('Request headers', headers.map(([name, value]) => `${name}: ${value}`).join('\n'));
