import type { Context } from 'hono';
import { z } from 'zod';
import { DEFAULT_SORT, QUERY_PARAMETER } from '../assumptions.ts';
import { parseOrBadRequest } from './errors.ts';

const positiveInteger = z
	.string()
	.regex(/^[1-9]\d{0,8}$/, 'expected a positive whole number')
	.transform(Number);

const dateTime = z
	.string()
	.datetime({ offset: true, message: 'expected a date-time such as 2026-01-31T12:00:00Z' })
	.transform((value) => new Date(value).toISOString());

/** The parameters of a paginated list (§4.3; §8: page size at most 100, page 1 and size 100 by default). */
export const pageParameters = z.object({
	sort: z.enum(['asc', 'desc']).default(DEFAULT_SORT),
	page: positiveInteger.default('1'),
	pageSize: positiveInteger.refine((size) => size <= 100, 'expected at most 100').default('100'),
	createdAfter: dateTime.optional(),
	createdBefore: dateTime.optional(),
});

/** Gives the query as the schema parses it, by the sandbox's own names; throws a 400 (§7). */
export function readQuery<T>(c: Context, schema: z.ZodType<T, z.ZodTypeDef, unknown>): T {
	const sent = c.req.query();
	const named = Object.entries(QUERY_PARAMETER).map(([field, parameter]) => [
		field,
		sent[parameter],
	]);
	return parseOrBadRequest(schema, { ...sent, ...Object.fromEntries(named) });
}
