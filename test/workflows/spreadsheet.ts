import { parse } from 'csv-parse/sync';

import type { N8nClient } from '../../dev/harness/n8n/client.ts';
import { outputOf } from '../../dev/harness/n8n/executions.ts';
import { n8nIsSince } from '../../dev/harness/n8n/version.ts';
import type { WorkflowFile } from '../../dev/harness/n8n/workflow.ts';
import type { Json } from './codeStep';
import { withParameters } from './environment.ts';

/**
 * Prepares a workflow that writes into a data table. n8n 2 makes the table itself. In n8n 1, a person does what
 * the note says: makes it with these columns, and chooses it in each of the `steps`. `numbers` are the columns of
 * the type *Number*.
 */
export async function withDataTable(
	n8n: N8nClient,
	name: string,
	columns: readonly string[],
	numbers: readonly string[],
	steps: readonly string[] = ['Add or update the rows'],
): Promise<(file: WorkflowFile) => WorkflowFile> {
	if (n8nIsSince('2')) return (file) => file;
	const types = columns.map((column) => ({
		// The names of its columns have no spaces.
		name: column.replaceAll(' ', '_'),
		type: numbers.includes(column) ? 'number' : 'string',
	}));
	const value = await n8n.createDataTable(name, types);
	const dataTableId = { __rl: true, mode: 'list', value };
	return (file) =>
		steps.reduce((changed, step) => withParameters(changed, step, { dataTableId }), file);
}

/** Runs a workflow that keeps rows in a data table and makes a CSV file of them. */
export async function runExport(n8n: N8nClient, id: string, trigger: string) {
	const execution = await n8n.run(id, trigger);
	expect(execution.status).toBe('success');
	const rows = outputOf(execution, 'Add or update the rows').items as Json[];
	const [file] = outputOf(execution, 'Make the file').files;
	if (!file) throw new Error('There is no file');
	const content = await n8n.download(file);
	return {
		rows,
		/** The IDs of the rows in the table, sorted. */
		rowIds: rows.map((row) => row.id).sort(),
		...{ fileName: file.fileName, content, csv: parse(content, { bom: true }) },
	};
}
