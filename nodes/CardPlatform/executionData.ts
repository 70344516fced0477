import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/** Longest value, in characters: n8n keeps 512, but logs an error from 256 on. */
const MAX_LENGTH = 255;

const SEPARATOR = ', ';

/**
 * Adds IDs to the data of the execution, by which a person filters the list of executions. n8n looks for
 * a part of the value unless asked for an exact match, so several IDs are one value; those that do
 * not fit are left out. It has no effect before n8n 2.30 and never fails: an execution matters more.
 */
export function addExecutionData(
	context: IExecuteFunctions,
	ids: Partial<Record<'cardId' | 'transactionId' | 'eventId', unknown[]>>,
): void {
	if (!('customData' in context)) return;
	try {
		const { customData } = context;
		for (const [key, added] of Object.entries(ids)) {
			const known = customData.getAll()[key]?.split(SEPARATOR) ?? [];
			const all = new Set<unknown>(known);
			for (const id of added) {
				if (typeof id !== 'string' || id === '' || all.has(id)) continue;
				if ([...all, id].join(SEPARATOR).length <= MAX_LENGTH) all.add(id);
			}
			if (all.size > known.length) customData.set(key, [...all].join(SEPARATOR));
		}
	} catch {
		// n8n throws where there is no execution to store it with.
	}
}

/**
 * Adds the events that a trigger emits to the data of the execution.
 *
 * @returns the outputs as they are
 */
export function describeEvents(
	context: IExecuteFunctions,
	outputs: INodeExecutionData[][],
): INodeExecutionData[][] {
	const events = outputs.flat().map(({ json }) => json);
	addExecutionData(context, {
		cardId: events.map(({ cardId }) => cardId),
		transactionId: events.map(({ transactionId }) => transactionId),
		eventId: events.map(({ id }) => id),
	});
	return outputs;
}
