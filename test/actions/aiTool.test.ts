import { createNodeAsTool } from 'n8n-core/dist/execution-engine/node-execution-context/utils/create-node-as-tool';

import { createNode } from '../../harness/core/runNode.ts';
import { CardPlatform } from '../../nodes/CardPlatform/CardPlatform.node';
import { OPERATIONS } from '../support/operations';

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

test('each operation is a tool that a model can tell from the others', () => {
	const seen = OPERATIONS.map(({ resource, operation }) => toTool(resource, operation).description);
	expect(seen).toEqual(OPERATIONS.map(({ action }) => `${action} in Card Platform`));
	expect(new Set(seen).size).toBe(seen.length);
	// A model reads no other warning.
	expect(seen).toContain('Transfer real money between accounts in Card Platform');
	expect(seen).toContain('Archive card permanently in Card Platform');
});

test('the model is asked for what $fromAI names', async () => {
	const tool = toTool('card', 'freeze');
	expect(await tool.invoke({ cardId: 'x' })).toEqual({ cardId: 'x' });
	await expect(tool.invoke({})).rejects.toThrow(/schema/);
});
