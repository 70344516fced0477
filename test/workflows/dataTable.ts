import type { N8nClient } from '../../dev/harness/n8n/client.ts';
import { n8nIsSince } from '../../dev/harness/n8n/version.ts';
import type { WorkflowFile } from '../../dev/harness/n8n/workflow.ts';
import { withParameters } from './environment.ts';

/**
 * Prepares a workflow that writes into a data table. n8n 2 makes the table itself. In n8n 1, a person does what
 * the note says: makes it with these columns, and chooses it. `numbers` are the columns of the type *Number*.
 */
export async function withDataTable(
	n8n: N8nClient,
	name: string,
	columns: readonly string[],
	numbers: readonly string[],
): Promise<(file: WorkflowFile) => WorkflowFile> {
	if (n8nIsSince('2')) return (file) => file;
	// The names of its columns have no spaces.
	const names = columns.map((column) => column.replaceAll(' ', '_'));
	const row = columns.map((column) => (numbers.includes(column) ? '1.5' : 'x'));
	const value = await n8n.importDataTable(name, `${names.join()}\n${row.join()}\n`);
	const dataTableId = { __rl: true, mode: 'list', value };
	return (file) => withParameters(file, 'Add or update the rows', { dataTableId });
}
