import type { FunctionsBase, NodeTypeAndVersion } from 'n8n-workflow';

/** Also one that is disabled: when it is enabled again, it must know what has run in between. */
const isTrigger = ({ type }: NodeTypeAndVersion): boolean =>
	/\.cardPlatform(Polling)?Trigger$/.test(type);

/** A memory that several triggers of a workflow share. */
export interface Sharing {
	/** Names the list in n8n's database. */
	place: string;
	/** Tells the events of these triggers from those of others in the workflow. */
	prefix: string;
}

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
 * Finds out whether a trigger shares its memory: with each other Card Platform trigger, of either
 * kind, that starts exactly the same nodes. An event that came through one of them is then not run
 * again when it comes through another. Triggers that start different nodes do different things with
 * an event, and each needs it.
 *
 * @returns undefined if there is no such trigger
 */
export function findSharing(
	context: Pick<FunctionsBase, 'getWorkflow' | 'getNode' | 'getChildNodes' | 'getParentNodes'>,
): Sharing | undefined {
	const own = context.getNode().name;
	const next = nextNodes(context, own);
	const [first] = next;
	if (first === undefined) return undefined;

	const startsTheSame = ({ name }: NodeTypeAndVersion): boolean =>
		JSON.stringify(nextNodes(context, name)) === JSON.stringify(next);
	const triggers = context
		.getParentNodes(first, { depth: 1 })
		.filter((parent) => isTrigger(parent) && startsTheSame(parent))
		.map(({ name }) => name);
	if (triggers.length < 2) return undefined;
	// The nodes that they start change more often.
	return { place: `${context.getWorkflow().id}:`, prefix: JSON.stringify(triggers.sort()) };
}
