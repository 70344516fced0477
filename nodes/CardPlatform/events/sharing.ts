import type { FunctionsBase, NodeTypeAndVersion } from 'n8n-workflow';
import { z } from 'zod';

/** Also one that is disabled: when it is enabled again, it must know what has run in between. */
const isTrigger = ({ type }: NodeTypeAndVersion): boolean =>
	/\.cardPlatform(Polling)?Trigger$/.test(type);

/** Every context of n8n has its workflow, though not in its type: nothing else shows the IDs of other nodes. */
const contextSchema = z.object({
	workflow: z.object({ nodes: z.record(z.string(), z.object({ id: z.string() })) }),
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
