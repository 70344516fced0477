import { z } from 'zod/v4';

import { featuresBody } from '../accounts/account.ts';
import { clockBody } from '../clock/clock.ts';
import { dialectBody } from '../dialects/dialect.ts';
import { faultsBody } from '../faults/rules.ts';
import { keyBody } from '../keys/apiKey.ts';
import { resetBody } from '../seed/seed.ts';
import { STEPS } from '../simulate/lifecycle.ts';
import { anyCardBody, stepBody } from '../simulate/routes.ts';
import { deliveryParameters, endpointBody } from '../webhooks/routes.ts';

type Route = [route: string, summary: string, body?: z.ZodType, query?: z.ZodObject];

const requestParameters = z.object({ method: z.string(), path: z.string() });

/** The routes of the control plane, by tag: what each does, and the schema that its handler reads the body with. */
const ROUTES: Record<string, Route[]> = {
	Sandbox: [
		['GET /', 'Time, accounts, counts and routes'],
		['POST /reset', 'Delete everything and seed again', resetBody],
		[
			'GET /requests',
			'List the last 200 requests to the API, the newest first, without keys',
			undefined,
			requestParameters,
		],
		['DELETE /requests', 'Forget the requests'],
		['GET /openapi.json', 'The description of the API'],
		['GET /control.json', 'This description'],
	],
	Access: [
		['POST /keys', 'Create an API key, which replaces the one before', keyBody],
		['PUT /accounts/{id}/features', 'Switch features of an account on and off', featuresBody],
	],
	Webhooks: [
		['GET /endpoints', 'List the endpoints'],
		['POST /endpoints', 'Add an endpoint for the events of an account', endpointBody],
		['DELETE /endpoints/{id}', 'Remove an endpoint; its pending deliveries fail'],
		['POST /endpoints/{id}/rotate', 'Rotate the secret; the previous one signs too, for 24 hours'],
		[
			'GET /deliveries',
			'List deliveries with their attempts, the newest first',
			undefined,
			deliveryParameters,
		],
		['POST /deliveries/{id}/redeliver', 'Send a delivery again'],
	],
	Simulation: [
		['POST /simulate/authorization', 'Simulate a purchase, approved or declined', anyCardBody],
		['POST /simulate/{step}', `Continue a transaction: ${STEPS.join(', ')}`, stepBody],
		['POST /payments/{id}/fail', 'Let a scheduled payment fail; the next one includes its amount'],
		['GET /clock', 'Read the clock'],
		[
			'PUT /clock',
			'Set or advance the clock; deliveries, limits, rotations and payments follow it',
			clockBody,
		],
		['DELETE /clock', "Set the clock to the machine's"],
		['GET /faults', 'List the active faults, and how often each was applied'],
		['PUT /faults', 'Replace the faults of the API and of deliveries', faultsBody],
		['GET /dialect', 'Read the dialect of the API'],
		['PUT /dialect', 'Let the API speak another dialect; a reset keeps it', dialectBody],
	],
};

/** By method and path, what each does. */
export const controlSummaries = (): Record<string, string> =>
	Object.fromEntries(
		Object.values(ROUTES).flatMap((routes) => routes.map(([route, summary]) => [route, summary])),
	);

const jsonSchema = (schema: z.ZodType) =>
	z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });

const parameter = (where: 'path' | 'query') => (name: string) => ({
	...{ name, in: where, required: where === 'path', schema: { type: 'string' } },
});

/** The description of the control plane as OpenAPI, from the schemas of its handlers. */
export function controlApi() {
	const paths: Record<string, Record<string, object>> = {};
	for (const [tag, routes] of Object.entries(ROUTES)) {
		for (const [route, summary, body, query] of routes) {
			const [method = '', path = ''] = route.split(' ');
			const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
			(paths[path] ??= {})[method.toLowerCase()] = {
				operationId: route.replace(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase()),
				tags: [tag],
				summary,
				parameters: [
					...inPath.map(parameter('path')),
					...Object.keys(query?.shape ?? {}).map(parameter('query')),
				],
				...(body && {
					requestBody: { content: { 'application/json': { schema: jsonSchema(body) } } },
				}),
				responses: {
					'2XX': { description: 'Done' },
					'4XX': { description: '`message` says what is wrong' },
				},
			};
		}
	}
	const title = 'Control plane of the card platform sandbox';
	const description =
		'For tests and scripts in any language. It needs no key, and accepts requests from this machine only, unless the sandbox was started with `--allow-host`. Bodies are JSON, whatever their content type.';
	return {
		openapi: '3.1.1',
		info: { title, version: '1.0', description },
		servers: [{ url: '/sandbox' }],
		paths,
	};
}
