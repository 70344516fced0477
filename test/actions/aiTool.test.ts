import { createNodeAsTool } from 'n8n-core/dist/execution-engine/node-execution-context/utils/create-node-as-tool';

import { createNode } from '../../harness/core/runNode.ts';
import { RESOURCES } from '../../nodes/CardPlatform/actions/table';
import { CardPlatform } from '../../nodes/CardPlatform/CardPlatform.node';
import { TOOLS } from '../support/tools';

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

test('the table below has every operation', () => {
	const operations = RESOURCES.flatMap(({ value, operations: each }) =>
		each.map((operation) => `${value} ${operation.value}`),
	);
	expect(TOOLS.map(([resource, operation]) => `${resource} ${operation}`)).toEqual(operations);
});

test.each(TOOLS)('%s %s: the model sees "%s"', (resource, operation, description) => {
	expect(toTool(resource, operation).description).toBe(description);
});

test('each operation has a different action', () => {
	const actions = RESOURCES.flatMap(({ operations }) => operations.map(({ action }) => action));
	expect(new Set(actions).size).toBe(actions.length);
});

test('the model is asked for what $fromAI names', async () => {
	const tool = toTool('card', 'freeze');
	expect(await tool.invoke({ cardId: 'x' })).toEqual({ cardId: 'x' });
	await expect(tool.invoke({})).rejects.toThrow(/schema/);
});
