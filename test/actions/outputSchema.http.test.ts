import Ajv from 'ajv';
import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod';

import { outputSchemas } from '../../build/outputSchemas.ts';
import { runNode } from '../../harness/core/runNode.ts';
import { RESOURCES } from '../../nodes/CardPlatform/actions/table';
import { eventSchema } from '../../nodes/CardPlatform/api/event';
import * as schemas from '../../nodes/CardPlatform/api/schemas';
import { createPollingTrigger } from '../support/pollingTrigger';
import { startSandbox, type TestSandbox } from '../support/sandbox';

const operations = RESOURCES.flatMap(({ value: resource, operations: each }) =>
	each.map(({ value: operation }) => ({ resource, operation })),
);

const schemaSchema = z
	.object({ type: z.literal('object'), properties: z.record(z.unknown()) })
	.passthrough();

const shown = outputSchemas(z, { ...schemas, eventSchema });

/**
 * The schema that the editor shows, made strict: what it does not name may not come. Only of a
 * settlement nothing is known (§2: its fields are undocumented).
 */
const readSchema = (resource: string, operation: string) =>
	schemaSchema.parse(
		JSON.parse(JSON.stringify(shown[`v1.0.0/${resource}/${operation}`]), (_key, value: unknown) => {
			const parsed = schemaSchema.safeParse(value);
			return parsed.success
				? { ...parsed.data, additionalProperties: resource === 'settlement' }
				: value;
		}),
	);

const ajv = new Ajv({ strict: false });

let sandbox: TestSandbox;
let parameters: INodeParameters;
beforeEach(async () => {
	sandbox = await startSandbox();
	const { data } = z
		.object({ data: z.array(z.object({ id: z.string(), cardId: z.string() })) })
		.parse(await sandbox.api('/transactions?status=settled'));
	const [from, to] = await sandbox.accountIds();
	parameters = {
		accountId: String(from),
		toAccountId: String(to),
		amount: '1.00',
		name: 'Made by a test',
		type: 'recurring',
		cardId: { __rl: true, mode: 'id', value: data[0]?.cardId ?? '' },
		transactionId: data[0]?.id ?? '',
		from: '2025-01-01',
		to: '2027-12-31',
		updateFields: { limit: { value: { amount: '900', type: 'monthly' } } },
		returnAll: true,
	};
});
afterEach(async () => {
	await sandbox.close();
});

test.each(operations)('$resource $operation: the output is what the editor shows', async (one) => {
	const schema = readSchema(one.resource, one.operation);
	const { items, error } = await runNode({
		parameters: {
			...parameters,
			...one,
			options: one.resource === 'payment' ? { accountId: '1001' } : {},
		},
		credentials: sandbox.credentials(),
	});
	expect(error).toBeUndefined();
	expect(items.length).toBeGreaterThan(0);

	const validate = ajv.compile(schema);
	for (const { json } of items) expect([validate(json), validate.errors]).toEqual([true, null]);

	const returned = new Set(items.flatMap(({ json }) => Object.keys(json)));
	const optional = /^(balance|limit|merchant\w+)$/;
	const never = Object.keys(schema.properties).filter((name) => !returned.has(name));
	expect(never.filter((name) => !optional.test(name))).toEqual([]);
});

test('an item of the polling trigger', async () => {
	const poll = createPollingTrigger(sandbox.credentials()).activate();
	await poll();
	const [card] = await sandbox.cards('active');
	const decline = { reason: 'suspected_fraud' } as const;
	const purchase = { cardId: card?.id ?? '', amount: '12.50', merchantName: 'Bakery', decline };
	await sandbox.client.authorize(purchase);
	const [item = {}] = (await poll()) ?? [];
	const schema = shown['v1.0.0/output'];
	expect(Object.keys(schema?.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(item)));
	expect(item.delivery).toEqual({ source: 'polling' });
	expect(Object.keys(schema?.properties?.delivery?.properties ?? {})).toEqual(['source']);
});
