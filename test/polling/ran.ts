import type { Execution } from '../../dev/harness/n8n/executions.ts';

/** The IDs of events. */
export const idsOf = (items: unknown[]): string[] =>
	(items as { id: string }[]).map(({ id }) => id);

/** What reached the node `Downstream`, execution by execution, in the order in which they started. */
const runsOf = (executions: Execution[]): unknown[][] =>
	[...executions]
		.sort((a, b) => Number(a.id) - Number(b.id))
		.flatMap(({ nodes }) => nodes.filter(({ name }) => name === 'Downstream'))
		.map(({ items }) => items)
		.filter((items) => items.length > 0);

/** The same as IDs of events, in order. */
export const ranIn = (executions: Execution[]): string[] => idsOf(runsOf(executions).flat());
