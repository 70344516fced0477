import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import type { N8nClient, StoredCredential } from '../../../dev/harness/n8n/client.ts';
import { type Connection, node, type WorkflowNode } from '../../../dev/harness/n8n/workflow.ts';

/** An AI agent after the node "Start", with a model and one tool. */
export function agentWith(
	tool: WorkflowNode,
	modelCredential: StoredCredential,
	typeVersion: number,
): { nodes: WorkflowNode[]; connections: Connection[] } {
	const agent = node('Agent', '@n8n/n8n-nodes-langchain.agent', {
		typeVersion,
		parameters: { promptType: 'define', text: 'Go' },
	});
	const languageModel = node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', {
		typeVersion: 1.2,
		parameters: { model: { __rl: true, mode: 'id', value: 'stand-in' } },
		credential: modelCredential,
	});
	return {
		nodes: [agent, languageModel, tool],
		connections: [
			['Start', 'Agent'],
			['Model', 'Agent', { type: 'ai_languageModel' }],
			[tool.name, 'Agent', { type: 'ai_tool' }],
		],
	};
}

/** An MCP Server Trigger that offers one tool. */
export function mcpServerWith(
	tool: WorkflowNode,
	path: string,
): { nodes: WorkflowNode[]; connections: Connection[] } {
	const trigger = node('MCP', '@n8n/n8n-nodes-langchain.mcpTrigger', {
		typeVersion: 2,
		webhookId: path,
		parameters: { authentication: 'none', path },
	});
	return { nodes: [trigger, tool], connections: [[tool.name, 'MCP', { type: 'ai_tool' }]] };
}

/** Connects to the MCP Server Trigger with a path. */
export async function connectMcp(n8n: N8nClient, path: string): Promise<Client> {
	const client = new Client({ name: 'test', version: '1.0.0' });
	await client.connect(new StreamableHTTPClientTransport(new URL(`${n8n.url}/mcp/${path}`)));
	return client;
}
