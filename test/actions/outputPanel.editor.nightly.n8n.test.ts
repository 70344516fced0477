import { cardNode, node, workflowOf } from '../../dev/harness/n8n/workflow.ts';
import { onPage, useEditorEnvironment } from '../support/n8n/editor.ts';

const environment = useEditorEnvironment();

jest.setTimeout(600_000);

test('the next node shows the expected fields before anything has run', async () => {
	const { editor, apiCredential } = environment();
	const cards = cardNode('Cards', { resource: 'card', operation: 'getAll' }, apiCredential);
	const next = node('Next', 'n8n-nodes-base.noOp');
	const id = await editor.n8n.addWorkflow(workflowOf('Preview', [cards, next]));
	await onPage(editor, `/workflow/${id}/Next`, async (page) => {
		const input = page.getByTestId('ndv-input-panel');
		await input.getByTestId('schema-preview-warning').waitFor();
		const fields = input.getByTestId('run-data-schema-node-name');
		for (const field of ['id', 'name', 'lastFour', 'status', 'type']) {
			await fields.getByText(field, { exact: true }).first().waitFor();
		}
	});
});
