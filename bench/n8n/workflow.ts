import { randomUUID } from 'node:crypto';
import { newId } from '../../harness/n8n/workflow.ts';

/** A node of a bench workflow, as far as one differs from another. */
export interface BenchNode {
	name: string;
	type: string;
	typeVersion?: number;
	parameters?: object;
	/** Credential type → id. */
	credentials?: Record<string, string>;
}

/** A workflow as `n8n import:workflow` reads it, and where its webhook will be. */
export interface BenchWorkflow {
	id: string;
	name: string;
	nodes: object[];
	connections: object;
	settings: object;
	/** The path of the webhook of its first node, below /webhook/. */
	webhookPath: string;
}

/** What else is connected, beyond one node to the next: from the output `output` of `from`. */
export interface Branch {
	from: string;
	output: number;
	to: string;
}

/**
 * Makes a workflow of nodes, each connected to the next, that starts with a webhook. Executions are
 * saved as n8n does by default: all of them, with all data.
 *
 * @param path that the first node's type puts behind its webhook id; none for the Webhook node itself
 * @param branches connections beyond the row; a node that one leads to is not connected by the row
 */
export function chain(
	name: string,
	nodes: readonly BenchNode[],
	{ path, branches = [] }: { path?: string; branches?: readonly Branch[] } = {},
): BenchWorkflow {
	const webhookId = randomUUID();
	const outputs = new Map<string, { node: string; type: string; index: number }[][]>();
	const connect = ({ from, output, to }: Branch) => {
		const main = outputs.get(from) ?? [];
		while (main.length <= output) main.push([]);
		main[output]?.push({ node: to, type: 'main', index: 0 });
		outputs.set(from, main);
	};
	for (const [index, node] of nodes.slice(1).entries()) {
		const before = nodes[index];
		const isBranch = branches.some(({ to }) => to === node.name);
		if (before !== undefined && !isBranch) connect({ from: before.name, output: 0, to: node.name });
	}
	branches.forEach(connect);
	return {
		id: newId(),
		name,
		nodes: nodes.map((node, index) => ({
			id: randomUUID(),
			position: [index * 200, 0],
			typeVersion: 1,
			...node,
			parameters: {
				...(index === 0 && path === undefined && { path: webhookId }),
				...node.parameters,
			},
			credentials: Object.fromEntries(
				Object.entries(node.credentials ?? {}).map(([type, id]) => [type, { id, name: type }]),
			),
			...(index === 0 && { webhookId }),
		})),
		connections: Object.fromEntries([...outputs].map(([from, main]) => [from, { main }])),
		settings: {},
		webhookPath: path === undefined ? webhookId : `${webhookId}/${path}`,
	};
}
