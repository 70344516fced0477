import { LoadOptionsContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';

import { searchCards } from '../../nodes/CardPlatform/methods/listSearch';
import {
	createAdditionalData,
	createNode,
	type Credentials,
	credentialsFor,
	knownNodeTypes,
} from '../../harness/core/runNode.ts';
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

const fullPage = Array.from({ length: 100 }, (_, index) => ({ id: `card-${index}`, name: 'x' }));

test.each([
	['the envelope says that there are more', { data: fullPage, page: 1, totalPages: 3 }, '2'],
	['the envelope says that this is all', { data: fullPage, page: 1, totalPages: 1 }, undefined],
	[
		'the total is a lower bound',
		{ data: fullPage, totalPages: 1, totalItemCountCapped: true },
		'2',
	],
	['a full page without a total', fullPage, '2'],
	['a short page without a total', fullPage.slice(1), undefined],
	['more than requested: the list is not paged', [...fullPage, { id: 'more' }], undefined],
	['another page than requested', { data: fullPage, page: 2, totalPages: 3 }, undefined],
	['nothing', [], undefined],
])('the next page, where %s', async (_name, body, next) => {
	const { result } = await withServer(
		(_request, response) => json(response, 200, body),
		async (url) => await search(credentialsFor(url)),
	);
	expect(result.paginationToken).toBe(next);
});

test('one page only, where no page parameter is sent', async () => {
	const { result } = await withServer(
		(_request, response) => json(response, 200, fullPage),
		async (url) => await search(credentialsFor(url, { parameterNames: '{"page":""}' })),
	);
	expect(result.results).toHaveLength(100);
	expect(result.paginationToken).toBeUndefined();
});

test('a page is asked for by its number, under the names of the credential', async () => {
	const { urls } = await withServer(
		(_request, response) => json(response, 200, []),
		async (url) =>
			await search(
				credentialsFor(url, { parameterNames: '{"page":"p","pageSize":"size","name":"q"}' }),
				'Travel',
				'3',
			),
	);
	expect(urls).toEqual(['/cards?q=Travel&p=3&size=100']);
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
