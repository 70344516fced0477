import type { Context } from 'hono';
import type { z } from 'zod/v4';

import { badRequest, parseOrBadRequest } from './errors.ts';
import { noteUnknownFields } from './unknown.ts';

/**
 * Gives the JSON body as the schema parses it, an empty body as `{}`, whatever the Content-Type says
 * (assumption); throws a 400 (§7).
 */
export async function readBody<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
	const raw = await c.req.text();
	let body: unknown;
	try {
		body = JSON.parse(raw === '' ? '{}' : raw);
	} catch {
		throw badRequest('The request body is not JSON');
	}
	const read = parseOrBadRequest(schema, body);
	noteUnknownFields(c, body, read);
	return read;
}
