import { readFileSync } from 'node:fs';

import { Hono } from 'hono';
import { parse } from 'yaml';
import { z } from 'zod';

import type { ControlEnv } from '../http/guard.ts';

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
	(summaries ??= Object.fromEntries(summariesSchema.parse(parse(read('control')))));

/** The descriptions of the API and of the control plane, as they are and as JSON. */
export function docsRoutes(): Hono<ControlEnv> {
	const routes = new Hono<ControlEnv>();
	for (const name of ['openapi', 'control'] as const) {
		routes.get(`/${name}.yaml`, (c) =>
			c.body(read(name), 200, { 'content-type': 'application/yaml; charset=utf-8' }),
		);
		routes.get(`/${name}.json`, (c) => {
			const description: unknown = parse(read(name));
			return c.body(JSON.stringify(description), 200, { 'content-type': 'application/json' });
		});
	}
	return routes;
}

const read = (name: 'openapi' | 'control'): string =>
	readFileSync(new URL(`../${name}.yaml`, import.meta.url), 'utf8');
