import { join } from 'node:path';
import { createSandbox, type SandboxOptions } from '../../sandbox/server.ts';
import { N8n } from '../n8n/n8n.ts';
import type { Cleanup } from '../tools/cleanup.ts';
import { workflowFile } from '../tools/paths.ts';
import { demand } from '../tools/problem.ts';
import { type Account, SandboxClient } from '../../sandbox/client.ts';
import { type Card, PublicApiClient } from '../publicApi.ts';
import { buildAndPack, installIntoN8n, type PackedNode } from '../n8n/packedNode.ts';
import { newId, readWorkflow, setUpWorkflow } from '../n8n/workflow.ts';

/** What all steps share. */
export interface Scene {
	/** A folder of this run's own. */
	folder: string;
	/** Gets everything that has to be ended. */
	cleanup: Cleanup;
	signal?: AbortSignal | undefined;
}

export interface Company {
	sandbox: SandboxClient;
	api: PublicApiClient;
	apiKey: string;
	accounts: Account[];
	/** The account that the demo's cards and events belong to. */
	account: Account;
	cards: Card[];
	/** Two active cards that serve many purchases. */
	active: [Card, Card];
}

export interface Automation {
	n8n: N8n;
	workflowId: string;
	webhookUrl: string;
	signingSecret: string;
	/** The subscription of the webhook in the sandbox. */
	endpointId: string;
}

/** Everything is up: what the purchases and the forgery need. */
export type Stage = Scene & { company: Company; automation: Automation };

const cardPlatform = 'n8n-nodes-card-platform';

/**
 * Far more than n8n takes to answer a delivery, even on a busy machine: what the sandbox gives up on it
 * sends again, and then an event has been refused that never was.
 */
export const deliveries = { timeout: 60_000 };

/** What to do about a sandbox that does not hold what it should. */
export const useOtherFile = 'Use another --db file, or none: then a fresh company is made.';

/** Builds the package, packs it, and installs the tarball for n8n as a community package. */
export async function packAndInstall({ folder, signal }: Scene): Promise<PackedNode> {
	const packed = await buildAndPack(folder, signal);
	await installIntoN8n(packed.file, userFolder(folder), signal);
	return packed;
}

/** `db` is the sandbox's file, `port` any free one unless told; the hooks see its traffic. */
export type CompanyOptions = Pick<SandboxOptions, 'db' | 'port' | 'onExchange' | 'onDelivery'>;

/** Starts the sandbox with its small company. */
export async function openCompany(
	{ folder, cleanup, signal }: Scene,
	{ db = join(folder, 'sandbox.db'), port = 0, ...hooks }: CompanyOptions = {},
): Promise<Company> {
	const server = await createSandbox({
		db,
		port,
		host: '127.0.0.1',
		seed: 'small',
		deliveries,
		...hooks,
	});
	cleanup.defer(() => server.close());
	const sandbox = new SandboxClient(server.url, signal);
	const accounts = await sandbox.accounts();
	const [account] = accounts;
	demand(account !== undefined, 'The sandbox has no account', useOtherFile);
	const apiKey = await sandbox.createKey(account.id);
	const api = new PublicApiClient(server.apiUrl, apiKey, signal);
	const active = await twoActiveCards(api);
	return { sandbox, api, apiKey, accounts, account, cards: await api.cards(), active };
}

/** In a sandbox file of an earlier run the cards are as that run left them: frozen, for example. */
async function twoActiveCards(api: PublicApiClient): Promise<[Card, Card]> {
	const usable = (await api.cards())
		.filter(({ type, status }) => type === 'recurring' && status !== 'archived')
		.sort((a, b) => a.status.localeCompare(b.status));
	const [one, other] = usable;
	demand(one !== undefined && other !== undefined, 'The sandbox has too few cards', useOtherFile);
	await api.unfreeze(one.id);
	await api.unfreeze(other.id);
	return [await api.card(one.id), await api.card(other.id)];
}

/**
 * Starts n8n with both credentials and the published workflow, and subscribes the workflow's
 * webhook in the sandbox. `previousSecret` is what the endpoint's secret was rotated from.
 */
export async function startAutomation(
	{ folder, cleanup, signal }: Scene,
	{ sandbox, api, apiKey, account }: Company,
	{ port, previousSecret = '' }: { port?: number | undefined; previousSecret?: string } = {},
): Promise<Automation> {
	const n8n = await N8n.prepare({ userFolder: userFolder(folder), port, signal });
	cleanup.defer(() => n8n.stop());
	const apiCredential = {
		id: newId(),
		name: 'Card Platform sandbox',
		type: 'cardPlatformApi',
		data: { baseUrl: api.url, apiKey, keyScope: 'account', readOnly: false, parameterNames: '{}' },
	};
	const webhookCredential = {
		id: newId(),
		name: 'Card Platform sandbox webhook',
		type: 'cardPlatformWebhookApi',
	};
	const { workflow, webhookId } = setUpWorkflow(await readWorkflow(workflowFile), {
		[`${cardPlatform}.cardPlatform`]: apiCredential,
		[`${cardPlatform}.cardPlatformTrigger`]: webhookCredential,
	});
	const webhookUrl = n8n.webhookUrl(webhookId, 'webhook');
	const subscription = await sandbox.subscribe(account.id, webhookUrl);
	cleanup.defer(() => sandbox.unsubscribe(subscription));
	const { signingSecret } = subscription;
	const data = { signingSecret, previousSigningSecret: previousSecret };
	await n8n.importCredentials([apiCredential, { ...webhookCredential, data }]);
	await n8n.importWorkflow(workflow);
	await n8n.publishWorkflow(workflow.id);
	await n8n.start();
	return { n8n, workflowId: workflow.id, webhookUrl, signingSecret, endpointId: subscription.id };
}

function userFolder(folder: string): string {
	return join(folder, 'n8n');
}
