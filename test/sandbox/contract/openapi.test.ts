import { createConfig, lint } from '@redocly/openapi-core';

import * as assumptions from '../../../sandbox/assumptions.ts';
import { categorySchema } from '../../../sandbox/cards/card.ts';
import { openapi } from '../../support/openapi';

interface Field {
	name: string;
	in: string;
	'x-assumption'?: string;
	enum?: string[];
	schema: Field;
	properties: Record<string, Field>;
	content: { 'application/json': { schema: Field } };
}

const { parameters, responses, schemas } = openapi.components as Record<
	'parameters' | 'responses' | 'schemas',
	Record<string, Field>
>;

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
	const badRequest = responses.BadRequest?.content['application/json'].schema;
	expect(badRequest?.properties.code).toMatchObject(marked({ const: BAD_REQUEST_CODE }));
	expect(schemas.Health).toMatchObject(
		marked({ properties: { status: { const: HEALTH_RESPONSE.status } } }),
	);
	expect(parameters.Sort?.schema).toMatchObject(marked({ default: assumptions.DEFAULT_SORT }));
	expect(schemas.LimitType).toMatchObject(marked({ examples: assumptions.LIMIT_TYPES }));
	expect(field('Payment', 'status')).toMatchObject(
		marked({ examples: assumptions.PAYMENT_STATUSES }),
	);
	expect(field('Payment', 'type')).toMatchObject(marked({ examples: assumptions.PAYMENT_TYPES }));
	expect(field('Transfer', 'status')).toMatchObject(
		marked({ examples: [assumptions.TRANSFER_STATUS] }),
	);
	expect(field('SensitiveCardDetails', 'method')).toMatchObject(
		marked({ examples: [SENSITIVE_DETAILS.method] }),
	);
});

test('the categories are those of a card', () => {
	expect(schemas.Category?.enum).toEqual(categorySchema.options);
});
