import type { N8n } from '../../../harness/n8n/n8n.ts';
import { addCredential } from './editor.ts';
import type { WorkflowStage } from './stage.ts';

/** Stores a credential for one workflow, and gives what its nodes are set up with. Throws when n8n refuses. */
export async function storeCredential(
	n8n: N8n,
	type: string,
	data: object,
): Promise<WorkflowStage['credentials'][string]> {
	return { id: await addCredential(n8n, type, data), name: type, type };
}
