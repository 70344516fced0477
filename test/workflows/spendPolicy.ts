import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { N8nClient } from '../../dev/harness/n8n/client.ts';
import { readWorkflow, type WorkflowFile } from '../../dev/harness/n8n/workflow.ts';
import { workflowsFolder } from '../../dev/harness/tools/paths.ts';
import { activated, withParameters } from './environment.ts';

/** The table that comes with "Spend policy". */
export const policyTable = (): Promise<string> =>
	readFile(join(workflowsFolder, 'spend-policy.csv'), 'utf8');

/** Imports a table of rules as a person does, chooses it in "Spend policy", and activates e-mail. */
export async function withRules(n8n: N8nClient, name: string, csv: string): Promise<WorkflowFile> {
	const value = await n8n.importDataTable(name, csv);
	const file = activated(
		await readWorkflow(join(workflowsFolder, 'spend-policy.json')),
		'Send e-mail',
	);
	const dataTableId = { __rl: true, mode: 'list', value };
	const parameters = { resource: 'row', operation: 'get', returnAll: true, dataTableId };
	return withParameters(file, 'Rules', parameters);
}
