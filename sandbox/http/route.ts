import type { Context } from 'hono';
import type { z } from 'zod/v4';

import { badRequest, quoted } from './errors.ts';
import type { ControlEnv } from './guard.ts';
import { readQuery } from './query.ts';
import { readBody } from './readBody.ts';

/** A route of the control plane: what it does, the schemas that describe it too, and its handler. */
export interface Route {
	summary: string;
	body?: z.ZodType;
	query?: z.ZodObject;
	/** Given where clients read the response. */
	response?: z.ZodType | undefined;
	handle: (c: Context<ControlEnv>) => Promise<Response>;
}

/** Routes by method and path, such as "POST /endpoints/{id}/rotate". */
export type Routes = Record<string, Route>;

interface Success {
	response?: z.ZodType;
	status?: 200 | 201 | 202;
}

/** Makes a route of what gives its response; nothing is a 204. */
const toRoute = (
	described: Pick<Route, 'summary' | 'body' | 'query'>,
	{ response, status = 200 }: Success,
	run: (c: Context<ControlEnv>) => unknown,
): Route => ({
	...described,
	response,
	async handle(c) {
		refuseUnknown(c, Object.keys(described.query?.shape ?? {}));
		const result = await run(c);
		return result === undefined ? c.body(null, 204) : c.json(result, status);
	},
});

/** An ignored parameter would make the response of another question. Throws a 400. */
function refuseUnknown(c: Context, known: string[]): void {
	const sent = Object.entries(c.req.queries());
	const unknown = sent.map(([name]) => name).filter((name) => !known.includes(name));
	if (unknown.length > 0) {
		const possible = known.length > 0 ? quoted(known) : 'none';
		throw badRequest(`unknown parameter ${quoted(unknown)}, expected ${possible}`);
	}
	const repeated = sent.find(([, values]) => values.length > 1);
	if (repeated) throw badRequest(`${repeated[0]}: expected one value`);
}

/** The part of the path that varies. */
const variable = (c: Context<ControlEnv>): string => Object.values(c.req.param()).join('');

/** A route without a body and parameters; `run` gets the part of the path that varies. */
export const route = (
	summary: string,
	run: (id: string) => unknown,
	success: Success = {},
): Route => toRoute({ summary }, success, (c) => run(variable(c)));

export const bodyRoute = <T>(
	summary: string,
	body: z.ZodType<T>,
	run: (body: T, id: string) => unknown,
	success: Success = {},
): Route =>
	toRoute({ summary, body }, success, async (c) => run(await readBody(c, body), variable(c)));

export const queryRoute = <T extends z.ZodRawShape>(
	summary: string,
	query: z.ZodObject<T>,
	run: (query: z.output<z.ZodObject<T>>) => unknown,
	success: Success = {},
): Route => toRoute({ summary, query }, success, (c) => run(readQuery(c, query)));
