import { readFileSync } from 'node:fs';

import { Hono } from 'hono';
import { parse } from 'yaml';

import type { ControlEnv } from '../http/guard.ts';

/** The description of the API, openapi.yaml, as it is and as JSON. */
export function docsRoutes(): Hono<ControlEnv> {
	const routes = new Hono<ControlEnv>();

	routes.get('/openapi.yaml', (c) =>
		c.body(readDescription(), 200, { 'content-type': 'application/yaml; charset=utf-8' }),
	);

	routes.get('/openapi.json', (c) => {
		const openapi: unknown = parse(readDescription());
		return c.body(JSON.stringify(openapi), 200, { 'content-type': 'application/json' });
	});

	return routes;
}

const readDescription = () => readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8');
