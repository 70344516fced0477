import type { Context } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod/v4';

import type { Page } from '../database/paging.ts';
import type { ControlEnv } from '../http/guard.ts';
import { readQuery } from '../http/query.ts';
import { nonEmpty } from './form.ts';
import { counted } from './format.ts';
import { type Html, intoMain, withQuery } from './layout.ts';
import { choice, field, linkButton, muted, panel, valueOptions } from './parts.ts';

/** A column of a table; one without a title has buttons. */
export interface Column<T> {
	title?: string;
	cell: (row: T) => string | Html | undefined;
	/** Figures stand below each other. */
	isNumber?: boolean;
}

/** What a table shows of its rows. */
export interface Table<T> {
	/** What a row is called; the ID of each row begins with it. */
	noun: string;
	id: (row: T, index: number) => string | number;
	columns: Column<T>[];
	empty: string | Html;
}

/** Gives the query of a list as the schema parses it; a filter that is left empty is absent. */
export function readFilters<T extends object>(c: Context<ControlEnv>, schema: z.ZodType<T>): T {
	const filters: z.ZodType<T> = z.preprocess(
		(query: Record<string, unknown>) => nonEmpty(query),
		schema,
	);
	return readQuery(c, filters);
}

/** A filter of a list: a search field; `hint` says what is searched. */
export const searchFilter = (hint: string, value = ''): Html =>
	field('Search', html`type="search" name="search" value="${value}" placeholder="${hint}"`);

/** A filter of a list: one value, or any. */
export const anyFilter = (
	label: string,
	name: string,
	values: readonly string[],
	chosen?: string,
): Html => choice(label, html`name="${name}"`, [['', 'Any'], ...valueOptions(values)], chosen);

/** Each change of a filter reloads the list. A phone folds all filters but the first. */
export const filterForm = (c: Context<ControlEnv>, [first, ...others]: Html[]): Html =>
	html`<form
		class="fields filters"
		hx-get="${c.req.path}"
		hx-trigger="input delay:200ms, submit"
		hx-push-url="true"
		${intoMain()}
	>
		${first}
		${
			others.length > 0 &&
			html`<details id="filters" class="mb-2 d-lg-none"><summary>More filters</summary></details>`
		}
		${others}
	</form>`;

/** What stands in place of a list without rows: `empty`, unless a filter is the reason. */
export const noRows = (c: Context<ControlEnv>, empty: string | Html): string | Html =>
	Object.entries(c.req.query()).some(([name, value]) => name !== 'page' && value !== '')
		? html`Nothing matches. <a href="${c.req.path}">Show all</a>.`
		: empty;

export function listPanel<T>(
	c: Context<ControlEnv>,
	list: Table<T>,
	filters: Html[],
	rows: Page<T>,
): Html {
	const { path } = c.req;
	const query = c.req.query();
	const total = counted(rows.totalItemCount, list.noun);
	return panel(
		'list',
		rows.totalItemCountCapped ? `More than ${total}` : total,
		html`${filterForm(c, filters)} ${table({ ...list, empty: noRows(c, list.empty) }, rows.data)}
		${pager(rows, (page) => withQuery(path, { ...query, page: String(page) }))}`,
	);
}

export const table = <T>({ noun, id, columns, empty }: Table<T>, rows: T[]): Html =>
	rows.length === 0
		? muted(empty)
		: html`<div class="overflow-x-auto">
				<table class="table align-middle mb-0">
					<thead>
						<tr>
							${columns.map(
								({ title, isNumber }) =>
									html`<th scope="col" class="text-nowrap ${numeric(isNumber)}">
										${title ?? html`<span class="visually-hidden">Actions</span>`}
									</th>`,
							)}
						</tr>
					</thead>
					<tbody>
						${rows.map(
							(row, index) =>
								html`<tr id="${noun}-${id(row, index)}">
									${columns.map(
										({ cell, isNumber }) =>
											html`<td class="${numeric(isNumber)}">${cell(row)}</td>`,
									)}
								</tr>`,
						)}
					</tbody>
				</table>
			</div>`;

const numeric = (isNumber = false) => (isNumber ? 'text-end text-nowrap' : '');

/** Links to the newer and older page of a list, newest first; none for one page. */
function pager(
	{ page: number, totalPages, totalItemCountCapped, data, pageSize }: Page<unknown>,
	url: (page: number) => string,
): Html {
	if (totalPages === 1 && number === 1) return html``;
	// Totals are lower bounds when counting stopped early (§2): a full page may have a next one.
	const isLast = totalItemCountCapped ? data.length < pageSize : number >= totalPages;
	return html`<nav class="d-flex align-items-center gap-3 mt-3" aria-label="Pages">
		${number > 1 && linkButton(url(number - 1), 'Newer')}
		<span class="text-body-secondary">
			Page ${number} of ${totalItemCountCapped ? 'more than ' : ''}${totalPages}
		</span>
		${!isLast && linkButton(url(number + 1), 'Older')}
	</nav>`;
}
