import { z } from 'zod';

import { cardPlatform, type WorkflowFile, type WorkflowNode } from '../../harness/n8n/workflow.ts';
import { pollTimes } from '../polling/pollTimes.ts';

const nodeSchema = z.object({
	parameters: z
		.object({ events: z.unknown(), filters: z.unknown(), options: z.object({}).passthrough() })
		.partial()
		.passthrough(),
});

/** A node; a polling trigger polls every three seconds. */
export const pollsSoon = (node: WorkflowNode): WorkflowNode =>
	node.type === cardPlatform.pollingTrigger
		? { ...node, parameters: { ...nodeSchema.parse(node).parameters, pollTimes } }
		: node;

/** The polling trigger in place of the webhook trigger, with the settings that README names. */
export function polling(file: WorkflowFile): WorkflowFile {
	const nodes = file.nodes
		.filter(({ type }) => type !== cardPlatform.pollingTrigger)
		.map((node) => {
			if (node.type !== cardPlatform.trigger) return node;
			const { events, filters, options } = nodeSchema.parse(node).parameters;
			const parameters = {
				...(events !== undefined && { events }),
				...(filters !== undefined && { filters }),
				pollTimes,
				options: { ...options, executionPerEvent: true },
			};
			return { ...node, type: cardPlatform.pollingTrigger, typeVersion: 1, parameters };
		});
	const names = new Set(nodes.map(({ name }) => name));
	const connections = Object.entries(z.record(z.unknown()).parse(file.connections));
	return {
		...file,
		nodes,
		connections: Object.fromEntries(connections.filter(([name]) => names.has(name))),
	};
}
