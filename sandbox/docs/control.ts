import { z } from 'zod/v4';

import { featuresBody } from '../accounts/account.ts';
import { clockBody } from '../clock/clock.ts';
import { pageSchema } from '../database/paging.ts';
import { dialectBody } from '../dialects/dialect.ts';
import { faultsBody } from '../faults/rules.ts';
import { keyBody, keySchema } from '../keys/apiKey.ts';
import { dueBody } from '../payments/payment.ts';
import { requestParameters } from '../requests/routes.ts';
import { resetBody } from '../seed/seed.ts';
import { STEPS } from '../simulate/lifecycle.ts';
import { anyCardBody, resultSchema, stepBody } from '../simulate/routes.ts';
import { deliverySchema } from '../webhooks/deliveryLog.ts';
import { deliveryParameters, endpointBody, rotateBody } from '../webhooks/routes.ts';

/** What a route does, and the schemas of its handler. Responses are described where clients read them. */
interface Route {
	summary: string;
	body?: z.ZodType;
	query?: z.ZodObject;
	response?: z.ZodType;
}

/** The routes of the control plane, by tag. */
const ROUTES: Record<string, Record<string, Route>> = {
	Sandbox: {
		'GET /': { summary: 'Time, accounts, counts and routes' },
		'POST /reset': {
			summary: 'Go back to the state of the start, with its key and endpoints, or to other data',
			body: resetBody,
		},
		'GET /requests': {
			summary: 'List the last 200 requests to the API, the newest first, without keys',
			query: requestParameters,
		},
		'DELETE /requests': { summary: 'Forget the requests' },
		'GET /openapi.json': { summary: 'The description of the API' },
		'GET /control.json': { summary: 'This description' },
	},
	Access: {
		'POST /keys': {
			summary: 'Create an API key, which replaces the one before',
			body: keyBody,
			response: keySchema,
		},
		'PUT /accounts/{id}/features': {
			summary: 'Switch features of an account on and off',
			body: featuresBody,
		},
	},
	Webhooks: {
		'GET /endpoints': { summary: 'List the endpoints' },
		'POST /endpoints': {
			summary: 'Add an endpoint for the events of an account',
			body: endpointBody,
		},
		'DELETE /endpoints/{id}': { summary: 'Remove an endpoint; its pending deliveries fail' },
		'POST /endpoints/{id}/rotate': {
			summary: 'Rotate the secret; the previous one signs too, for 24 hours',
			body: rotateBody,
		},
		'GET /deliveries': {
			summary: 'List deliveries with their attempts, the newest first',
			query: deliveryParameters,
			response: pageSchema(deliverySchema),
		},
		'POST /deliveries/{id}/redeliver': { summary: 'Send a delivery again' },
	},
	Simulation: {
		'POST /simulate/authorization': {
			summary: 'Simulate a purchase, approved or declined',
			body: anyCardBody,
			response: resultSchema,
		},
		'POST /simulate/{step}': {
			summary: `Continue a transaction: ${STEPS.join(', ')}`,
			body: stepBody,
			response: resultSchema,
		},
		'POST /payments/{id}/fail': {
			summary: 'Let a scheduled payment fail; the next one includes its amount',
		},
		'POST /payments/{id}/due': {
			summary: 'Let a scheduled payment be due in some days, such as tomorrow',
			body: dueBody,
		},
		'GET /clock': { summary: 'Read the clock' },
		'PUT /clock': {
			summary:
				'Set, advance, stop or start the clock; deliveries, limits, rotations and payments follow it',
			body: clockBody,
		},
		'DELETE /clock': { summary: 'Set the clock back to how it was at the start' },
		'GET /faults': { summary: 'List the active faults, and how often each was applied' },
		'PUT /faults': {
			summary: 'Replace the faults of the API and of deliveries',
			body: faultsBody,
		},
		'GET /dialect': { summary: 'Read the dialect of the API' },
		'PUT /dialect': {
			summary: 'Let the API speak another dialect; a reset keeps it',
			body: dialectBody,
		},
	},
};

/** By method and path, what each does. */
export const controlSummaries = (): Record<string, string> =>
	Object.fromEntries(
		Object.values(ROUTES).flatMap((routes) =>
			Object.entries(routes).map(([route, { summary }]) => [route, summary]),
		),
	);

const asJson = (schema: z.ZodType, io: 'input' | 'output') => ({
	content: {
		'application/json': { schema: z.toJSONSchema(schema, { io, unrepresentable: 'any' }) },
	},
});

const parametersOf = (path: string, query: z.ZodObject = z.object({})) => [
	...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
		...{ name, in: 'path', required: true, schema: { type: 'string' } },
	})),
	...Object.entries(
		z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }).properties ?? {},
	).map(([name, schema]) => ({ name, in: 'query', schema })),
];

function describeRoute(tag: string, route: string, { summary, body, query, response }: Route) {
	const [method = '', path = ''] = route.split(' ');
	const words = [method.toLowerCase(), ...(path.match(/\w+/g) ?? [])];
	return {
		operationId: words.join('-').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
		tags: [tag],
		summary,
		parameters: parametersOf(path, query),
		...(body && { requestBody: asJson(body, 'input') }),
		responses: {
			'2XX': { description: 'Done', ...(response && asJson(response, 'output')) },
			'4XX': { description: '`message` says what is wrong' },
		},
	};
}

/** The description of the control plane as OpenAPI, from the schemas of its handlers. */
export function controlApi() {
	const paths: Record<string, Record<string, object>> = {};
	for (const [tag, routes] of Object.entries(ROUTES)) {
		for (const [route, described] of Object.entries(routes)) {
			const [method = '', path = ''] = route.split(' ');
			(paths[path] ??= {})[method.toLowerCase()] = describeRoute(tag, route, described);
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
