import { cardNode, node, workflowOf } from '../../harness/n8n/workflow.ts';
import { onPage, useEditorEnvironment } from '../support/n8n/editor.ts';

const environment = useEditorEnvironment();

jest.setTimeout(600_000);

// Tests what the panel on the right shows of items and of errors, and what comes before a run.
describe('the output panel', () => {
	const getMany = { resource: 'card', operation: 'getAll' };

	it('shows the items of Card: Get Many', async () => {
		const { editor, company, apiCredential } = environment();
		const id = await editor.n8n.addWorkflow(
			workflowOf('Items', [cardNode('Cards', getMany, apiCredential)]),
		);
		await onPage(editor, `/workflow/${id}/Cards`, async (page) => {
			await page.getByTestId('node-execute-button').click();
			const count = page.getByTestId('ndv-items-count');
			await count.getByText(`${company.cards.length} items`).waitFor();
			const shown = page.getByTestId('ndv-data-container');
			for (const { name, lastFour } of company.cards) {
				await shown.getByText(name, { exact: true }).waitFor();
				await shown.getByText(lastFour, { exact: true }).waitFor();
			}
		});
	});

	it('the next node shows the expected fields before anything has run', async () => {
		const { editor, apiCredential } = environment();
		const next = node('Next', 'n8n-nodes-base.noOp');
		const nodes = [cardNode('Cards', getMany, apiCredential), next];
		const id = await editor.n8n.addWorkflow(workflowOf('Preview', nodes));
		await onPage(editor, `/workflow/${id}/Next`, async (page) => {
			const input = page.getByTestId('ndv-input-panel');
			await input.getByTestId('schema-preview-warning').waitFor();
			const fields = input.getByTestId('run-data-schema-node-name');
			for (const field of ['id', 'name', 'lastFour', 'status', 'type']) {
				await fields.getByText(field, { exact: true }).first().waitFor();
			}
		});
	});

	it('shows the message of an error, and its hint', async () => {
		const { editor, apiCredential } = environment();
		const cardId = { __rl: true, mode: 'id', value: '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10' };
		const card = cardNode('Card', { resource: 'card', operation: 'get', cardId }, apiCredential);
		const id = await editor.n8n.addWorkflow(workflowOf('Error', [card]));
		await onPage(editor, `/workflow/${id}/Card`, async (page) => {
			await page.getByTestId('node-execute-button').click();
			const message = /The resource was not found \(404 not-found\)/;
			await page.getByTestId('node-error-message').getByText(message).waitFor();
			const hint = /No card with this ID is visible to this key/;
			await page.getByTestId('node-error-description').getByText(hint).waitFor();
		});
	});
});
