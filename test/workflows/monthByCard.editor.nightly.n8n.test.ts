import { choose, closeForm } from '../../harness/editor/clicks.ts';
import { cardNode, node, workflowOf } from '../../harness/n8n/workflow.ts';
import { onPage, useEditorEnvironment } from '../support/n8n/editor.ts';

const environment = useEditorEnvironment();

jest.setTimeout(600_000);

// The editor looks for output schemas of n8n's own nodes, which have none.
const NO_SCHEMA = /404 \(Not Found\)$/;

// "A month by card" of docs/operations.md.
describe('amounts by card', () => {
	it('are added up with a period, the columns for spreadsheets and a Summarize node', async () => {
		const { editor, company, apiCredential } = environment();
		const [card] = company.active;
		const merchantName = 'Sum of the day';
		for (const amount of ['10.10', '0.20']) {
			await company.sandbox.authorize({ cardId: card.id, amount, merchantName });
		}
		await company.sandbox.authorize({
			cardId: card.id,
			amount: '99.00',
			merchantName,
			decline: { reason: 'suspected_fraud' },
		});
		const nodes = [
			cardNode(
				'Transactions',
				{ resource: 'transaction', operation: 'getAll', filters: { merchantName } },
				apiCredential,
			),
			node('By card', 'n8n-nodes-base.summarize', {
				typeVersion: 1.1,
				parameters: {
					fieldsToSummarize: { values: [{ aggregation: 'sum', field: 'amountNumber' }] },
					fieldsToSplitBy: 'cardId, cardName, cardLastFour, currency',
				},
			}),
			node('Rounded', 'n8n-nodes-base.set', {
				typeVersion: 3.4,
				parameters: {
					includeOtherFields: true,
					assignments: {
						assignments: [
							{
								id: 'spent',
								name: 'spent',
								type: 'number',
								value: '={{ $json.sum_amountNumber.round(2) }}',
							},
						],
					},
				},
			}),
		];
		const id = await editor.n8n.addWorkflow(workflowOf('Month', nodes));
		await onPage(
			editor,
			`/workflow/${id}/Transactions`,
			async (page) => {
				const form = page.getByTestId('node-parameters');
				const section = (name: string) =>
					form
						.getByTestId('parameter-item')
						.filter({ has: page.locator(`label[for="${name}"]`) })
						.last();
				const add = async (collection: string, title: string) => {
					await section(collection).getByTestId('collection-parameter-add').click();
					const entry = page.getByRole('option', { name: title, exact: true });
					await entry.filter({ visible: true }).click();
				};
				await add('filters', 'Period');
				await choose(page, section('period'), /^Today/);
				await add('options', 'Add Spreadsheet Columns');
				await page.getByTestId('node-execute-button').click();
				await page.getByTestId('ndv-items-count').getByText('3 items').waitFor();
				await page.getByText(/The period is \d{4}-\d\d-\d\d in the time zone/).waitFor();
				await closeForm(page);

				await page.locator('[data-test-id=canvas-node][data-node-name="Rounded"]').dblclick();
				await page.getByTestId('node-execute-button').click();
				const output = page.getByTestId('output-panel');
				await output.getByText('10.299999999999999', { exact: true }).waitFor();
				await output.getByText('10.3', { exact: true }).waitFor();
				for (const text of [card.name, card.lastFour]) {
					await output.getByText(text, { exact: true }).waitFor();
				}
			},
			{ expected: [NO_SCHEMA] },
		);
	});
});
