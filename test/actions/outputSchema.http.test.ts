import Ajv from 'ajv';
import { z } from 'zod';

import { outputSchemas } from '../../dev/build/outputSchemas.ts';
import { runNode } from '../../dev/harness/core/runNode.ts';
import { RESOURCES } from '../../nodes/CardPlatform/actions/table';
import { eventSchema } from '../../nodes/CardPlatform/api/event';
import { MORE, OPERATIONS } from '../support/operations';
import { createPollingTrigger } from '../support/pollingTrigger';
import { startSandbox, type TestSandbox } from '../support/sandbox';

const shown = outputSchemas(z, RESOURCES, eventSchema);

/**
 * The schema that the editor shows, made strict: what it does not name may not come. Only of a
 * settlement nothing is known (§2: its fields are undocumented).
 */
const readSchema = (resource: string, operation: string) =>
	JSON.parse(JSON.stringify(shown[`v1.0.0/${resource}/${operation}`]), (_key, value: unknown) =>
		value !== null && typeof value === 'object' && 'properties' in value && 'type' in value
			? { ...value, additionalProperties: resource === 'settlement' }
			: value,
	) as object;

const ajv = new Ajv({ strict: false });

let sandbox: TestSandbox;
beforeEach(async () => {
	sandbox = await startSandbox();
});
afterEach(async () => {
	await sandbox.close();
});

test.each(OPERATIONS)('$name: the output is its "returns", which the editor shows', async (one) => {
	const { resource, operation, parameters } = one;
	const isChange = one.effect === 'repeatable';
	const schema = readSchema(resource, operation);
	const { items, error } = await runNode({
		parameters: {
			...parameters,
			...MORE[one.name],
			returnAll: true,
			simplify: true,
			from: '2025-01-01',
			to: '2027-12-31',
			options: {
				...(resource === 'payment' && { accountId: '1001' }),
				...(isChange && { includeDetails: true }),
			},
		},
		credentials: sandbox.credentials(),
	});
	expect(error).toBeUndefined();
	if (items.length === 0) {
		throw new Error(
			`${one.name} returned nothing: let sandbox/seed/ have a record for the IDs of FILLED in test/support/operations.ts`,
		);
	}

	const validate = ajv.compile(schema);
	for (const { json } of items) {
		// The editor's schemas do not say what may be null.
		const known = Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null));
		expect([validate(known), validate.errors]).toEqual([true, null]);
	}

	const returned = new Set(items.flatMap(({ json }) => Object.keys(json)));
	const found = RESOURCES.flatMap((each) => each.operations).find(
		(each) => each.action === one.action,
	);
	// What the schema calls optional need not come.
	const missing = found?.returns.safeParse({}).error?.issues ?? [];
	const required = missing.map(({ path }) => String(path[0]));
	expect(required.filter((name) => !returned.has(name))).toEqual([]);
});

test('an item of the polling trigger', async () => {
	const poll = createPollingTrigger(sandbox.credentials()).activate();
	await poll();
	const [card] = await sandbox.cards();
	const decline = { reason: 'suspected_fraud' } as const;
	const purchase = { cardId: card?.id ?? '', amount: '12.50', merchantName: 'Bakery', decline };
	await sandbox.client.authorize(purchase);
	const [item = {}] = (await poll()) ?? [];
	const schema = shown['v1.0.0/output'];
	expect(Object.keys(schema?.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(item)));
	expect(item.delivery).toEqual({ source: 'polling' });
	expect(Object.keys(schema?.properties?.delivery?.properties ?? {})).toEqual(['source']);
});
