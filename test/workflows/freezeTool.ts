import type { WorkflowFile } from '../../harness/n8n/workflow.ts';

/** The workflow with one more tool for its agent: `Freeze_a_card`, which takes a `cardId`. */
export function withFreezeTool(file: WorkflowFile, agent: string): WorkflowFile {
	const cardId = { __rl: true, mode: 'id', value: "={{ $fromAI('cardId', 'ID of the card') }}" };
	const tool = {
		name: 'Freeze a card',
		type: 'n8n-nodes-card-platform.cardPlatformTool',
		typeVersion: 1,
		position: [0, 900],
		parameters: { resource: 'card', operation: 'freeze', cardId },
	};
	return {
		...file,
		nodes: [...file.nodes, tool],
		connections: {
			...Object(file.connections),
			[tool.name]: { ai_tool: [[{ node: agent, type: 'ai_tool', index: 0 }]] },
		},
	};
}
