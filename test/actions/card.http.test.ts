import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod';

import { runNode } from '../../harness/core/runNode.ts';
import { startSandbox, type TestSandbox } from '../support/sandbox';

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

let sandbox: TestSandbox;
beforeEach(async () => {
	sandbox = await startSandbox();
});
afterEach(async () => {
	await sandbox.close();
});

const run = async (operation: string, parameters: INodeParameters) =>
	await runNode({
		parameters: { resource: 'card', operation, ...parameters },
		credentials: sandbox.credentials(),
	});

async function firstCard(status: string) {
	const [card] = await sandbox.cards(status);
	if (card === undefined) throw new Error(`no ${status} card`);
	return card;
}

test('connection check: the API answers and accepts the key', async () => {
	const { items, error } = await runNode({
		parameters: { resource: 'connection', operation: 'check' },
		credentials: sandbox.credentials(),
	});
	expect(error).toBeUndefined();
	expect(items).toEqual([
		{
			json: { success: true, response: await sandbox.api('/health') },
			pairedItem: { item: 0 },
		},
	]);
});

test('get: a card as the API describes it', async () => {
	const { id } = await firstCard('active');
	const { items } = await run('get', { cardId: byId(id) });
	expect(items.map(({ json }) => json)).toEqual([await sandbox.api(`/cards/${id}`)]);
});

test('get: a card that was picked from the list', async () => {
	const { id } = await firstCard('active');
	const { items } = await run('get', { cardId: { __rl: true, mode: 'list', value: id } });
	expect(items[0]?.json).toMatchObject({ id });
});

test.each([
	['freeze', 'active', 'frozen'],
	['freeze', 'frozen', 'frozen'],
	['unfreeze', 'frozen', 'active'],
	['unfreeze', 'active', 'active'],
	['archive', 'frozen', 'archived'],
	['archive', 'active', 'archived'],
	['archive', 'archived', 'archived'],
])('%s: of an %s card makes an %s one, in the output and in the API', async (...names) => {
	const [operation, before, after] = names;
	const { id } = await firstCard(before);
	const { items, error } = await run(operation, { cardId: byId(id) });
	expect(error).toBeUndefined();
	expect(items).toEqual([{ json: { id, status: after, success: true }, pairedItem: { item: 0 } }]);
	expect(await sandbox.api(`/cards/${id}`)).toMatchObject({ id, status: after });
});

describe('get many', () => {
	const list = async (parameters: INodeParameters) => {
		const { items, error } = await run('getAll', parameters);
		expect(error).toBeUndefined();
		return items.map(({ json }) => json);
	};

	test('all, in the order of the API', async () => {
		const cards = await sandbox.cards();
		expect(cards.length).toBeGreaterThan(5);
		expect((await list({ returnAll: true })).map(({ id }) => id)).toEqual(
			cards.map(({ id }) => id),
		);
	});

	test('a limit cuts the list', async () => {
		const cards = await sandbox.cards();
		expect((await list({ limit: 3 })).map(({ id }) => id)).toEqual(
			cards.slice(0, 3).map(({ id }) => id),
		);
	});

	test.each(['active', 'frozen', 'archived'])('filtered by status %s', async (status) => {
		const wanted = (await sandbox.cards()).filter((card) => card.status === status);
		expect(wanted).not.toEqual([]);
		const cards = await list({ returnAll: true, filters: { status } });
		expect(cards.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
	});

	test('filtered by name', async () => {
		const { id, name } = await firstCard('active');
		expect((await list({ filters: { name } })).map((card) => card.id)).toEqual([id]);
		expect(await list({ filters: { name: 'no card is called so' } })).toEqual([]);
	});

	test('filtered by time of creation, in the time zone of the workflow', async () => {
		const [newest] = await list({ limit: 1 });
		const { createdAt } = z.object({ createdAt: z.string() }).parse(newest);
		const berlin = new Date(createdAt).toLocaleString('sv', { timeZone: 'Europe/Berlin' });
		const minuteLater = new Date(Date.parse(createdAt) + 60_000).toISOString();
		const after = async (createdAfter: string) =>
			(await list({ filters: { createdAfter } })).map(({ id }) => id);
		expect(await after(minuteLater)).toEqual([]);
		const minuteBefore = new Date(Date.parse(`${berlin.replace(' ', 'T')}Z`) - 60_000);
		expect(await after(minuteBefore.toISOString().slice(0, 19))).toEqual([newest?.id]);
	});

	test('with details: each card as the API describes it, in the order of the list', async () => {
		const options = { includeDetails: true, sort: 'asc' };
		const cards = await list({ returnAll: true, options });
		const listed = await list({ returnAll: true, options: { sort: 'asc' } });
		expect(cards.map(({ id }) => id)).toEqual(listed.map(({ id }) => id));
		const described = (await sandbox.cards())
			.reverse()
			.map(async ({ id }) => await sandbox.api(`/cards/${id}`));
		expect(cards).toEqual(await Promise.all(described));
		expect(cards.filter(({ balance }) => balance !== undefined)).not.toEqual([]);
		expect(listed.filter(({ balance }) => balance !== undefined)).toEqual([]);
	});

	test('oldest first', async () => {
		const ids = (await list({ returnAll: true })).map(({ id }) => id);
		const oldestFirst = (await list({ returnAll: true, options: { sort: 'asc' } })).map(
			({ id }) => id,
		);
		expect(oldestFirst).toEqual(ids.reverse());
	});
});
