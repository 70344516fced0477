import { createConfig, lint } from '@redocly/openapi-core';

import {
	CARD_STATUSES,
	CATEGORIES,
	TRANSACTION_STATUSES,
} from '../../../nodes/CardPlatform/api/schemas';
import * as assumptions from '../../../sandbox/assumptions.ts';
import { categorySchema } from '../../../sandbox/cards/card.ts';
import { openapi, type Operation, operations } from '../../support/openapi';

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

const field = (schema: string, name: string) => schemas[schema]?.properties[name];

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

test('an operation may respond with 403 if its tag says that a feature is required, and no other', () => {
	const named = (all: Operation[]) => all.map(({ method, path }) => `${method} ${path}`);
	const refusable = operations.filter(({ responses }) => responses.has('403'));
	const tagged = operations.filter(({ feature }) => feature !== undefined);
	expect(named(refusable)).toEqual(named(tagged));
});

test('every value that the sandbox had to choose is marked as an assumption', () => {
	const assumed = Object.values(parameters)
		.filter((each) => each.in === 'query' && each.schema['x-assumption'] !== undefined)
		.map(({ name }) => name);
	expect(new Set(assumed)).toEqual(new Set(Object.values(assumptions.QUERY_PARAMETER)));

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

test('the sandbox and the node have the same values', () => {
	expect(schemas.Category?.enum).toEqual(categorySchema.options);
	const offered = [CATEGORIES, CARD_STATUSES, TRANSACTION_STATUSES];
	const documented = [schemas.Category, schemas.CardStatus, field('Transaction', 'status')];
	expect(offered.map((each) => [...each].sort())).toEqual(
		documented.map((each) => each?.enum?.toSorted()),
	);
});
