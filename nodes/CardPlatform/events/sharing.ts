import type { FunctionsBase, NodeTypeAndVersion } from 'n8n-workflow';
import { z } from 'zod';

import { isDataObject } from '../api/json';

/** Also one that is disabled: when it is enabled again, it must know what has run in between. */
const isTrigger = ({ type }: NodeTypeAndVersion): boolean =>
	/\.cardPlatform(Polling)?Trigger$/.test(type);

const nodeSchema = z.object({
	id: z.string(),
	type: z.unknown(),
	disabled: z.unknown(),
	parameters: z.unknown(),
});

/** Every context of n8n has its workflow, though not in its type: nothing else shows other nodes' IDs and parameters. */
const contextSchema = z.object({
	workflow: z.object({ nodes: z.record(z.string(), nodeSchema) }),
});

/** The nodes that come right after a node; of those further on, one is the child of another. */
function nextNodes(context: Pick<FunctionsBase, 'getChildNodes' | 'getParentNodes'>, name: string) {
	const isNext = ({ name: child }: NodeTypeAndVersion) =>
		context.getParentNodes(child, { depth: 1 }).some((parent) => parent.name === name);
	return context
		.getChildNodes(name)
		.filter(isNext)
		.map((child) => child.name)
		.sort();
}

/**
 * Finds the triggers that share their memory: the Card Platform triggers, of either kind, that start
 * exactly the same nodes. An event that came through one of them is then not run again when it comes
 * through another. Triggers that start different nodes do different things with an event, and each
 * needs it.
 *
 * @returns their IDs, which survive a rename; that of the trigger itself comes first
 */
export function findSharing(
	context: Pick<FunctionsBase, 'getNode' | 'getChildNodes' | 'getParentNodes'>,
): string[] {
	const own = context.getNode();
	const next = nextNodes(context, own.name);
	const [first] = next;
	if (first === undefined) return [own.id];

	const startsTheSame = ({ name }: NodeTypeAndVersion): boolean =>
		JSON.stringify(nextNodes(context, name)) === JSON.stringify(next);
	const { data } = contextSchema.safeParse(context);
	const triggers = context
		.getParentNodes(first, { depth: 1 })
		.filter((parent) => isTrigger(parent) && startsTheSame(parent))
		.map(({ name }) => data?.workflow.nodes[name]?.id ?? name);
	return [...new Set([own.id, ...triggers])];
}

/** What decides which events a trigger starts the workflow for, as it was typed. */
function choiceOf(parameters: unknown): string {
	const { events, filters, options } = isDataObject(parameters) ? parameters : {};
	const everyApproval = isDataObject(options) && options.everyApproval;
	return JSON.stringify([events, filters, everyApproval ?? false]);
}

/**
 * Finds out whether each event of a polling trigger should also come by webhook: through a Card Platform
 * Trigger that shares its memory and chooses the same events.
 */
export function hasEqualWebhook(context: Parameters<typeof findSharing>[0]): boolean {
	const nodes = contextSchema.safeParse(context).data?.workflow.nodes ?? {};
	const choice = choiceOf(nodes[context.getNode().name]?.parameters);
	const sharing = findSharing(context);
	return Object.values(nodes).some(
		({ id, type, disabled, parameters }) =>
			String(type).endsWith('.cardPlatformTrigger') &&
			disabled !== true &&
			sharing.includes(id) &&
			choiceOf(parameters) === choice,
	);
}
