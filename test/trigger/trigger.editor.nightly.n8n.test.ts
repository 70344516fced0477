import { triggerNode, webhookPathOf, workflowOf } from '../../dev/harness/n8n/workflow.ts';
import { onPage, untilPasses, useEditorEnvironment } from '../support/n8n/editor.ts';

const environment = useEditorEnvironment();

jest.setTimeout(600_000);

// Tests the panel of the trigger.
describe('the trigger', () => {
	it('explains step by step how to set it up, with both URLs', async () => {
		const { editor, webhookCredential } = environment();
		const workflow = workflowOf('Panel', [triggerNode('Event', webhookCredential)]);
		const id = await editor.n8n.addWorkflow(workflow);
		await onPage(editor, `/workflow/${id}/Event`, async (page) => {
			const form = page.getByTestId('node-parameters');
			await form.getByText('Webhook URLs', { exact: true }).first().click();
			const path = webhookPathOf(workflow);
			await form.getByText(`${editor.n8n.url}/webhook-test/${path}`).waitFor();
			await form.getByTestId('radio-button-production').click();
			await form.getByText(`${editor.n8n.url}/webhook/${path}`).waitFor();
			await form
				.getByText(/Every URL has its own signing secret: create a new credential for each trigger/)
				.waitFor();
			const steps = [
				/^First, open Webhook URLs above/,
				/^In the dashboard/,
				/^Copy/,
				/^Create a new credential/,
			];
			await untilPasses(async () => {
				const shown = await form.getByRole('listitem').allInnerTexts();
				expect(shown).toHaveLength(steps.length);
				for (const [index, step] of steps.entries()) expect(shown[index]).toMatch(step);
			});
			await page.getByText('When will this node trigger my flow?').click();
			await page.getByText('Then click Execute step and use a card').waitFor();
			// The button that the text speaks of.
			const button = page.getByTestId('trigger-execute-button');
			await button.getByText('Execute step', { exact: true }).waitFor();
		});
	});
});
