import { LoadOptionsContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';

import { searchCards } from '../../nodes/CardPlatform/methods/listSearch';
import { type Credentials, credentialsFor } from '../../harness/core/credentials.ts';
import { createAdditionalData, createNode, knownNodeTypes } from '../../harness/core/runNode.ts';
import { type Answer, json, startServer } from '../../harness/httpServer';
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

test('cards with their name, last four digits and status', async () => {
	const sandbox = await startSandbox();
	const cards = await sandbox.cards();
	const { results, paginationToken } = await search(sandbox.credentials());
	await sandbox.close();
	expect(results).toEqual(
		cards.map(({ id, name, lastFour, status }) => ({
			name: `${name} •••• ${lastFour} (${status})`,
			value: id,
		})),
	);
	expect(paginationToken).toBeUndefined();
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
