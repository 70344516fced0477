import { randomUUID } from 'node:crypto';

import type { Page } from 'playwright-core';

import { triggerNode, workflowOf } from '../../harness/n8n/workflow.ts';
import { onPage, useEditorEnvironment } from '../support/n8n/editor.ts';

const environment = useEditorEnvironment();

jest.setTimeout(600_000);

/** Adds an endpoint for a new test URL in the dashboard, as a person does. */
async function addTestUrl() {
	const { editor, company } = environment();
	const webhookId = randomUUID();
	const url = `${editor.n8n.url}/webhook-test/${webhookId}/webhook`;
	return { webhookId, endpoint: await company.sandbox.subscribe(company.account.id, url) };
}

async function buy(merchantName: string): Promise<void> {
	const { company } = environment();
	const [card] = company.active;
	const purchase = { cardId: card.id, amount: '12.34', merchantName, merchantCountry: 'US' };
	await company.sandbox.authorize(purchase);
}

async function listen(page: Page): Promise<void> {
	const button = page.getByTestId('trigger-execute-button');
	await button.click();
	await button.getByText('Stop Listening').waitFor();
}

// Tests what a person sees whose second workflow has the credential of the first one.
it('the second workflow, with the secret of the first, shows what is wrong; with its own it works', async () => {
	const { editor, company } = environment();
	const first = await addTestUrl();
	const second = await addTestUrl();
	const { signingSecret } = first.endpoint;
	const credential = await editor.n8n.addCredential('cardPlatformWebhookApi', { signingSecret });
	const id = await editor.n8n.addWorkflow(
		workflowOf('Second', [triggerNode('Event', credential, {}, second.webhookId)]),
	);
	try {
		await onPage(editor, `/workflow/${id}/Event`, async (page) => {
			const form = page.getByTestId('node-parameters');
			await form.getByText('create a new credential for each trigger').waitFor();
			await listen(page);
			await buy('Corner Bakery');
			const shown = page.getByTestId('output-panel');
			const says = 'An event arrived, but it was signed with another secret';
			await shown.getByText(says).first().waitFor();
			await shown.getByText(/Paste the secret of this trigger.s test URL .* again\./).waitFor();
			// n8n has stopped listening.
			await page
				.getByTestId('trigger-execute-button')
				.getByText('Execute step', { exact: true })
				.waitFor();
		});
		const [run] = await editor.n8n.waitForExecutions(id);
		expect(run.status).toBe('error');
		expect(JSON.stringify(run)).not.toContain(signingSecret);
		expect(JSON.stringify(run)).not.toContain('v0=');
		const deliveries = await company.sandbox.deliveries({ endpointId: second.endpoint.id });
		const statuses = deliveries.flatMap(({ attempts }) =>
			attempts.map(({ httpStatus }) => httpStatus),
		);
		// n8n listens for one event: an attempt before or after that gets a 404.
		expect(statuses).toContain(401);

		const own = { signingSecret: second.endpoint.signingSecret };
		await editor.n8n.changeCredential(credential, own);
		await onPage(editor, `/workflow/${id}/Event`, async (page) => {
			await listen(page);
			await buy('Second Bakery');
			await page.getByTestId('ndv-items-count').getByText('1 item').waitFor();
			const shown = page.getByTestId('ndv-data-container');
			// The event that was rejected may be delivered again before this one.
			await shown
				.getByText(/^(Corner|Second) Bakery$/)
				.first()
				.waitFor();
		});
	} finally {
		await company.sandbox.unsubscribe(first.endpoint);
		await company.sandbox.unsubscribe(second.endpoint);
	}
});
