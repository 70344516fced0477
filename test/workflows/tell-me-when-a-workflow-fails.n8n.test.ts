import { join } from 'node:path';

import {
	node,
	readWorkflow,
	setUpWorkflow,
	webhookNode,
	workflowOf,
} from '../../dev/harness/n8n/workflow.ts';
import { workflowsFolder } from '../../dev/harness/tools/paths.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import { useTestEnvironment } from './environment.ts';

const environment = useTestEnvironment();

test('"Tell me when a workflow fails" sends an email for a failed execution', async () => {
	const { n8n, mailServer, credentials } = environment();
	const file = await readWorkflow(join(workflowsFolder, 'tell-me-when-a-workflow-fails.json'));
	const errorWorkflow = await n8n.addCallable(setUpWorkflow(file, credentials));
	const start = webhookNode('Start');
	const stop = node('Stop', 'n8n-nodes-base.stopAndError', {
		typeVersion: 1,
		parameters: { errorMessage: 'The freezer is broken' },
	});
	const settings = { executionOrder: 'v1', errorWorkflow };
	const failing = workflowOf('Freezer', [start, stop], undefined, settings);
	await n8n.addAndPublish(failing);
	await fetch(n8n.webhookUrl(failing), { method: 'POST' });
	const mail = await waitUntil(() => mailServer.mails[0], { what: 'the email', withinMs: 30_000 });
	expect(mail.subject).toBe('n8n: Freezer failed');
	expect(mail.text).toContain('Freezer failed: The freezer is broken');
	expect(mail.text).toContain('/executions/');
});
