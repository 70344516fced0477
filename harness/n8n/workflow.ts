import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ImportedCredential } from './n8n.ts';
import { z } from 'zod';

const workflowSchema = z
	.object({
		name: z.string(),
		nodes: z.array(z.object({ name: z.string(), type: z.string() }).passthrough()),
	})
	.passthrough();

/** A workflow as a file holds it: what a person imports, without the data of any n8n. */
export type WorkflowFile = z.infer<typeof workflowSchema>;

/** Reads a workflow file. Throws when it is none. */
export async function readWorkflow(file: string): Promise<WorkflowFile> {
	return workflowSchema.parse(JSON.parse(await readFile(file, 'utf8')));
}

/**
 * Does to a workflow what a person does after importing it: gives it an id, its trigger a webhook URL,
 * and each node of a type in `credentials` its credential. The webhook's id is a new one, unless told.
 */
export function setUpWorkflow(
	workflow: WorkflowFile,
	credentials: Readonly<Record<string, Omit<ImportedCredential, 'data'>>>,
	webhookId: string = randomUUID(),
): { workflow: WorkflowFile & { id: string }; webhookId: string } {
	const nodes = workflow.nodes.map((node) => {
		const found = credentials[node.type];
		return {
			...node,
			...(node.type.endsWith('Trigger') && { webhookId }),
			...(found && { credentials: { [found.type]: { id: found.id, name: found.name } } }),
		};
	});
	return { workflow: { ...workflow, id: newId(), nodes }, webhookId };
}

/** An id as n8n makes them: 16 letters and digits. */
export function newId(): string {
	return randomUUID().replaceAll('-', '').slice(0, 16);
}
