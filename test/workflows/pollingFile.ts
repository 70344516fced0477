import { z } from 'zod';

import type { N8nClient } from '../../harness/n8n/client.ts';
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

/** Makes a published workflow poll every three seconds from now on: before, a poll could be faster than a delivery. */
export async function startPolling(n8n: N8nClient, id: string): Promise<void> {
	const { nodes, connections } = await n8n.workflow(id);
	await n8n.changeWorkflow(id, { nodes: nodes.map(pollsSoon), connections });
	await n8n.publish(id);
}

/**
 * A workflow that only polls: without its webhook trigger, if it has a polling trigger; else with a polling
 * trigger in its place, with the settings that README names.
 */
export function polling(file: WorkflowFile): WorkflowFile {
	const polls = file.nodes.some(({ type }) => type === cardPlatform.pollingTrigger);
	const nodes = polls
		? file.nodes.filter(({ type }) => type !== cardPlatform.trigger)
		: file.nodes.map(toPolling);
	const names = new Set(nodes.map(({ name }) => name));
	const connections = Object.entries(z.record(z.unknown()).parse(file.connections));
	return {
		...file,
		nodes: nodes.map(pollsSoon),
		connections: Object.fromEntries(connections.filter(([name]) => names.has(name))),
	};
}

function toPolling(node: WorkflowNode): WorkflowNode {
	if (node.type !== cardPlatform.trigger) return node;
	const { events, filters, options } = nodeSchema.parse(node).parameters;
	const parameters = {
		...(events !== undefined && { events }),
		...(filters !== undefined && { filters }),
		options: { ...options, executionPerEvent: true },
	};
	return { ...node, type: cardPlatform.pollingTrigger, typeVersion: 1, parameters };
}
