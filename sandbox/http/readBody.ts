import type { Context } from 'hono';
import type { z } from 'zod/v4';

import { ApiError, badRequest, parseOrBadRequest } from './errors.ts';
import { note, unknownFields } from './unknown.ts';

/**
 * Gives the JSON body as the schema parses it, an empty body as `{}`, whatever the Content-Type says
 * (assumption); throws a 400 (§7).
 */
export async function readBody<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
	const raw = await c.req.text();
	let body: unknown;
	try {
		body = JSON.parse(raw === '' ? '{}' : raw, wellFormed);
	} catch (error) {
		throw error instanceof ApiError ? error : badRequest('The request body is not JSON');
	}
	const read = parseOrBadRequest(schema, body);
	note(c, 'unknownFields', unknownFields(body, read));
	return read;
}

/** Half of a pair of UTF-16 is no character: stored, it would become another one. */
function wellFormed(key: string, value: unknown): unknown {
	if (typeof value !== 'string' || !/\p{Surrogate}/u.test(value)) return value;
	throw badRequest(`${key}: a lone surrogate is not a character`);
}
