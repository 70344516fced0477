import { createNodeAsTool } from 'n8n-core/dist/execution-engine/node-execution-context/utils/create-node-as-tool';

import { createNode } from '../../dev/harness/core/credentials.ts';
import { CardPlatform } from '../../nodes/CardPlatform/CardPlatform.node';
import { ALL } from '../support/operations';

test('each operation is a tool that a model can tell from the others', () => {
	const seen = ALL.map(({ parameters }) => {
		const node = createNode('cardPlatform', parameters);
		const handleToolInvocation = async () => await Promise.resolve();
		const tool = createNodeAsTool({ node, nodeType: new CardPlatform(), handleToolInvocation });
		return tool.response.description;
	});
	expect(seen).toEqual(ALL.map(({ action }) => `${action} in Card Platform`));
	expect(new Set(seen).size).toBe(seen.length);
	// A model reads no other warning.
	expect(seen).toContain('Transfer real money between accounts in Card Platform');
	expect(seen).toContain('Test API for differences in Card Platform');
	expect(seen).toContain('Archive card permanently in Card Platform');
});
