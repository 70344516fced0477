import type { FunctionsBase } from 'n8n-workflow';
import { z } from 'zod';

import { isDataObject, toText } from '../api/values';
import { ALL } from './eventTypes';
import { normalizeFilter } from './filters';

/**
 * Finds the equivalent triggers: those that start the same nodes for the same events. They are of either kind, perhaps
 * disabled, with the same Trigger On, filters (however written), Each Approved Step and direct connections.
 *
 * @returns names of their memories, which survive a rename: the trigger's own first, perhaps twice
 */
export function findEquivalent(context: Pick<FunctionsBase, 'getNode'>): [string, ...string[]] {
	const own = context.getNode();
	const { nodes, connectionsBySourceNode } = contextSchema.parse(context).workflow;
	const triggers = [...nodes.values()].filter(({ type }) =>
		/\.cardPlatform(Polling)?Trigger$/.test(type),
	);
	/** Everything that decides which events start which nodes. */
	const behaviorOf = ({ name, parameters }: { name: string; parameters?: unknown }): string => {
		const { events = ALL, filters, options } = isDataObject(parameters) ? parameters : {};
		const everyApproval = isDataObject(options) && options.everyApproval === true;
		const targets = connectionsBySourceNode.get(name)?.main[0] ?? [];
		const types = [events].flat().flatMap((each) => toText(each)?.split(/\s*,\s*/));
		const normalized = Object.entries(filters ?? {}).map((filter) => [
			filter[0],
			normalizeFilter(...filter),
		]);
		const lists = [types, normalized, targets];
		const sorted = lists.map((list) => list.map((each) => JSON.stringify(each)).sort());
		return JSON.stringify([...sorted, everyApproval]);
	};
	// An import can bring two nodes with one ID.
	const memoryOf = ({ id, name }: { id: string; name: string }) =>
		triggers.filter((each) => each.id === id).length > 1 ? `${id} ${name}` : id;
	const equivalent = triggers.filter(
		(each) => behaviorOf(each) === behaviorOf(nodes.get(own.name) ?? own),
	);
	return [memoryOf(own), ...equivalent.map(memoryOf)];
}

/** By the names of nodes. Not a record of zod, which in zod 4 refuses the name `constructor`. */
const byName = <T extends z.ZodTypeAny>(schema: T) =>
	z
		.unknown()
		.transform((named) => Object.entries(isDataObject(named) ? named : {}))
		.pipe(z.array(z.tuple([z.string(), schema])))
		.transform((entries) => new Map<string, z.output<T>>(entries));

/** Every context of n8n has its workflow, but its type does not. */
const contextSchema = z
	.object({
		workflow: z.object({
			nodes: byName(
				z.object({ id: z.string(), name: z.string(), type: z.string(), parameters: z.unknown() }),
			),
			connectionsBySourceNode: byName(
				z.object({ main: z.array(z.array(z.unknown()).nullish()).default([]) }),
			),
		}),
	})
	.catch({ workflow: { nodes: new Map(), connectionsBySourceNode: new Map() } });
