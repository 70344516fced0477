import { readFileSync } from 'node:fs';

import { Hono } from 'hono';
import { parse } from 'yaml';
import { z } from 'zod';

import type { ControlEnv } from '../http/guard.ts';
import { ROOT } from '../root.ts';

const summariesSchema = z
	.object({ paths: z.record(z.record(z.object({ summary: z.string() }))) })
	.transform(({ paths }) =>
		Object.entries(paths).flatMap(([path, methods]) =>
			Object.entries(methods).map(([method, { summary }]): [string, string] => [
				`${method.toUpperCase()} ${path}`,
				summary,
			]),
		),
	);

let summaries: Record<string, string> | undefined;

/** What the control plane offers, by method and path, and what each does. */
export const controlSummaries = (): Record<string, string> =>
	(summaries ??= Object.fromEntries(summariesSchema.parse(read('control'))));

/** The descriptions of the API and of the control plane. */
export function docsRoutes(): Hono<ControlEnv> {
	const routes = new Hono<ControlEnv>();
	for (const name of ['openapi', 'control'] as const) {
		routes.get(`/${name}.json`, (c) =>
			c.body(JSON.stringify(read(name)), 200, { 'content-type': 'application/json' }),
		);
	}
	return routes;
}

const read = (name: 'openapi' | 'control'): unknown =>
	parse(readFileSync(new URL(`${name}.yaml`, ROOT), 'utf8'));
