import { z } from 'zod/v4';

import type { Route, Routes } from '../http/route.ts';

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

/** Describes the control plane as OpenAPI, from its routes by tag. */
export function describeControl(tags: Record<string, Routes>) {
	const paths: Record<string, Record<string, object>> = {};
	for (const [tag, routes] of Object.entries(tags)) {
		for (const [route, described] of Object.entries(routes)) {
			const [method = '', path = ''] = route.split(' ');
			(paths[path] ??= {})[method.toLowerCase()] = describeRoute(tag, route, described);
		}
	}
	const title = 'Control plane of the card platform sandbox';
	const description =
		'For tests and scripts in any language. It needs no key, and accepts requests from this machine only. Bodies are JSON, whatever their content type. An unknown field or parameter is a 400. An unknown method is a 405, and its `Allow` lists the known ones.';
	return {
		openapi: '3.1.1',
		info: { title, version: '1.0', description },
		servers: [{ url: '/sandbox' }],
		paths,
	};
}
