import { Hono } from 'hono';

import type { ControlEnv } from '../http/guard.ts';
import { readApi } from './api.ts';
import { controlApi } from './control.ts';

/** The descriptions of the API and of the control plane. */
export const docsRoutes = () =>
	new Hono<ControlEnv>()
		.get('/openapi.json', (c) => c.json(readApi()))
		.get('/control.json', (c) => c.json(controlApi()));
