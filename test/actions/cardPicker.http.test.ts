import { LoadOptionsContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';

import { type Credentials, credentialsFor } from '../../harness/core/credentials.ts';
import { createAdditionalData, createNode, knownNodeTypes } from '../../harness/core/runNode.ts';
import { type Answer, json, startServer } from '../../harness/httpServer';
import { searchCards } from '../../nodes/CardPlatform/methods/listSearch';
import { startSandbox } from '../support/sandbox';

async function search(credentials: Credentials, filter?: string, paginationToken?: string) {
	const node = createNode('cardPlatform', { resource: 'card', operation: 'freeze' });
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: knownNodeTypes,
	});
	const context = new LoadOptionsContext(workflow, node, createAdditionalData(credentials), '');
	return await searchCards.call(context, filter, paginationToken);
}

const withServer = async <T>(answer: Answer, use: (url: string) => Promise<T>) => {
	const server = await startServer(answer);
	const result = await use(server.url).finally(server.close);
	return { result, urls: server.requests.map(({ url }) => url) };
};

test('cards sorted by name, with their last four digits, and marked if archived or frozen', async () => {
	const sandbox = await startSandbox();
	const cards = await sandbox.cards();
	const { results, paginationToken } = await search(sandbox.credentials());
	await sandbox.close();
	const marks: Record<string, RegExp> = {
		active: /^$/,
		frozen: /^ \(frozen as of \d{4}-\d\d-\d\d\)$/,
		archived: /^ \(archived\)$/,
	};
	const expected = cards.map(({ id, name, lastFour, status }) => ({
		value: id,
		name: `${name} •••• ${lastFour}`,
		mark: expect.stringMatching(marks[status] ?? 'none'),
	}));
	expected.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
	expect(new Set(cards.map(({ status }) => status)).size).toBe(3);
	expect(
		results.map(({ value, name }) => {
			const [, start, mark] = /^(.*? •••• \d{4})(.*)$/.exec(name) ?? [];
			return { value, name: start, mark };
		}),
	).toEqual(expected);
	expect(paginationToken).toBeUndefined();
});

test('a search by the last four digits', async () => {
	const sandbox = await startSandbox();
	const [card] = await sandbox.cards('active');
	const { results } = await search(sandbox.credentials(), card?.lastFour);
	await sandbox.close();
	expect(results).toEqual([{ name: `${card?.name} •••• ${card?.lastFour}`, value: card?.id }]);
});

test('the API searches by name', async () => {
	const sandbox = await startSandbox();
	const [card] = await sandbox.cards();
	const { results } = await search(sandbox.credentials(), ` ${card?.name} `);
	await sandbox.close();
	expect(results.map(({ value }) => value)).toContain(card?.id);
	expect(results.length).toBeLessThan(5);
});

test('a failure shows its reason', async () => {
	const refused = withServer(
		(_request, response) =>
			json(response, 403, { code: 'forbidden', message: 'Access is not provided' }),
		async (url) => await search(credentialsFor(url)),
	);
	await expect(refused).rejects.toMatchObject({
		message: 'Access is not provided (403 forbidden)',
		description: expect.stringContaining('Card management'),
	});
});
