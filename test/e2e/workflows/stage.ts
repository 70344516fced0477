import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { N8n } from '../../../harness/n8n/n8n.ts';
import { openOutside, type Outside } from '../../../harness/scenario/outside.ts';
import {
	type Automation,
	type Company,
	type CompanyOptions,
	openCompany,
	packAndInstall,
} from '../../../harness/scenario/stage.ts';
import { setUpWorkflow, type WorkflowFile } from '../../../harness/n8n/workflow.ts';
import { Cleanup } from '../../../harness/tools/cleanup.ts';
import { recordContractOfEachTest } from '../../support/contract';
import { addCredential, addWorkflow, publish } from './editor.ts';

/** A real n8n with the package, a sandbox to work with, and an internet that is not the real one. */
export interface WorkflowStage {
	n8n: N8n;
	company: Company;
	outside: Outside;
	/** The types of the credentials that nodes get, with their ids, by type of the node. */
	credentials: Record<string, { id: string; name: string; type: string }>;
}

/** A workflow that n8n holds and has published. */
export interface LiveWorkflow {
	id: string;
	/** The last part of the URL of its form, chat or webhook: `<n8n>/form/<webhookId>`. */
	webhookId: string;
}

const action = 'n8n-nodes-card-platform.cardPlatform';
const trigger = 'n8n-nodes-card-platform.cardPlatformTrigger';

/**
 * Opens one stage for all tests of a file, as a start takes half a minute, and ends it after them. What
 * the sandbox is asked is held against its contract. `companyOptions` makes more of the sandbox's options,
 * given this run's folder. Gives what reads the stage, from the first test on.
 */
export function stageOfFile(
	companyOptions: (folder: string) => CompanyOptions = () => ({}),
): () => WorkflowStage {
	const contract = recordContractOfEachTest('checked');
	const cleanup = new Cleanup();
	let stage: WorkflowStage;

	beforeAll(async () => {
		stage = await openStage(cleanup, (folder) => ({ ...contract, ...companyOptions(folder) }));
	}, 600_000);

	afterAll(() => cleanup.run(), 180_000);

	jest.setTimeout(400_000);

	return () => stage;
}

/**
 * Installs the package into a fresh n8n, starts it with a sandbox and an internet beside it, and stores a
 * credential for every type of node that needs one. `companyOptions` makes the sandbox's options, given
 * this run's folder. All of it ends with `cleanup`. Takes half a minute; throws when something does not come up.
 */
async function openStage(
	cleanup: Cleanup,
	companyOptions: (folder: string) => CompanyOptions,
): Promise<WorkflowStage> {
	const folder = await mkdtemp(join(tmpdir(), 'card-platform-e2e-'));
	cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
	const scene = { folder, cleanup };
	await packAndInstall(scene);
	const company = await openCompany(scene, companyOptions(folder));
	const outside = await openOutside(scene);
	const n8n = await N8n.prepare({ userFolder: join(folder, 'n8n'), settings: outside.settings });
	cleanup.defer(() => n8n.stop());
	await n8n.start();

	const { apiKey } = company;
	const kinds = {
		[action]: {
			type: 'cardPlatformApi',
			data: { baseUrl: company.api.url, apiKey, keyScope: 'account' },
		},
		'n8n-nodes-base.slack': { type: 'slackApi', data: { accessToken: 'xoxb-for-the-stand-in' } },
	};
	const credentials: WorkflowStage['credentials'] = {};
	for (const [node, { type, data }] of Object.entries(kinds)) {
		credentials[node] = { id: await addCredential(n8n, type, data), name: type, type };
	}
	return { n8n, company, outside, credentials };
}

/** Imports a workflow as a person does, gives its nodes their credentials, and publishes it. */
export async function bringIn(
	{ n8n, credentials }: WorkflowStage,
	file: WorkflowFile,
): Promise<LiveWorkflow> {
	const webhookId = randomUUID();
	const { workflow } = setUpWorkflow(file, credentials, webhookId);
	const id = await addWorkflow(n8n, workflow);
	await publish(n8n, id);
	return { id, webhookId };
}

/** The same with a workflow that starts with a card event; the sandbox sends it all events from then on. */
export async function bringInSubscribed(
	stage: WorkflowStage,
	file: WorkflowFile,
): Promise<Automation> {
	const { n8n, company, credentials } = stage;
	const webhookId = randomUUID();
	const webhookUrl = n8n.webhookUrl(webhookId, 'webhook');
	const { id: endpointId, signingSecret } = await company.sandbox.subscribe(
		company.account.id,
		webhookUrl,
	);
	const type = 'cardPlatformWebhookApi';
	const id = await addCredential(n8n, type, { signingSecret });
	const all = { ...credentials, [trigger]: { id, name: type, type } };
	const { workflow } = setUpWorkflow(file, all, webhookId);
	const workflowId = await addWorkflow(n8n, workflow);
	await publish(n8n, workflowId);
	return { n8n, workflowId, webhookUrl, signingSecret, endpointId };
}
