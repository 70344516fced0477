import type { Context } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';

import type { Account } from '../accounts/account.ts';
import type { Page } from '../database/paging.ts';
import type { ControlEnv } from '../http/guard.ts';
import { counted, plural } from './format.ts';
import { type Heading, type Html, isPartial, page } from './layout.ts';
import { accountChoices, choice, field, live, muted, options, panel, urlWith } from './parts.ts';

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

/** A filter of a list: one of some values, a search text, a day, or a hidden value that a link has set. */
export interface Filter {
	name: string;
	label?: string;
	choices?: [value: string, label: string][];
	type?: 'search' | 'date';
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
	/** Shows the rows in another way than as a table. */
	show?: (rows: T[]) => Html;
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
export function pageOf<T>(rows: T[], number: number, pageSize: number): Page<T> {
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
	const content = html`${filterForm(list)} ${region}`;
	return page(c, heading, html`${above} ${panel('list', list.title, content)}`);
}

/** A table, or what stands in its place without rows. */
export const table = <T>({ noun, id, columns, empty }: Table<T>, rows: T[]): Html =>
	rows.length === 0
		? muted(empty)
		: html`<div class="overflow-x-auto">
				<table class="table align-middle mb-0">
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
										({ title, cell, isNumber }) =>
											html`<td data-label="${title}" ${numeric(isNumber)}>${cell(row)}</td>`,
									)}
								</tr>`,
						)}
					</tbody>
				</table>
			</div>`;

const numeric = (isNumber = false) =>
	isNumber ? html`class="text-lg-end pe-lg-4 text-nowrap"` : '';

function listRegion<T>(list: List<T>, rows: Page<T>): Html {
	const chosen = Object.fromEntries(list.filters.map(({ name }) => [name, list.query[name]]));
	const url = (number: number) => urlWith(list.path, { ...chosen, page: number });
	const isFiltered = Object.values(chosen).some((value) => value !== undefined && value !== '');
	const empty = isFiltered ? `No matching ${plural(list.noun)}.` : list.empty;
	const { data } = rows;
	const shown = list.show && data.length > 0 ? list.show(data) : table({ ...list, empty }, data);
	return live(
		plural(list.noun),
		url(rows.page),
		html`${shown} ${pager(rows, list.noun, url)}`,
		list.seconds,
	);
}

/** Each change of a filter shows the list anew. */
const filterForm = <T>({ noun, path, filters, query }: List<T>): Html | string =>
	filters.length === 0
		? ''
		: html`<form
				class="fields"
				method="get"
				action="${path}"
				hx-get="${path}"
				hx-trigger="change, submit"
				hx-target="#${plural(noun)}"
				hx-push-url="true"
			>
				${filters.map((filter) => filterField(filter, String(query[filter.name] ?? '')))}
			</form>`;

function filterField({ name, label, choices, type = 'search', hint }: Filter, value: string): Html {
	if (label === undefined) return html`<input type="hidden" name="${name}" value="${value}" />`;
	if (!choices) {
		return field(
			label,
			html`type="${type}" name="${name}" value="${value}" placeholder="${hint ?? ''}"`,
		);
	}
	return choice(label, html`name="${name}"`, options([['', 'Any'], ...choices], value));
}

/** Links to the newer and older page of a list, newest first, with its total; none for one page. */
function pager(
	{ page: number, totalPages, totalItemCount, totalItemCountCapped, data, pageSize }: Page<unknown>,
	noun: string,
	url: (page: number) => string,
): Html {
	if (totalPages === 1 && number === 1) return html``;
	// Totals are lower bounds when counting stopped early (§2): a full page may have a next one.
	const isLast = totalItemCountCapped ? data.length < pageSize : number >= totalPages;
	const more = totalItemCountCapped ? 'more than ' : '';
	return html`<nav
		class="d-flex flex-wrap gap-2 align-items-center justify-content-between mt-3"
		aria-label="Pages"
	>
		${pageLink(number > 1 ? url(number - 1) : undefined, 'Newer')}
		<span class="text-body-secondary">
			Page ${number} of ${more}${totalPages} · ${more}${counted(totalItemCount, noun)}
		</span>
		${pageLink(isLast ? undefined : url(number + 1), 'Older')}
	</nav>`;
}

const pageLink = (url: string | undefined, label: string): Html =>
	url === undefined
		? html`<span></span>`
		: html`<a class="btn btn-sm btn-outline-secondary" href="${url}">${label}</a>`;
