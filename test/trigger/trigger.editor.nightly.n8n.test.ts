import type { Page } from 'playwright-core';

import {
	cardPlatform,
	node,
	triggerNode,
	webhookPathOf,
	workflowOf,
} from '../../harness/n8n/workflow.ts';
import { onPage, untilPasses, useEditorEnvironment } from '../support/n8n/editor.ts';

const httpError = /the server responded with a status of \d+|ResponseError/;

const environment = useEditorEnvironment();

jest.setTimeout(600_000);

// Tests the panel of the trigger, a test event in the editor, and the refusal of an unfinished one.
describe('the trigger', () => {
	const publish = async (page: Page) => {
		await page.getByTestId('canvas-node').waitFor();
		await page.getByTestId('workflow-open-publish-modal-button').click();
		await page.getByTestId('workflow-publish-button').click();
	};

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

	it('says what All Events does beside other choices, and does not listen with both', async () => {
		const { editor, webhookCredential } = environment();
		const node = triggerNode('Event', webhookCredential, { events: ['all', 'declined'] });
		const id = await editor.n8n.addWorkflow(workflowOf('All and declined', [node]));
		const notice = (page: Page) =>
			page.getByTestId('node-parameters').getByText('"All Events" includes the other choices.');
		await onPage(
			editor,
			`/workflow/${id}/Event`,
			async (page) => {
				await notice(page).waitFor();
				await page.getByTestId('trigger-execute-button').click();
				const refusal = /has "All Events" and other choices\. .* Remove "All Events", or/;
				await page.getByRole('alert').getByText(refusal).waitFor();
			},
			{ expected: [httpError] },
		);
		for (const events of [['all'], ['declined', 'approved']]) {
			await editor.n8n.changeWorkflow(id, {
				nodes: [{ ...node, id: 'Event', position: [0, 0], parameters: { events } }],
			});
			await onPage(editor, `/workflow/${id}/Event`, async (page) => {
				await page.getByTestId('node-feature-request').waitFor();
				expect(await notice(page).count()).toBe(0);
			});
		}
	});

	it('shows its settings on the canvas, as the polling trigger does', async () => {
		const { editor, webhookCredential, apiCredential: credential } = environment();
		const settings = { events: ['approved', 'declined'], filters: { currencies: 'USD' } };
		const nodes = [
			triggerNode('Default', webhookCredential),
			triggerNode('Set', webhookCredential, settings),
			triggerNode('Expression', webhookCredential, { events: '={{ $json.none.none }}' }),
			node('Polling', cardPlatform.pollingTrigger, { credential, parameters: settings }),
		];
		const id = await editor.n8n.addWorkflow(workflowOf('Subtitles', nodes, []));
		await onPage(editor, `/workflow/${id}`, async (page) => {
			for (const [name, subtitle] of [
				['Default', 'all events'],
				['Set', 'approved, declined, filtered'],
				['Expression', 'events by expression'],
				['Polling', 'approved, declined, filtered'],
			]) {
				const shown = page.locator(`[data-test-id=canvas-node][data-node-name="${String(name)}"]`);
				await shown.getByText(String(subtitle), { exact: true }).waitFor();
			}
		});
	});

	it('with an empty secret cannot be published or listen; the toast says why', async () => {
		const { editor } = environment();
		const empty = { signingSecret: '' };
		const credential = await editor.n8n.addCredential('cardPlatformWebhookApi', empty);
		const id = await editor.n8n.addWorkflow(
			workflowOf('Empty secret', [triggerNode('Event', credential)]),
		);
		const toast = (page: Page) =>
			page
				.getByRole('alert')
				.getByText(
					/The webhook credential has no signing secret\. Add the (test|production) URL as an endpoint/,
				);
		await onPage(
			editor,
			`/workflow/${id}/Event`,
			async (page) => {
				await page.getByTestId('trigger-execute-button').click();
				await toast(page).waitFor();
			},
			{ expected: [httpError] },
		);
		await onPage(
			editor,
			`/workflow/${id}`,
			async (page) => {
				await publish(page);
				// n8n tries again for a quarter of a minute before it gives up.
				await toast(page).waitFor({ timeout: 180_000 });
			},
			{ expected: [httpError] },
		);
	});
});
