import type { Context } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod/v4';

import type { Page } from '../database/paging.ts';
import type { ControlEnv } from '../http/guard.ts';
import { readQuery } from '../http/query.ts';
import { type FormSchema, nonEmpty } from './form.ts';
import { type Html, intoMain, withQuery } from './layout.ts';
import { choice, field, muted, panel, valueOptions } from './parts.ts';

/** A column of a table. */
interface Column<T> {
	title: string | Html;
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

/** A list with filters, a page at a time. */
export interface List<T> extends Table<T> {
	title: string;
	/** Fields of the query. */
	filters: Html[];
}

/** Gives the query of a list as the schema parses it; a filter that is left empty is absent. */
export function readFilters<T extends object>(c: Context<ControlEnv>, schema: FormSchema<T>): T {
	const filters: FormSchema<T> = z.preprocess(
		(query: Record<string, unknown>) => nonEmpty(query),
		schema,
	);
	return readQuery(c, filters);
}

/** A filter of a list: a search field; `hint` says what is searched. */
export const searchFilter = (hint: string, value = ''): Html =>
	field('Search', html`type="search" name="search" value="${value}" placeholder="${hint}"`);

/** A filter of a list: one status, or any. */
export const statusFilter = (statuses: readonly string[], value?: string): Html =>
	choice('Status', html`name="status"`, [['', 'Any'], ...valueOptions(statuses)], [value]);

/** A page of a list. Each change of a filter shows it anew. */
export function listPanel<T>(c: Context<ControlEnv>, list: List<T>, rows: Page<T>): Html {
	const { path } = c.req;
	const query = c.req.query();
	const isFiltered = Object.entries(query).some(([name, value]) => name !== 'page' && value !== '');
	const empty = isFiltered ? 'Nothing matches.' : list.empty;
	return panel(
		'list',
		list.title,
		html`<form
				class="fields filters"
				hx-get="${path}"
				hx-trigger="change, submit"
				hx-push-url="true"
				${intoMain()}
			>
				${list.filters}
			</form>
			${table({ ...list, empty }, rows.data)}
			${pager(rows, (page) => withQuery(path, { ...query, page: String(page) }))}`,
	);
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
										({ cell, isNumber }) => html`<td ${numeric(isNumber)}>${cell(row)}</td>`,
									)}
								</tr>`,
						)}
					</tbody>
				</table>
			</div>`;

const numeric = (isNumber = false) => (isNumber ? html`class="number"` : '');

/** Links to the newer and older page of a list, newest first; none for one page. */
function pager(
	{ page: number, totalPages, totalItemCountCapped, data, pageSize }: Page<unknown>,
	url: (page: number) => string,
): Html {
	if (totalPages === 1 && number === 1) return html``;
	// Totals are lower bounds when counting stopped early (§2): a full page may have a next one.
	const isLast = totalItemCountCapped ? data.length < pageSize : number >= totalPages;
	return html`<nav
		class="d-flex flex-wrap gap-2 align-items-center justify-content-between mt-3"
		aria-label="Pages"
	>
		${pageLink(number > 1 ? url(number - 1) : undefined, 'Newer')}
		<span class="text-body-secondary">
			Page ${number} of ${totalItemCountCapped ? 'more than ' : ''}${totalPages}
		</span>
		${pageLink(isLast ? undefined : url(number + 1), 'Older')}
	</nav>`;
}

const pageLink = (url: string | undefined, label: string): Html =>
	url === undefined
		? html`<span></span>`
		: html`<a class="btn btn-sm btn-outline-secondary" href="${url}">${label}</a>`;
