import type { Context } from 'hono';
import type { z } from 'zod';

import { badRequest, parseOrBadRequest } from './errors.ts';
import { noteUnknownFields } from './unknown.ts';

/** Half of a surrogate pair: JSON can escape it, but it is no character and UTF-8 cannot carry it. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Gives the JSON body as the schema parses it, an empty body as `{}`, whatever the Content-Type says
 * (assumption); throws a 400 (§7).
 */
export async function readBody<T>(
	c: Context,
	schema: z.ZodType<T, z.ZodTypeDef, unknown>,
): Promise<T> {
	const raw = await c.req.text();
	let body: unknown;
	let broken: string | undefined;
	try {
		body = JSON.parse(raw === '' ? '{}' : raw, (key, value: unknown) => {
			if (LONE_SURROGATE.test(key)) broken = 'a field';
			if (typeof value === 'string' && LONE_SURROGATE.test(value)) broken = key;
			return value;
		});
	} catch {
		throw badRequest('The request body is not JSON');
	}
	if (broken !== undefined) {
		throw badRequest(`${broken}: contains half of a surrogate pair, which is not a character`);
	}
	const read = parseOrBadRequest(schema, body);
	noteUnknownFields(c, body, read);
	return read;
}
