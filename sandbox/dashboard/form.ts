import type { Context } from 'hono';
import type { z } from 'zod/v4';

import { type ApiError, badRequest, notFound, parseOrBadRequest } from '../http/errors.ts';
import type { ControlEnv } from '../http/guard.ts';

/**
 * Gives the fields of a posted form as the schema parses them; a field left empty is absent. Throws a 400 that says
 * what to enter in each wrong field.
 */
export async function readForm<T>(c: Context<ControlEnv>, schema: z.ZodType<T>): Promise<T> {
	const body = await c.req.parseBody().catch(() => {
		throw badRequest('The form cannot be read');
	});
	return parseOrBadRequest(schema, nonEmpty(body));
}

/** Gives what was found, or throws a 404 that names it. */
export function found<T>(entity: T | undefined, name: string): T {
	if (entity === undefined) throw notFound(`The ${name} was not found`);
	return entity;
}

/** Words an error for the person at a form, in place of a program: "amount: enter an amount such as …". */
export const forPeople = ({ message }: ApiError): string =>
	message
		.replaceAll(/(?<=^|: |; )expected/g, 'enter')
		.replaceAll(/(?<=: )required/g, 'enter a value');

export const nonEmpty = <T>(fields: Record<string, T>): Record<string, T> =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
