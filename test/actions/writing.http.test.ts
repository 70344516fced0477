import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod';

import { runNode } from '../../harness/core/runNode.ts';
import { CardPlatform } from '../../nodes/CardPlatform/CardPlatform.node';
import { startSandbox, type TestSandbox } from '../support/sandbox';

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

let sandbox: TestSandbox;
beforeEach(async () => {
	sandbox = await startSandbox();
});
afterEach(async () => {
	await sandbox.close();
});

const run = async (parameters: INodeParameters, credentials = sandbox.credentials()) => {
	const { items, error } = await runNode({ parameters, credentials });
	return { json: items.map((item) => item.json), error };
};

async function cardOf(status: string) {
	const [card] = await sandbox.cards(status);
	if (card === undefined) throw new Error(`no ${status} card`);
	return card;
}

describe('create a card', () => {
	const create = (more: INodeParameters = {}): INodeParameters => ({
		resource: 'card',
		operation: 'create',
		name: 'Travel Berlin',
		type: 'single-use',
		...more,
	});

	test('with name and type', async () => {
		const { json: items, error } = await run(create());
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(items[0]).toMatchObject({ name: 'Travel Berlin', type: 'single-use' });
		const { id } = z.object({ id: z.string() }).parse(items[0]);
		expect(await sandbox.api(`/cards/${id}`)).toEqual(items[0]);
	});

	test('with categories and a limit', async () => {
		const { json: items } = await run(
			create({
				type: 'recurring',
				additionalFields: {
					categories: ['airlines', 'lodging'],
					limit: { value: { amount: '500', type: 'monthly' } },
				},
			}),
		);
		expect(items).toEqual([
			expect.objectContaining({
				categories: ['airlines', 'lodging'],
				limit: { amount: '500.00', type: 'monthly' },
			}),
		]);
	});

	test('a name that is taken is refused by the API, and told', async () => {
		const { name } = await cardOf('active');
		const { error } = await run(create({ name }));
		expect(error).toMatchObject({ httpCode: '400', context: { itemIndex: 0 } });
	});
});

describe('update a card', () => {
	test('the updated card, as the API gives it', async () => {
		const { id, name } = await cardOf('active');
		const { json: items, error } = await run({
			resource: 'card',
			operation: 'update',
			cardId: byId(id),
			updateFields: { name: 'Renamed' },
		});
		expect(error).toBeUndefined();
		expect(items).toEqual([await sandbox.api(`/cards/${id}`)]);
		expect(items[0]).toMatchObject({ id, name: 'Renamed' });
		expect(name).not.toBe('Renamed');
	});

	test('categories and limit are cleared by a choice, and by nothing else', async () => {
		const { json: created } = await run({
			resource: 'card',
			operation: 'create',
			name: 'Travel Berlin',
			type: 'recurring',
			additionalFields: {
				categories: ['airlines'],
				limit: { value: { amount: '500', type: 'monthly' } },
			},
		});
		const { id } = z.object({ id: z.string() }).parse(created[0]);
		const update = async (updateFields: INodeParameters) =>
			await run({ resource: 'card', operation: 'update', cardId: byId(id), updateFields });

		const renamed = await update({ name: 'Travel' });
		expect(renamed.json).toEqual([{ ...created[0], name: 'Travel' }]);
		const cleared = await update({ clearCategories: true, removeLimit: true });
		expect(cleared.error).toBeUndefined();
		expect(cleared.json[0]).toMatchObject({ id, categories: [] });
		expect(cleared.json[0]).not.toHaveProperty('limit');
	});
});

test('sensitive details: instructions, as the API gives them', async () => {
	const { id } = await cardOf('active');
	const { json: items, error } = await run({
		resource: 'card',
		operation: 'getSensitiveDetails',
		cardId: byId(id),
	});
	expect(error).toBeUndefined();
	expect(items).toEqual([
		{
			method: expect.any(String),
			details: {
				method: 'POST',
				url: expect.stringMatching(/^https:/),
				bodyJson: expect.objectContaining({ cardId: id }),
			},
		},
	]);
	// What n8n may not show is where the node says.
	for (const path of new CardPlatform().description.sensitiveOutputFields ?? []) {
		expect(items[0]).toHaveProperty(path);
	}
	expect(new CardPlatform().description.sensitiveOutputFields).toEqual(['details']);
});

describe('accounts', () => {
	test('rename', async () => {
		const [id] = await sandbox.accountIds();
		const { json: items } = await run({
			resource: 'account',
			operation: 'rename',
			accountId: String(id),
			name: 'Operations',
		});
		expect(items).toEqual([{ id, name: 'Operations' }]);
	});

	test('transfer', async () => {
		const [from, to] = await sandbox.accountIds();
		const { json: items, error } = await run({
			resource: 'account',
			operation: 'transfer',
			accountId: String(from),
			toAccountId: String(to),
			amount: '25.00',
		});
		expect(error).toBeUndefined();
		expect(items).toEqual([expect.objectContaining({ fromAccountId: from, toAccountId: to })]);
	});

	test('an account that does not exist', async () => {
		const { error } = await run({
			resource: 'account',
			operation: 'rename',
			accountId: '999',
			name: 'x',
		});
		expect(error).toMatchObject({
			httpCode: '404',
			description: expect.stringContaining('No account with this ID'),
		});
	});

	test('an account-scoped key', async () => {
		const [accountId] = await sandbox.accountIds();
		const apiKey = await sandbox.client.createKey(accountId);
		const { error } = await run(
			{ resource: 'account', operation: 'rename', accountId: String(accountId), name: 'x' },
			sandbox.credentials({ apiKey, keyScope: 'account' }),
		);
		expect(error).toMatchObject({
			httpCode: '403',
			description: expect.stringContaining('require a customer-scoped key'),
		});
	});
});

test('balance', async () => {
	const [accountId] = await sandbox.accountIds();
	const apiKey = await sandbox.client.createKey(accountId);
	const { json: items, error } = await run(
		{ resource: 'balance', operation: 'get' },
		sandbox.credentials({ apiKey, keyScope: 'account' }),
	);
	expect(error).toBeUndefined();
	expect(items).toEqual([
		{
			availableCreditLimit: expect.stringMatching(/^\d+\.\d\d$/),
			overallCreditLimit: expect.stringMatching(/^\d+\.\d\d$/),
			last24HoursSpend: expect.stringMatching(/^\d+\.\d\d$/),
			last30DaysSpend: expect.stringMatching(/^\d+\.\d\d$/),
		},
	]);
});

test('settlements, as the API gives them', async () => {
	const { json: items, error } = await run({
		resource: 'settlement',
		operation: 'getAll',
		returnAll: true,
	});
	expect(error).toBeUndefined();
	expect(items.length).toBeGreaterThan(1);
	expect(await sandbox.api('/settlements')).toMatchObject({ data: items });
});
