import { z } from 'zod';
import type { N8n } from '../../../harness/n8n/n8n.ts';
import type { Execution, ItemFile } from '../../../harness/n8n/executions.ts';
import { waitUntil } from '../../../harness/tools/waiting.ts';

const createdSchema = z.object({ data: z.object({ id: z.string() }) });
const savedSchema = z.object({ data: z.object({ versionId: z.string() }) });
const startedSchema = z.object({ data: z.object({ executionId: z.string() }) });

/** n8n's words for an execution that goes on. */
const goingOn: readonly string[] = ['new', 'running', 'waiting'];

/** Far more than any of the workflows takes, even on a busy machine. */
const withinMs = 120_000;

/** Stores a credential in a running n8n, and gives its id. Throws when n8n refuses. */
export async function addCredential(n8n: N8n, type: string, data: object): Promise<string> {
	const body = { name: type, type, data };
	return createdSchema.parse(await n8n.editorJson('/rest/credentials', body)).data.id;
}

/** Stores a workflow in a running n8n, and gives its id. Throws when n8n refuses. */
export async function addWorkflow(n8n: N8n, workflow: object): Promise<string> {
	return createdSchema.parse(await n8n.editorJson('/rest/workflows', workflow)).data.id;
}

/** Publishes a workflow and waits until its triggers are on. Throws with n8n's reason when it cannot be. */
export async function publish(n8n: N8n, id: string): Promise<void> {
	const { data } = savedSchema.parse(await n8n.editorJson(`/rest/workflows/${id}`));
	await n8n.editorJson(`/rest/workflows/${id}/activate`, { versionId: data.versionId });
	await n8n.untilItListens(id);
}

/** Runs a workflow as the editor's button does, from the trigger of this name; gives the execution once it has ended. */
export async function runNow(n8n: N8n, id: string, trigger: string): Promise<Execution> {
	const body = { triggerToStartFrom: { name: trigger } };
	const { data } = startedSchema.parse(await n8n.editorJson(`/rest/workflows/${id}/run`, body));
	return executionEnded(n8n, data.executionId);
}

/** An execution by its id, once it has ended. */
async function executionEnded(n8n: N8n, id: string): Promise<Execution> {
	const probe = async () => {
		const execution = await n8n.execution(id);
		return goingOn.includes(execution.status) ? undefined : execution;
	};
	return waitUntil(probe, { what: `the end of execution ${id}`, withinMs });
}

/** The bytes of a file that an execution holds. */
export async function download(n8n: N8n, { id }: ItemFile): Promise<Buffer> {
	const query = new URLSearchParams({ id, action: 'download' });
	return n8n.editorFile(`/rest/binary-data?${query.toString()}`);
}

/** What a node gave out in an execution. Throws when it took no part in it. */
export function outputOf({ nodes }: Execution, name: string): Execution['nodes'][number] {
	const node = nodes.find((each) => each.name === name);
	if (node) return node;
	throw new Error(`${name} is not among: ${nodes.map((each) => each.name).join(', ')}`);
}
