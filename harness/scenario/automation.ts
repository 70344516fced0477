import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import type { N8nClient, StoredCredential } from '../n8n/client.ts';
import { N8n } from '../n8n/n8n.ts';
import { cardPlatform, readWorkflow, setUpWorkflow, type WorkflowFile } from '../n8n/workflow.ts';
import { workflowFile } from '../tools/paths.ts';
import type { RunContext, SandboxFixture } from './sandboxFixture.ts';

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

/** What the purchases and the forgery need. */
export interface DemoEnvironment {
	company: SandboxFixture;
	automation: Automation;
	signal?: AbortSignal | undefined;
}

export interface AutomationOptions {
	/** Credentials of nodes, by the type of the node. */
	credentials: Readonly<Record<string, StoredCredential>>;
	/** What the endpoint's secret was rotated from. */
	previousSecret?: string;
}

/** Stores a credential for the company's API in n8n; `data` adds fields or replaces them. */
export async function addApiCredential(
	n8n: N8nClient,
	{ api, apiKey }: Pick<SandboxFixture, 'api' | 'apiKey'>,
	data: object = {},
): Promise<StoredCredential> {
	const key = { baseUrl: api.url, apiKey, keyScope: 'account', ...data };
	return n8n.addCredential('cardPlatformApi', key, 'Card Platform sandbox');
}

/**
 * Stores and publishes a workflow that starts with a card event, and subscribes its webhook to the events
 * of the company's account. Throws if n8n refuses.
 */
export async function addAutomation(
	n8n: N8nClient,
	{ sandbox, account }: SandboxFixture,
	file: WorkflowFile,
	{ credentials, previousSecret = '' }: AutomationOptions,
): Promise<Automation> {
	const webhookId = randomUUID();
	const webhookUrl = `${n8n.url}/webhook/${webhookId}/webhook`;
	const { id: endpointId, signingSecret } = await sandbox.subscribe(account.id, webhookUrl);
	const webhookCredential = await n8n.addCredential(
		'cardPlatformWebhookApi',
		{ signingSecret, previousSigningSecret: previousSecret },
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

/** Starts an n8n with the package, and adds the ready-made workflow that freezes cards. */
export async function startAutomation(
	{ folder, cleanup, signal }: RunContext,
	company: SandboxFixture,
	port?: number,
): Promise<{ n8n: N8n; automation: Automation }> {
	const n8n = await N8n.prepare({ userFolder: join(folder, 'n8n'), port, signal });
	cleanup.defer(() => n8n.stop());
	await n8n.start();
	const credentials = { [cardPlatform.action]: await addApiCredential(n8n, company) };
	const file = await readWorkflow(workflowFile);
	const automation = await addAutomation(n8n, company, file, { credentials });
	cleanup.defer(() => company.sandbox.unsubscribe({ id: automation.endpointId }));
	return { n8n, automation };
}
