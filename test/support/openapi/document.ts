import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';
import { z } from 'zod';

import { resolveReferences } from './references.ts';
import { schemaSchema } from './schema.ts';

const text = z.string().min(1);
const assumption = { 'x-assumption': text.optional() };

const content = z
	.object({ 'application/json': z.object({ schema: schemaSchema }).strict() })
	.strict();

const parameter = z
	.object({
		name: text,
		in: z.enum(['path', 'query', 'header']),
		required: z.boolean().default(false),
		description: text,
		schema: schemaSchema,
	})
	.strict();

const operation = z
	.object({
		operationId: text,
		tags: z.tuple([text]),
		summary: text,
		description: text.optional(),
		...assumption,
		security: z.array(z.never()).optional(),
		parameters: z.array(parameter).default([]),
		requestBody: z
			.object({ required: z.literal(true), content })
			.strict()
			.optional(),
		responses: z.record(z.object({ description: text, content: content.optional() }).strict()),
	})
	.strict();

const operationsByPath = z.record(z.record(z.enum(['get', 'post', 'patch']), operation));

const documentSchema = z
	.object({
		openapi: z.literal('3.1.1'),
		info: z
			.object({ title: text, version: text, summary: text, description: text, ...assumption })
			.passthrough(),
		servers: z.tuple([z.object({ url: text, description: text }).strict()]),
		security: z.unknown(),
		tags: z.array(z.object({ name: text, description: text }).strict()),
		paths: operationsByPath,
		webhooks: operationsByPath,
		components: z
			.object({
				securitySchemes: z.object({ apiKey: z.object({ description: text }).passthrough() }),
				parameters: z.record(parameter),
				responses: z.unknown(),
				schemas: z.record(schemaSchema),
			})
			.strict(),
	})
	.strict();

/** openapi.yaml with every reference resolved. */
export type ApiDocument = z.infer<typeof documentSchema>;

/** An operation of the API, or the request of a webhook. */
export type Operation = z.infer<typeof operation>;

/** A parameter of an operation. */
export type Parameter = z.infer<typeof parameter>;

/** An operation with the place where it stands. */
export interface PlacedOperation {
	/** In capitals. */
	method: string;
	/** As §4 writes it, e.g. /cards/{card-id}; of a webhook the topic. */
	path: string;
	operation: Operation;
}

/** Gives openapi.yaml as it is, as JSON. */
export function readOpenapi(): unknown {
	return parse(readFileSync(join(__dirname, '../../../sandbox/openapi.yaml'), 'utf8'));
}

/**
 * Gives an OpenAPI document with its references resolved. Throws when it has a keyword that this
 * sandbox does not know, so that neither docs nor contract tests overlook one.
 */
export const toApiDocument = (openapi: unknown): ApiDocument =>
	documentSchema.parse(resolveReferences(openapi));

/** Gives the operations of a document's `paths` or `webhooks`, in their order. */
export const listOperations = (byPath: ApiDocument['paths']): PlacedOperation[] =>
	Object.entries(byPath).flatMap(([path, byMethod]) =>
		Object.entries(byMethod).map(([method, each]) => ({
			method: method.toUpperCase(),
			path,
			operation: each,
		})),
	);
