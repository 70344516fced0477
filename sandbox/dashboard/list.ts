import type { Context } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';

import type { Account } from '../accounts/account.ts';
import type { Page } from '../database/paging.ts';
import type { ControlEnv } from '../http/guard.ts';
import { counted, plural } from './format.ts';
import { type Heading, type Html, isPartial, page } from './layout.ts';
import { accountChoices, empty, live, options, panel, urlWith } from './parts.ts';

/** A column of a table. */
export interface Column<T> {
	title: string;
	cell: (row: T) => string | Html | undefined;
	/** Figures stand below each other. */
	isNumber?: boolean;
}

/** What a table shows of its rows. */
export interface Table<T> {
	/** Begins the ID of each row. */
	noun: string;
	id: (row: T) => string | number;
	columns: Column<T>[];
	/** What is shown when there are no rows. */
	empty: string | Html;
}

/** A filter of a list: one of some values, a search text, or a hidden value that a link has set. */
export interface Filter {
	name: string;
	label?: string;
	choices?: [value: string, label: string][];
	hint?: string;
}

/** A list with filters, a page at a time, which stays up to date. */
export interface List<T> extends Table<T> {
	title: string | Html;
	/** Where the list is. */
	path: string;
	filters: Filter[];
	/** What the filters are set to, by their names. */
	query: Record<string, string | number | undefined>;
	/** Seconds after which it requests itself again. */
	seconds?: number;
	aside?: Html;
}

/** Seconds between two requests of a list with a search, which may have to read every row. */
export const SEARCHED_LIST_SECONDS = 5;

/** A filter of a list; left empty, it is absent. */
export const blank = <T>(schema: z.ZodType<T, z.ZodTypeDef, unknown>) =>
	z
		.literal('')
		.transform(() => undefined)
		.or(schema)
		.optional();

/** A search field; `hint` says what is searched. */
export const searchFilter = (hint: string): Filter => ({ name: 'search', label: 'Search', hint });

/** A choice of one status; the labels are the values. */
export const statusFilter = (statuses: readonly string[]): Filter => ({
	name: 'status',
	label: 'Status',
	choices: statuses.map((status) => [status, status]),
});

/** A choice of one account. */
export const accountFilter = (accounts: Account[]): Filter => ({
	name: 'accountId',
	label: 'Account',
	choices: accountChoices(accounts),
});

/** The accounts that a filter lets through: the chosen one, or all. */
export const accountIdsOf = (accounts: Account[], chosen: number | undefined): number[] =>
	accounts.map(({ id }) => id).filter((id) => chosen === undefined || id === chosen);

/** Gives one page of rows that are all at hand. */
export function pageOf<T>(rows: T[], number = 1, pageSize = 25): Page<T> {
	const start = (number - 1) * pageSize;
	return {
		data: rows.slice(start, start + pageSize),
		page: number,
		pageSize,
		totalItemCount: rows.length,
		totalPages: Math.max(1, Math.ceil(rows.length / pageSize)),
		totalItemCountCapped: false,
	};
}

/** Responds with the page of a list; `above` stands before it. */
export function showList<T>(
	c: Context<ControlEnv>,
	heading: Heading,
	list: List<T>,
	rows: Page<T>,
	above = html``,
) {
	const region = listRegion(list, rows);
	if (isPartial(c)) return c.html(region);
	const head = html`${list.aside} ${filterForm(list)}`;
	return page(c, heading, html`${above} ${panel('list', list.title, region, head)}`);
}

/** A table, or what stands in its place without rows. */
export const table = <T>({ noun, id, columns, empty: none }: Table<T>, rows: T[]): Html =>
	rows.length === 0
		? empty(none)
		: html`<div class="overflow-auto">
				<table>
					<thead>
						<tr>
							${columns.map(
								({ title, isNumber }) => html`<th scope="col" ${numeric(isNumber)}>${title}</th>`,
							)}
						</tr>
					</thead>
					<tbody>
						${rows.map(
							(row) =>
								html`<tr id="${noun}-${id(row)}">
									${columns.map(
										({ cell, isNumber }) => html`<td ${numeric(isNumber)}>${cell(row)}</td>`,
									)}
								</tr>`,
						)}
					</tbody>
				</table>
			</div>`;

const numeric = (isNumber = false) => (isNumber ? html`class="number"` : '');

function listRegion<T>(list: List<T>, rows: Page<T>): Html {
	const chosen = Object.fromEntries(list.filters.map(({ name }) => [name, list.query[name]]));
	const url = (number: number) => urlWith(list.path, { ...chosen, page: number });
	const isFiltered = Object.values(chosen).some((value) => value !== undefined && value !== '');
	const none = isFiltered ? `No matching ${plural(list.noun)}.` : list.empty;
	return live(
		plural(list.noun),
		url(rows.page),
		html`${table({ ...list, empty: none }, rows.data)} ${pager(rows, list.noun, url)}`,
		list.seconds,
	);
}

/** Each change of a filter shows the list anew. */
const filterForm = <T>({ noun, path, filters, query }: List<T>): Html | string =>
	filters.length === 0
		? ''
		: html`<form
				class="filters"
				method="get"
				action="${path}"
				hx-get="${path}"
				hx-trigger="change, submit"
				hx-target="#${plural(noun)}"
				hx-push-url="true"
			>
				${filters.map((filter) => filterField(filter, String(query[filter.name] ?? '')))}
			</form>`;

function filterField({ name, label, choices, hint }: Filter, value: string): Html {
	if (label === undefined) return html`<input type="hidden" name="${name}" value="${value}" />`;
	const field = choices
		? html`<select name="${name}">
				<option value="">Any</option>
				${options(choices, value)}
			</select>`
		: html`<input type="search" name="${name}" value="${value}" placeholder="${hint}" />`;
	return html`<label>${label} ${field}</label>`;
}

/** Links to the newer and older page of a list, newest first, with its total. */
function pager(
	{ page: number, totalPages, totalItemCount, totalItemCountCapped, data, pageSize }: Page<unknown>,
	noun: string,
	url: (page: number) => string,
): Html {
	// Totals are lower bounds when counting stopped early (§2): a full page may have a next one.
	const isLast = totalItemCountCapped ? data.length < pageSize : number >= totalPages;
	const more = totalItemCountCapped ? 'more than ' : '';
	return html`<nav class="pager" aria-label="Pages">
		${pageLink(number > 1 ? url(number - 1) : undefined, 'Newer')}
		<span class="muted">
			Page ${number} of ${more}${totalPages} · ${more}${counted(totalItemCount, noun)}
		</span>
		${pageLink(isLast ? undefined : url(number + 1), 'Older')}
	</nav>`;
}

const pageLink = (url: string | undefined, label: string): Html =>
	url === undefined
		? html`<button type="button" class="small secondary outline" disabled>${label}</button>`
		: html`<a role="button" class="small secondary outline" href="${url}">${label}</a>`;
