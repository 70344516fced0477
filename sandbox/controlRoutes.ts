import { Hono } from 'hono';
import type { z } from 'zod/v4';

import { changeFeatures, featuresBody, listAccounts } from './accounts/account.ts';
import { changeClock, clockBody } from './clock/clock.ts';
import { countRows } from './database/schema.ts';
import { dialectBody } from './dialects/dialect.ts';
import { readApi } from './docs/api.ts';
import { describeControl } from './docs/control.ts';
import { faultsBody } from './faults/rules.ts';
import { ApiError, notFound } from './http/errors.ts';
import { type ControlEnv, localRequestsOnly } from './http/guard.ts';
import { bodyRoute, queryRoute, type Route, route, type Routes } from './http/route.ts';
import { createApiKey, keyBody, keySchema } from './keys/apiKey.ts';
import { dueBody, movePayment, paymentDetails } from './payments/payment.ts';
import { filterRequests, requestParameters } from './requests/requestLog.ts';
import { resetBody, resetSandbox } from './seed/seed.ts';
import type { Services } from './services.ts';
import { simulateRoutes } from './simulate/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** The published API version that the sandbox implements (§9). */
const API_VERSION = '1.0';

const overviewOf = ({ db, now }: Services, routes: Record<string, string>) => ({
	name: 'card-platform-sandbox',
	version: API_VERSION,
	now: now().toISOString(),
	accounts: listAccounts(db),
	counts: countRows(db),
	routes,
});

export type Overview = ReturnType<typeof overviewOf>;

function routesOf(services: Services): Record<string, Routes> {
	const { db, now, clock, dialects, faults, requestLog } = services;
	const time = () => ({
		now: now().toISOString(),
		adjusted: clock.adjusted(),
		frozen: clock.frozen(),
	});
	const dialect = () => ({ dialect: dialects.chosen() });
	const rules = () => ({ rules: faults.rules() });
	const tags: Record<string, Routes> = {
		Sandbox: {
			'GET /': route('Time, accounts, counts and routes', () => {
				const routes = Object.values(tags).flatMap(Object.entries<Routes[string]>);
				const summaries = routes.map(([name, { summary }]) => [name, summary] as const);
				return overviewOf(services, Object.fromEntries(summaries));
			}),
			'POST /reset': bodyRoute(
				'Go back to the state of the start, with its key and endpoints, or to other data',
				resetBody,
				({ seed }) => {
					resetSandbox(services, seed);
					return { accounts: listAccounts(db), counts: countRows(db) };
				},
			),
			'GET /requests': queryRoute(
				'List the last 200 requests to the API, the newest first, without keys',
				requestParameters,
				(filter) => ({ data: filterRequests(requestLog.list(), filter) }),
			),
			'GET /openapi.json': route('The description of the API', readApi),
			'GET /control.json': route('This description', () => describeControl(tags)),
		},
		Access: {
			'POST /keys': bodyRoute(
				'Create an API key, which replaces the one before',
				keyBody,
				({ apiKey: own, ...caller }): z.infer<typeof keySchema> => {
					const apiKey = createApiKey(db, caller, own);
					return { apiKey, accountId: null, ...caller };
				},
				{ response: keySchema, status: 201 },
			),
			'PUT /accounts/{id}/features': bodyRoute(
				'Switch features of an account on and off',
				featuresBody,
				(changes, id) => changeFeatures(db, Number(id), changes),
			),
		},
		Webhooks: webhookRoutes(services),
		Simulation: {
			...simulateRoutes(services),
			'POST /payments/{id}/due': bodyRoute(
				'Let a scheduled payment be due in some days, such as tomorrow',
				dueBody,
				(due, id) => paymentDetails(movePayment(services, id, due)),
			),
			'GET /clock': route('Read the clock', time),
			'PUT /clock': bodyRoute(
				'Set, advance, stop or start the clock; deliveries, limits, rotations and payments follow it',
				clockBody,
				(change) => {
					changeClock(clock, change);
					return time();
				},
			),
			'DELETE /clock': route('Set the clock back to how it was at the start', () => {
				clock.reset();
				return time();
			}),
			'GET /faults': route('List the active faults, and how often each was applied', rules),
			'PUT /faults': bodyRoute(
				'Replace the faults of the API and of deliveries',
				faultsBody,
				(next) => {
					faults.set(next.rules);
					return rules();
				},
			),
			'GET /dialect': route('Read the dialect of the API', dialect),
			'PUT /dialect': bodyRoute(
				'Let the API speak another dialect; a reset keeps it',
				dialectBody,
				(body) => {
					dialects.choose(body.dialect);
					return dialect();
				},
			),
		},
	};
	return tags;
}

/** The control plane: what dashboard, card network and test bench do to the service. */
export function controlRoutes(services: Services, boundHost: string): Hono<ControlEnv> {
	const app = new Hono<ControlEnv>();
	app.use(localRequestsOnly(boundHost));
	const methods = new Map<string, string[]>();
	for (const [name, { handle }] of Object.values(routesOf(services)).flatMap(
		Object.entries<Route>,
	)) {
		const [method = '', described = ''] = name.split(' ');
		const path = described.replace(/\{(\w+)\}/, ':$1');
		app.on(method, path, handle);
		methods.set(path, [...(methods.get(path) ?? []), method]);
	}
	for (const [path, allowed] of methods) {
		app.all(path, (c) => {
			c.header('allow', allowed.join(', ').replace('GET', 'GET, HEAD'));
			throw new ApiError(405, 'method-not-allowed', `${c.req.path} takes ${allowed.join(' and ')}`);
		});
	}
	app.all('*', () => {
		throw notFound('There is no such path: GET /sandbox lists all');
	});
	return app;
}
