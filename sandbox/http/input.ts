import type { MiddlewareHandler } from 'hono';
import type { z } from 'zod';

import { notFound } from './errors.ts';
import type { ControlEnv } from './guard.ts';
import { readQuery } from './query.ts';
import { readBody } from './readBody.ts';

// Middleware that checks a part of a request, whose type the client then has. Hono's own validators
// refuse a malformed body in another format than §7.

/** The JSON body as the schema parses it; throws a 400 (§7). */
export function jsonBody<In extends object, Out extends object>(
	schema: z.ZodType<Out, z.ZodTypeDef, In>,
): MiddlewareHandler<ControlEnv, string, { in: { json: In }; out: { json: Out } }> {
	return async (c, next) => {
		c.req.addValidatedData('json', await readBody(c, schema));
		await next();
	};
}

/** The query as the schema parses it; throws a 400 (§7). */
export function query<In extends object, Out extends object>(
	schema: z.ZodType<Out, z.ZodTypeDef, In>,
): MiddlewareHandler<ControlEnv, string, { in: { query: In }; out: { query: Out } }> {
	return async (c, next) => {
		c.req.addValidatedData('query', readQuery(c, schema));
		await next();
	};
}

/** The parameters of the path as the schema parses them; throws a 404 (§7) where they name nothing. */
export function pathParameters<In extends object, Out extends object>(
	schema: z.ZodType<Out, z.ZodTypeDef, In>,
): MiddlewareHandler<ControlEnv, string, { in: { param: In }; out: { param: Out } }> {
	return async (c, next) => {
		const parameters = schema.safeParse(c.req.param());
		if (!parameters.success) throw notFound();
		c.req.addValidatedData('param', parameters.data);
		await next();
	};
}
