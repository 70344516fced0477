import type { Context } from 'hono';
import { z } from 'zod/v4';

import { DEFAULT_SORT, QUERY_PARAMETER } from '../assumptions.ts';
import { parseOrBadRequest } from './errors.ts';
import { noteKnown } from './unknown.ts';

const positiveInteger = z
	.string()
	.regex(/^[1-9]\d{0,8}$/, 'expected a positive whole number')
	.transform(Number);

const EXPECTED_DATE_TIME = 'expected a date-time such as 2026-01-31T12:00:00Z';

/** Times are compared as strings, which sort only for years of four digits. An offset can carry a time beyond them. */
const LAST_TIME = '9999-12-31T23:59:59.999Z';

/** An offset such as +25:00 has the right format, but there is no such offset. */
const dateTime = z.string().transform((value, context) => {
	const time = new Date(value);
	const { success } = z.iso.datetime({ offset: true }).safeParse(value);
	if (success && !Number.isNaN(time.getTime())) {
		return time.getUTCFullYear() > 9999 ? LAST_TIME : time.toISOString();
	}
	const isPlusLost = /\d \d\d:\d\d$/.test(value);
	const hint = isPlusLost ? '; in a URL, the + of an offset is written %2B' : '';
	context.addIssue({ code: 'custom', message: EXPECTED_DATE_TIME + hint });
	return z.NEVER;
});

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
	noteKnown(
		c,
		Object.keys(query).map((field) => names.get(field) ?? field),
	);
	return query;
}
