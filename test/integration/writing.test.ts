import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod';

import { CardPlatform } from '../../nodes/CardPlatform/CardPlatform.node';
import { credentialsFor, runNode } from '../../harness/core/runNode.ts';
import { json, startServer } from '../../harness/httpServer';
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

	test.each<[string, INodeParameters, string]>([
		['no name', { name: ' ' }, 'Name is empty'],
		['a type that there is not', { type: '={{ "gold" }}' }, 'Type has an invalid value'],
		[
			'a limit that is no amount',
			{ additionalFields: { limit: { value: { amount: 'much', type: 'monthly' } } } },
			'Limit Amount is not a valid amount',
		],
		[
			'custom fields that are no object',
			{ additionalFields: { customFields: { json: [{ value: '[1]' }] } } },
			'Custom Fields is not a JSON object',
		],
	])('%s is refused before any request', async (_name, change, message) => {
		const server = await startServer((_request, response) => json(response, 201, {}));
		const { error } = await run(create(change), credentialsFor(server.url));
		await server.close();
		expect(error).toMatchObject({ message: expect.stringContaining(message) });
		expect(server.requests).toEqual([]);
	});

	test('custom fields are any JSON, numbers with all their digits', async () => {
		const server = await startServer((_request, response) => response.writeHead(201).end());
		const value = '{"vip":true,"seats":3,"tags":["a",null],"big":12345678901234567890}';
		await run(
			create({
				additionalFields: { categories: [], customFields: { json: [{ value }] } },
			}),
			credentialsFor(server.url),
		);
		await server.close();
		expect(server.requests.map(({ body }) => body)).toEqual([
			'{"name":"Travel Berlin","type":"single-use","vip":true,"seats":3,"tags":["a",null],"big":"12345678901234567890"}',
		]);
	});

	test('custom fields reach the body, and win', async () => {
		const server = await startServer((_request, response) => response.writeHead(201).end());
		const customFields = {
			pairs: [
				{ name: 'memo', value: 'Q4' },
				{ name: 'type', value: 'virtual' },
			],
		};
		const { json: items } = await run(
			create({ additionalFields: { customFields } }),
			credentialsFor(server.url),
		);
		await server.close();
		expect(server.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
			['POST', '/cards', '{"name":"Travel Berlin","type":"virtual","memo":"Q4"}'],
		]);
		expect(items).toEqual([{ success: true }]);
	});
});

describe('update a card', () => {
	test('only what was added is sent', async () => {
		const server = await startServer((_request, response) => json(response, 200, {}));
		const { id } = await cardOf('active');
		const { error } = await run(
			{
				resource: 'card',
				operation: 'update',
				cardId: byId(id),
				updateFields: { name: 'Renamed' },
			},
			credentialsFor(server.url),
		);
		await server.close();
		expect(error).toBeUndefined();
		expect(server.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
			['PATCH', `/cards/${id}`, '{"name":"Renamed"}'],
		]);
	});

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

	test.each<[string, INodeParameters]>([
		['no field', {}],
		['Categories with nothing selected', { categories: [] }],
	])('%s: nothing to update is refused before any request', async (_name, updateFields) => {
		const server = await startServer((_request, response) => json(response, 200, {}));
		const cardId = byId((await cardOf('active')).id);
		const { error } = await run(
			{ resource: 'card', operation: 'update', cardId, updateFields },
			credentialsFor(server.url),
		);
		await server.close();
		expect(error?.message).toBe('There is nothing to update');
		expect(server.requests).toEqual([]);
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

		const renamed = await update({ name: 'Travel', categories: [], limit: {} });
		expect(renamed.json).toEqual([{ ...created[0], name: 'Travel' }]);
		const cleared = await update({ clearCategories: true, removeLimit: true });
		expect(cleared.error).toBeUndefined();
		expect(cleared.json[0]).toMatchObject({ id, categories: [] });
		expect(cleared.json[0]).not.toHaveProperty('limit');
	});

	test('an answer without a body still says which card', async () => {
		const server = await startServer((_request, response) => response.writeHead(204).end());
		const { id } = await cardOf('active');
		const { json: items } = await run(
			{ resource: 'card', operation: 'update', cardId: byId(id), updateFields: { name: 'x' } },
			credentialsFor(server.url),
		);
		await server.close();
		expect(items).toEqual([{ id, success: true }]);
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

test('sensitive details: refused before anything is sent, unless the credential allows them', async () => {
	const id = '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10';
	const server = await startServer((_request, response) => json(response, 200, {}));
	const { error } = await run(
		{ resource: 'card', operation: 'getSensitiveDetails', cardId: byId(id) },
		credentialsFor(server.url, { sensitiveDetails: false }),
	);
	await server.close();
	expect(error).toMatchObject({
		message: expect.stringMatching(/nothing was sent.*Allow Sensitive Details/),
		context: { itemIndex: 0 },
	});
	expect(server.requests).toEqual([]);
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

test('settlements, as the API gives them, in each shape that a list may have', async () => {
	const { json: items, error } = await run({
		resource: 'settlement',
		operation: 'getAll',
		returnAll: true,
	});
	expect(error).toBeUndefined();
	expect(items.length).toBeGreaterThan(1);
	expect(await sandbox.api('/settlements')).toMatchObject({ data: items });

	for (const body of [[{ id: 'a' }], { data: [{ id: 'a' }] }, { data: [{ id: 'a' }], page: 1 }]) {
		const server = await startServer((_request, response) => json(response, 200, body));
		const { json: found } = await run(
			{ resource: 'settlement', operation: 'getAll', returnAll: true },
			credentialsFor(server.url),
		);
		await server.close();
		expect(found).toEqual([{ id: 'a' }]);
	}
});

test('numbers that JavaScript would change are passed on as strings', async () => {
	const body =
		'{"data":[{"id":12345678901234567890,"net":0.1234567890123456789,"fee":1.25,"rate":1e400}]}';
	const server = await startServer((_request, response) => response.writeHead(200).end(body));
	const { json: items } = await run(
		{ resource: 'settlement', operation: 'getAll', returnAll: true },
		credentialsFor(server.url),
	);
	await server.close();
	expect(items).toEqual([
		{ id: '12345678901234567890', net: '0.1234567890123456789', fee: 1.25, rate: '1e400' },
	]);
});
