import { createConfig, lint } from '@redocly/openapi-core';
import { z } from 'zod/v4';

import * as assumptions from '../../../sandbox/assumptions.ts';
import { categorySchema } from '../../../sandbox/cards/card.ts';
import { openapi } from '../../support/openapi';

const fieldSchema = z.object({
	'x-assumption': z.string().optional(),
	const: z.unknown(),
	default: z.unknown(),
	enum: z.array(z.string()).optional(),
	examples: z.array(z.unknown()).optional(),
});

const schemaSchema = fieldSchema.extend({
	properties: z.record(z.string(), fieldSchema).default({}),
});

const { components } = z
	.object({
		components: z.object({
			parameters: z.record(
				z.string(),
				z.object({ name: z.string(), in: z.string(), schema: fieldSchema }),
			),
			responses: z.object({
				BadRequest: z.object({
					content: z.object({ 'application/json': z.object({ schema: schemaSchema }) }),
				}),
			}),
			schemas: z.record(z.string(), schemaSchema),
		}),
	})
	.parse(openapi);
const { parameters, responses, schemas } = components;

test('the linter finds nothing', async () => {
	const config = await createConfig({
		extends: ['recommended-strict'],
		rules: {
			'component-name-unique': 'error',
			'operation-singular-tag': 'error',
			'operation-tag-defined': 'error',
			'parameter-description': 'error',
			'path-params-defined': 'error',
			'request-mime-type': { severity: 'error', allowedValues: ['application/json'] },
			'response-mime-type': { severity: 'error', allowedValues: ['application/json'] },
		},
	});
	const problems = await lint({ ref: 'sandbox/openapi.yaml', config });
	expect(
		problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
	).toEqual([]);
});

test('every value that the sandbox had to choose is marked as an assumption', () => {
	const assumed = Object.values(parameters)
		.filter((each) => each.in === 'query' && each.schema['x-assumption'] !== undefined)
		.map(({ name }) => name);
	expect(new Set(assumed)).toEqual(new Set(Object.values(assumptions.QUERY_PARAMETER)));

	const field = (schema: string, name: string) => schemas[schema]?.properties[name];
	const marked = (values: object) => ({ ...values, 'x-assumption': expect.any(String) });
	const { BAD_REQUEST_CODE, HEALTH_RESPONSE, SENSITIVE_DETAILS } = assumptions;
	expect(responses.BadRequest.content['application/json'].schema.properties.code).toEqual(
		marked({ const: BAD_REQUEST_CODE }),
	);
	expect(schemas.Health).toMatchObject(
		marked({ properties: { status: { const: HEALTH_RESPONSE.status } } }),
	);
	expect(parameters.Sort?.schema).toMatchObject(marked({ default: assumptions.DEFAULT_SORT }));
	expect(schemas.LimitType).toMatchObject(marked({ examples: assumptions.LIMIT_TYPES }));
	expect(field('Payment', 'status')).toEqual(marked({ examples: assumptions.PAYMENT_STATUSES }));
	expect(field('Payment', 'type')).toEqual(marked({ examples: assumptions.PAYMENT_TYPES }));
	expect(field('Transfer', 'status')).toEqual(marked({ examples: [assumptions.TRANSFER_STATUS] }));
	expect(field('SensitiveCardDetails', 'method')).toEqual(
		marked({ examples: [SENSITIVE_DETAILS.method] }),
	);
});

test('the categories are those of a card', () => {
	expect(schemas.Category?.enum).toEqual(categorySchema.options);
});
