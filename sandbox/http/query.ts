import type { Context } from 'hono';
import { z } from 'zod/v4';

import { DEFAULT_SORT, QUERY_PARAMETER } from '../assumptions.ts';
import { parseOrBadRequest } from './errors.ts';
import { note } from './unknown.ts';

const positiveInteger = z
	.string()
	.regex(/^[1-9]\d{0,8}$/, 'expected a positive whole number')
	.transform(Number);

/** Times are compared as strings, which sort only for years of four digits: an offset can carry a time beyond them. */
const dateTime = z.iso
	.datetime({
		offset: true,
		abort: true,
		error:
			'expected a date-time such as 2026-01-31T12:00:00Z; in a URL, the + of an offset is written %2B',
	})
	.refine((text) => new Date(text).getUTCFullYear() <= 9999, {
		error: 'expected a time that is in UTC before the year 10000',
		abort: true,
	})
	.transform((text) => new Date(text).toISOString());

/** The parameters of a paginated list (§4.3; §8: page size at most 100, page 1 and size 100 by default). */
export const pageParameters = z.object({
	sort: z.enum(['asc', 'desc']).default(DEFAULT_SORT),
	page: positiveInteger.prefault('1'),
	pageSize: positiveInteger.refine((size) => size <= 100, 'expected at most 100').prefault('100'),
	createdAfter: dateTime.optional(),
	createdBefore: dateTime.optional(),
});

/** The parameters of a list whose pages have `size` items where the query does not say. */
export const pageParametersOf = (size: number) =>
	pageParameters.extend({
		pageSize: pageParameters.shape.pageSize.unwrap().prefault(String(size)),
	});

/** Gives the query as the schema parses it, by the sandbox's own names; throws a 400 (§7). */
export function readQuery<T extends object>(c: Context, schema: z.ZodType<T>): T {
	const sent = c.req.query();
	const names = new Map(Object.entries(QUERY_PARAMETER));
	const named = [...names].map(([field, parameter]) => [field, sent[parameter]]);
	const query = parseOrBadRequest(schema, { ...sent, ...Object.fromEntries(named) });
	const read = Object.keys(query).map((field) => names.get(field) ?? field);
	note(c, 'known', read);
	return query;
}
