import {
	cardPlatform,
	type WorkflowFile,
	type WorkflowNode,
} from '../../dev/harness/n8n/workflow.ts';
import { pollTimes } from '../polling/pollTimes.ts';

interface TriggerParameters {
	events?: unknown;
	filters?: unknown;
	options?: object;
}

/** A node; a polling trigger polls every three seconds. */
export const pollsSoon = (node: WorkflowNode): WorkflowNode =>
	node.type === cardPlatform.pollingTrigger
		? { ...node, parameters: { ...Object(node.parameters), pollTimes } }
		: node;

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
	const connections = Object.entries(file.connections as object);
	return {
		...file,
		nodes: nodes.map(pollsSoon),
		connections: Object.fromEntries(connections.filter(([name]) => names.has(name))),
	};
}

function toPolling(node: WorkflowNode): WorkflowNode {
	if (node.type !== cardPlatform.trigger) return node;
	const { events, filters, options } = node.parameters as TriggerParameters;
	const parameters = {
		...(events !== undefined && { events }),
		...(filters !== undefined && { filters }),
		options: { ...options, executionPerEvent: true },
	};
	return { ...node, type: cardPlatform.pollingTrigger, typeVersion: 1, parameters };
}
