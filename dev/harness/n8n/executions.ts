import { z } from 'zod';

import { n8nIsSince } from './version.ts';

/** A file that a node put beside an item. */
export interface ItemFile {
	/** Where n8n keeps it, for its `/rest/binary-data`; empty where `data` holds it. */
	id: string;
	fileName: string;
	mimeType: string;
	/** Its bytes in Base64: n8n 1 keeps files in the execution. */
	data: string;
}

/** A node that took part in an execution, and the output of its last run. */
export interface ExecutedNode {
	name: string;
	/** Of all outputs together. */
	items: unknown[];
	/** Of each output. */
	outputs: unknown[][];
	files: ItemFile[];
	/** Why the node failed, in n8n's words. */
	error: string | undefined;
	/** What to do about it: the description below the message. */
	hint: string | undefined;
}

/** A run of a workflow, as n8n recorded it. */
export interface Execution {
	id: string;
	workflowId: string;
	/** n8n's own word: success, error, crashed, canceled… */
	status: string;
	nodes: ExecutedNode[];
	/** Items that the next node would have got: of an execution that was interrupted, all that n8n knows. */
	pending: unknown[];
}

const fileSchema = z.object({
	id: z.string().default(''),
	fileName: z.string().default(''),
	mimeType: z.string(),
	data: z.string().default(''),
});
const itemSchema = z.object({ json: z.unknown(), binary: z.record(fileSchema).optional() });
const runSchema = z.object({
	data: z.object({ main: z.array(z.array(itemSchema).nullable()).optional() }).optional(),
	error: z.object({ message: z.string(), description: z.string().nullish() }).optional(),
});

const stackSchema = z.array(
	z.object({
		data: z.object({ main: z.array(z.array(itemSchema).nullable()).optional() }),
	}),
);

/** Statuses of executions that ran something. */
const hasRun = new Set(['success', 'error']);

/** An execution as n8n's public API tells of it. */
export const executionSchema = z
	.object({
		id: z.coerce.string(),
		workflowId: z.string(),
		status: z.string(),
		data: z
			.object({
				resultData: z
					.object({ runData: z.record(z.array(runSchema)), error: z.unknown() })
					.optional(),
				executionData: z.object({ nodeExecutionStack: stackSchema }).optional(),
			})
			.nullish(),
	})
	.transform(({ data, ...execution }): Execution => {
		const nodes = Object.entries(data?.resultData?.runData ?? {});
		const stack = data?.executionData?.nodeExecutionStack ?? [];
		// n8n 1 stores that an execution has ended before what it did, which is that of before for a retry.
		const isStored =
			n8nIsSince('2') ||
			(nodes.length > 0 && stack.length === 0) ||
			data?.resultData?.error !== undefined;
		const pending = stack.flatMap((entry) =>
			(entry.data.main ?? []).flatMap((items) => items ?? []),
		);
		return {
			...execution,
			status: hasRun.has(execution.status) && !isStored ? 'running' : execution.status,
			nodes: nodes.map(([name, runs]) => toNode(name, runs.at(-1))),
			pending: pending.map(({ json }) => json),
		};
	});

/** A page of executions. */
export const executionPageSchema = z.object({
	data: z.array(executionSchema),
	nextCursor: z.string().nullable(),
});

function toNode(name: string, run: z.infer<typeof runSchema> | undefined): ExecutedNode {
	const outputs = (run?.data?.main ?? []).map((output) => output ?? []);
	const items = outputs.flat();
	return {
		name,
		items: items.map(({ json }) => json),
		outputs: outputs.map((output) => output.map(({ json }) => json)),
		files: items.flatMap(({ binary }) => Object.values(binary ?? {})),
		error: run?.error?.message,
		hint: run?.error?.description ?? undefined,
	};
}

/** Whether n8n is still working on an execution; one that waits has done all it can. */
export function isActive({ status }: Execution): boolean {
	return status === 'new' || status === 'running';
}

/** What a node output in an execution. Throws if it took no part in it. */
export function outputOf({ nodes }: Execution, name: string): ExecutedNode {
	const node = nodes.find((each) => each.name === name);
	if (node) return node;
	throw new Error(`${name} is not among: ${nodes.map((each) => each.name).join(', ')}`);
}
