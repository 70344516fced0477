import { n8nIsSince } from './version.ts';

/** A file that a node put beside an item. */
export interface ItemFile {
	/** Where n8n keeps it, for its `/rest/binary-data`; none where `data` holds it. */
	id?: string;
	fileName: string;
	mimeType: string;
	/** Its bytes in Base64: n8n 1 keeps files in the execution. */
	data: string;
}

/** A node that took part in an execution, and the output of its last run. */
export interface ExecutedNode {
	name: string;
	items: unknown[];
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

interface StoredItems {
	main?: ({ json: unknown; binary?: Record<string, ItemFile> }[] | null)[];
}

interface StoredRun {
	data?: StoredItems;
	error?: { message: string; description?: string | null };
}

/** An execution as n8n's public API tells of it. */
export interface StoredExecution {
	id: number | string;
	workflowId: string;
	status: string;
	data?: {
		resultData?: { runData: Record<string, StoredRun[]>; error?: unknown };
		executionData?: { nodeExecutionStack: { data: StoredItems }[] };
	} | null;
}

/** Statuses of executions that ran something. */
const hasRun = new Set(['success', 'error']);

/** Takes out of an execution what it did. */
export function toExecution({ id, workflowId, status, data }: StoredExecution): Execution {
	const { runData = {}, error } = data?.resultData ?? {};
	const stack = data?.executionData?.nodeExecutionStack ?? [];
	const nodes = Object.entries(runData).map(([name, runs]) => toNode(name, runs.at(-1)));
	// n8n 1 stores that an execution has ended before what it did, which is that of before for a retry.
	const isStored =
		n8nIsSince('2') || (nodes.length > 0 && stack.length === 0) || error !== undefined;
	return {
		id: String(id),
		workflowId,
		status: hasRun.has(status) && !isStored ? 'running' : status,
		nodes,
		pending: stack.flatMap((entry) => itemsOf(entry.data).flat()).map(({ json }) => json),
	};
}

function toNode(name: string, run: StoredRun | undefined): ExecutedNode {
	const outputs = itemsOf(run?.data);
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

const itemsOf = ({ main = [] }: StoredItems = {}) => main.map((items) => items ?? []);

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
