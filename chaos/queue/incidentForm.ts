import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { startBrowser } from '../../harness/editor/browser.ts';
import type { N8nClient } from '../../harness/n8n/client.ts';
import { cardPlatform, readWorkflow, setUpWorkflow } from '../../harness/n8n/workflow.ts';
import { addApiCredential } from '../../harness/scenario/automation.ts';
import { submitIncidentForm } from '../../harness/scenario/incidentForm.ts';
import type { SandboxFixture } from '../../harness/scenario/sandboxFixture.ts';
import { workflowsFolder } from '../../harness/tools/paths.ts';
import type { Reporter } from '../../harness/tools/terminal.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';

const person = { username: 'incident', password: 'a long password' };

/**
 * Publishes "Freeze every card at once", and submits its form through the proxy in a browser.
 *
 * @param url of the proxy; n8n's N8N_WEBHOOK_URL
 * @returns whether the last page and the company say that all cards are frozen, and the execution has ended
 */
export async function proveIncidentForm(
	reporter: Reporter,
	main: N8nClient,
	url: string,
	company: SandboxFixture,
): Promise<boolean> {
	const password = { user: person.username, password: person.password };
	const credentials = {
		[cardPlatform.action]: await addApiCredential(main, company),
		'n8n-nodes-base.formTrigger': await main.addCredential('httpBasicAuth', password),
	};
	const file = await readWorkflow(join(workflowsFolder, 'freeze-every-card.json'));
	const webhookId = randomUUID();
	const workflowId = await main.addAndPublish(setUpWorkflow(file, credentials, webhookId));

	const countActive = async () =>
		(await company.api.cards()).filter(({ status }) => status === 'active').length;
	const before = await countActive();
	const browser = await startBrowser();
	try {
		const page = await submitIncidentForm(browser, `${url}/form/${webhookId}`, person, 'FREEZE');
		const after = await countActive();
		// It waits for the browser to show the last page.
		const { status } = await waitUntil(
			async () =>
				(await main.executions(workflowId)).find((execution) => execution.status !== 'waiting'),
			{ what: 'the end of the execution', withinMs: 60_000 },
		);
		reporter.line(
			`   form "Freeze every card": ${before} active cards before, ${after} after; execution ${status}; the page says:`,
		);
		reporter.line(`   ${page.trim().replaceAll(/\s+/g, ' ')}`);
		const isReported = page.includes(`${before} of ${before} active cards were frozen.`);
		return before > 0 && after === 0 && status === 'success' && isReported;
	} finally {
		await browser.close();
	}
}
