import { createNodeAsTool } from 'n8n-core/dist/execution-engine/node-execution-context/utils/create-node-as-tool';

import { CardPlatform } from '../../nodes/CardPlatform/CardPlatform.node';
import { RESOURCES } from '../../nodes/CardPlatform/actions/table';
import { startServer } from '../support/httpServer';
import { credentialsFor } from '../support/credentials';
import { createNode, runNode } from '../support/n8n';

const operations = RESOURCES.flatMap((resource) =>
	resource.operations.map((operation) => ({ resource: resource.value, ...operation })),
);

const toTool = (resource: string, operation: string) =>
	createNodeAsTool({
		node: createNode('cardPlatform', {
			resource,
			operation,
			cardId: { __rl: true, mode: 'id', value: "={{ $fromAI('cardId', 'ID of the card') }}" },
		}),
		nodeType: new CardPlatform(),
		handleToolInvocation: async (args) => await Promise.resolve(args),
	}).response;

test('the node can be used as a tool', () => {
	expect(new CardPlatform().description.usableAsTool).toBe(true);
});

test.each(operations)(
	'$resource $value: the model sees what it does, and its risk',
	(operation) => {
		const { description } = toTool(operation.resource, operation.value);
		expect(description).toMatch(new RegExp(`^${operation.action}.* in Card Platform$`));
		const isRead = operation.effect === 'read' && operation.value !== 'getSensitiveDetails';
		expect(/\(.*\) in/.test(description)).toBe(!isRead);
	},
);

test('no two operations are told apart by their place only', () => {
	expect(new Set(operations.map(({ action }) => action)).size).toBe(operations.length);
});

test('every write says in the form that it changes something, and no read does', () => {
	const selectors = new CardPlatform().description.properties.filter(
		({ name }) => name === 'operation',
	);
	const descriptionOf = (resource: string, value: string) =>
		selectors
			.filter(({ displayOptions }) => displayOptions?.show?.resource?.includes(resource))
			.flatMap(({ options = [] }) => options)
			.filter((option) => 'value' in option && option.value === value)
			.map((option) => ('description' in option ? option.description : undefined));
	for (const { resource, value, effect } of operations) {
		const warning = expect.stringContaining('Changes live data');
		expect(descriptionOf(resource, value)).toEqual([
			effect === 'read' ? expect.not.stringContaining('Changes live data') : warning,
		]);
	}
});

test('the model is asked for what $fromAI names', async () => {
	const tool = toTool('card', 'freeze');
	expect(await tool.invoke({ cardId: 'x' })).toEqual({ cardId: 'x' });
	await expect(tool.invoke({})).rejects.toThrow(/schema/);
});

test('a read-only credential keeps every writing tool from doing anything', async () => {
	const server = await startServer((_request, response) => response.writeHead(204).end());
	for (const { resource, value } of operations.filter(({ effect }) => effect !== 'read')) {
		const { error } = await runNode({
			parameters: { resource, operation: value },
			credentials: credentialsFor(server.url, { readOnly: true }),
		});
		expect(error?.message).toContain('The credential is read-only');
	}
	await server.close();
	expect(server.requests).toEqual([]);
});
