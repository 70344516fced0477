import { html } from 'hono/html';
import { z } from 'zod';

import type { Account } from '../accounts/account.ts';
import type { Html } from './layout.ts';
import { accountOptions, selected } from './parts.ts';

// Filters that several lists have.

/** A filter of a list; left empty, it is absent. */
export const blank = <T>(schema: z.ZodType<T, z.ZodTypeDef, unknown>) =>
	z
		.literal('')
		.transform(() => undefined)
		.or(schema)
		.optional();

/** The accounts that a filter lets through: the chosen one, or all. */
export const accountIdsOf = (accounts: Account[], chosen: number | undefined): number[] =>
	accounts.map(({ id }) => id).filter((id) => chosen === undefined || id === chosen);

/** A search field; `hint` says what is searched. */
export const searchField = (value: string | undefined, hint: string): Html =>
	html`<label>
		Search
		<input type="search" name="search" value="${value}" placeholder="${hint}" />
	</label>`;

/** A choice of one option, or any; each has a value and a label. */
export const selectFilter = (
	name: string,
	label: string,
	chosen: string | undefined,
	options: [value: string, label: string][],
): Html =>
	html`<label>
		${label}
		<select name="${name}">
			<option value="">Any</option>
			${options.map(
				([value, text]) =>
					html`<option value="${value}" ${selected(value === chosen)}>${text}</option>`,
			)}
		</select>
	</label>`;

/** Options whose labels are their values. */
export const sameLabels = (values: readonly string[]): [value: string, label: string][] =>
	values.map((value) => [value, value]);

/** A choice of one status, or any. */
export const statusFilter = (statuses: readonly string[], chosen: string | undefined): Html =>
	selectFilter('status', 'Status', chosen, sameLabels(statuses));

/** A choice of one account, or all. */
export const accountFilter = (accounts: Account[], chosen: number | undefined): Html =>
	html`<label>
		Account
		<select name="accountId">
			<option value="">All</option>
			${accountOptions(accounts, chosen)}
		</select>
	</label>`;
