import { randomUUID } from 'node:crypto';

import type { N8nClient, StoredCredential } from '../n8n/client.ts';
import { type N8n, startN8n } from '../n8n/n8n.ts';
import { machineTimeZone } from '../n8n/timeZone.ts';
import { cardPlatform, readWorkflow, setUpWorkflow, type WorkflowFile } from '../n8n/workflow.ts';
import type { RunContext } from '../tools/folders.ts';
import { workflowFile } from '../tools/paths.ts';
import type { SandboxFixture } from './sandboxFixture.ts';

/** A published workflow that the sandbox sends card events to. */
export interface Automation {
	n8n: N8nClient;
	workflowId: string;
	webhookUrl: string;
	signingSecret: string;
	/** The subscription of the webhook in the sandbox. */
	endpointId: string;
	/** The credentials of its nodes, by the type of the node. */
	credentials: Record<string, StoredCredential>;
}

/** Stores a credential for the company's API in n8n; `data` adds fields or replaces them. */
export async function addApiCredential(
	n8n: N8nClient,
	{ api, apiKey, keyScope, account }: SandboxFixture,
	data: object = {},
	name = 'Card Platform sandbox',
): Promise<StoredCredential> {
	const accountId = keyScope === 'customer' ? String(account.id) : '';
	const key = { baseUrl: api.url, apiKey, keyScope, accountId, ...data };
	return n8n.addCredential('cardPlatformApi', key, name);
}

/**
 * Stores and publishes a workflow that starts with a card event, and subscribes its webhook to the events
 * of the company's account; `credentials` are those of nodes, by their type. Throws if n8n refuses.
 */
export async function addAutomation(
	n8n: N8nClient,
	{ sandbox, account }: SandboxFixture,
	file: WorkflowFile,
	credentials: Readonly<Record<string, StoredCredential>>,
): Promise<Automation> {
	const webhookId = randomUUID();
	const webhookUrl = `${n8n.url}/webhook/${webhookId}/webhook`;
	const { id: endpointId, signingSecret } = await sandbox.subscribe(account.id, webhookUrl);
	const webhookCredential = await n8n.addCredential(
		'cardPlatformWebhookApi',
		{ signingSecret, previousSigningSecret: '' },
		'Card Platform sandbox webhook',
	);
	const apiCredential = credentials[cardPlatform.action];
	const all = {
		...(apiCredential && { [cardPlatform.pollingTrigger]: apiCredential }),
		...credentials,
		[cardPlatform.trigger]: webhookCredential,
	};
	const workflowId = await n8n.addAndPublish(setUpWorkflow(file, all, webhookId));
	return { n8n, workflowId, webhookUrl, signingSecret, endpointId, credentials: all };
}

/** Starts the n8n in the run's folder, and adds the ready-made workflow that freezes cards. */
export async function startAutomation(
	run: RunContext,
	company: SandboxFixture,
	port?: number,
): Promise<{ n8n: N8n; automation: Automation }> {
	const settings = { GENERIC_TIMEZONE: await machineTimeZone() };
	const n8n = await startN8n(run, { port, settings });
	const credentials = { [cardPlatform.action]: await addApiCredential(n8n, company) };
	const file = await readWorkflow(workflowFile);
	return { n8n, automation: await addAutomation(n8n, company, file, credentials) };
}
