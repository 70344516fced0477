import type { Context } from 'hono';
import type { z } from 'zod';
import { badRequest, parseOrBadRequest } from './errors.ts';

/** Gives the JSON body as the schema parses it, an empty body as `{}`; throws a 400 (§7). */
export async function readBody<T>(
	c: Context,
	schema: z.ZodType<T, z.ZodTypeDef, unknown>,
): Promise<T> {
	const raw = await c.req.text();
	let body: unknown;
	try {
		body = JSON.parse(raw === '' ? '{}' : raw);
	} catch {
		throw badRequest('The request body is not JSON');
	}
	return parseOrBadRequest(schema, body);
}
