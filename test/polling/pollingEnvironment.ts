import { readFile } from 'node:fs/promises';

import { type Answer, startServer } from '../../dev/harness/httpServer.ts';
import type { StoredCredential } from '../../dev/harness/n8n/client.ts';
import type { Execution } from '../../dev/harness/n8n/executions.ts';
import { type N8n, startPackedN8n } from '../../dev/harness/n8n/n8n.ts';
import {
	cardPlatform,
	inARow,
	node,
	triggerNode,
	type Workflow,
	workflowOf,
} from '../../dev/harness/n8n/workflow.ts';
import type { Card } from '../../dev/harness/publicApi.ts';
import type { SandboxClient, SimulationResult } from '../../dev/harness/sandboxClient.ts';
import {
	type SandboxFixture,
	startSandboxFixture,
} from '../../dev/harness/scenario/sandboxFixture.ts';
import { temporaryFolder } from '../../dev/harness/tools/folders.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import { usePackedPackage } from '../support/n8n/shared.ts';
import { pollTimes } from './pollTimes.ts';
import { idsOf, ranIn } from './ran.ts';

/** In seconds. */
export const DAY = 86_400;

/** Makes a purchase a declined one. */
export const decline = { decline: { reason: 'suspected_fraud' } };

/** IDs of the events that an execution held when a crash interrupted it: n8n does not run it again; people can. */
export const interruptedIn = (executions: Execution[]): string[] =>
	idsOf(executions.filter(({ status }) => status === 'crashed').flatMap(({ pending }) => pending));

/**
 * Starts a sandbox and a separate n8n for the tests of a file, which may stop and kill it, and polls
 * every three seconds. Each test starts without faults and published workflows.
 */
export function usePolling() {
	const cleanup = new AsyncDisposableStack();
	let n8n: N8n;
	let sandbox: SandboxClient;
	let company: SandboxFixture;
	let cards: Card[];
	let credential: StoredCredential;
	let webhookCredential: StoredCredential;
	/** Where the network takes deliveries; undefined while nothing is published. */
	let webhookUrl: string | undefined;
	let dropsDeliveries = false;

	beforeAll(async () => {
		const folder = await temporaryFolder('polling', cleanup);
		await usePackedPackage();

		const deliveries = { timeout: 60_000, maxAttempts: 2, baseDelay: 100 };
		// Far behind, so that days can pass while n8n is down.
		const now = () => new Date(Date.now() - 1_000 * DAY);
		company = await startSandboxFixture({ folder, cleanup }, { deliveries, now });
		({ sandbox } = company);
		cards = company.cards.filter(({ status, type }) => status === 'active' && type === 'recurring');
		const network = await startServer(takeDelivery);
		cleanup.defer(() => network.close());

		n8n = await startPackedN8n({ folder, cleanup }, { N8N_LOG_LEVEL: 'debug' });
		const { api, apiKey } = company;
		const key = { baseUrl: api.url, apiKey, keyScope: 'account', readOnly: true };
		credential = await n8n.addCredential('cardPlatformApi', key);
		const { signingSecret } = await sandbox.subscribe(
			company.account.id,
			`${network.url}/deliveries`,
		);
		webhookCredential = await n8n.addCredential('cardPlatformWebhookApi', { signingSecret });
	}, 900_000);

	afterAll(() => cleanup.disposeAsync(), 180_000);

	afterEach(async () => {
		webhookUrl = undefined;
		dropsDeliveries = false;
		await sandbox.setFaults([]);
		await n8n.unpublishAll();
	}, 180_000);

	jest.setTimeout(900_000);

	/** Takes deliveries to n8n; drops each fifth one, if it is to, as if it had arrived. */
	const takeDelivery: Answer = ({ headers, body }, response, count) => {
		const end = (status: number) => response.writeHead(status).end();
		if (webhookUrl === undefined) return end(503);
		if (dropsDeliveries && count % 5 === 0) return end(200);
		const passed = Object.entries(headers)
			.filter(([name]) => /^(x-webhook|content-type)/.test(name))
			.map(([name, value]): [string, string] => [name, String(value)]);
		fetch(webhookUrl, { method: 'POST', headers: passed, body }).then(
			({ status }) => end(status),
			() => end(502),
		);
	};

	/** A workflow that polls, and also takes deliveries if it is to have both triggers. */
	function newWorkflow(
		triggers: 'polling' | 'both',
		between: readonly ReturnType<typeof node>[] = [],
		watch: object = {},
	): Workflow {
		const polling = node('Polling', cardPlatform.pollingTrigger, {
			credential,
			parameters: { ...watch, pollTimes, options: { recheckInterval: 1 } },
		});
		const webhook = triggers === 'both' ? [triggerNode('Webhook', webhookCredential)] : [];
		const downstream = node('Downstream', 'n8n-nodes-base.noOp');
		const steps = [...between, downstream];
		const [first = ''] = steps.map(({ name }) => name);
		const starts = [polling, ...webhook].map(({ name }) => [name, first] as const);
		const rest = inARow(steps.map(({ name }) => name));
		return workflowOf('Events', [polling, ...webhook, ...steps], [...starts, ...rest]);
	}

	/** Publishes a workflow, and takes deliveries to it. */
	async function publish(workflow: Workflow): Promise<string> {
		const id = await n8n.addAndPublish(workflow);
		if (workflow.nodes.some(({ name }) => name === 'Webhook')) {
			webhookUrl = n8n.webhookUrl(workflow);
		}
		return id;
	}

	async function purchase(place = 0, more: object = {}): Promise<SimulationResult> {
		const cardId = cards[place % cards.length]?.id ?? '';
		return await sandbox.authorize({ cardId, amount: '1.00', merchantName: 'Bakery', ...more });
	}

	/** Waits until events have reached `Downstream`, or a crash has interrupted their executions. */
	async function arrived(workflowId: string, expected: readonly string[]): Promise<Execution[]> {
		return await waitUntil(
			async () => {
				const executions = await n8n.executions(workflowId);
				const found = new Set([...ranIn(executions), ...interruptedIn(executions)]);
				return expected.every((id) => found.has(id)) ? executions : undefined;
			},
			{ what: `${expected.length} events`, withinMs: 300_000, everyMs: 1_000 },
		);
	}

	const log = async (): Promise<string> => await readFile(n8n.process.logFile, 'utf8');

	async function waitForLog(text: string): Promise<void> {
		await waitUntil(async () => (await log()).includes(text), {
			what: `"${text}" in n8n's log`,
			withinMs: 120_000,
			everyMs: 500,
		});
	}

	/** Waits for polls that have started after this moment: what is to come twice has come by then. */
	async function twoMorePolls(): Promise<void> {
		// The first is of n8n 1.
		const polls = async () => (await log()).split(/Poll(?:ing)? trigger initiated/).length;
		const before = await polls();
		await waitUntil(async () => (await polls()) >= before + 3, {
			what: 'two more polls',
			withinMs: 60_000,
		});
	}

	return {
		n8n: () => n8n,
		sandbox: () => sandbox,
		cards: () => cards,
		company: () => company,
		waitForLog,
		newWorkflow,
		publish,
		purchase,
		arrived,
		twoMorePolls,
		dropDeliveries: () => (dropsDeliveries = true),
	};
}
