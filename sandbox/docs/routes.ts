import { readFileSync } from 'node:fs';

import { Hono } from 'hono';
import { parse } from 'yaml';

import type { ControlEnv } from '../http/guard.ts';
import { ROOT } from '../root.ts';
import { controlApi } from './control.ts';

/** The descriptions of the API and of the control plane. */
export const docsRoutes = (): Hono<ControlEnv> =>
	new Hono<ControlEnv>()
		.get('/openapi.json', (c) =>
			c.json(parse(readFileSync(new URL('openapi.yaml', ROOT), 'utf8')) as object),
		)
		.get('/control.json', (c) => c.json(controlApi()));
