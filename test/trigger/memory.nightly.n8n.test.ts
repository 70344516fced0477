import { randomUUID } from 'node:crypto';

import type { StoredCredential } from '../../dev/harness/n8n/client.ts';
import { type N8n, startPackedN8n } from '../../dev/harness/n8n/n8n.ts';
import {
	cardPlatform,
	node,
	triggerNode,
	type Workflow,
	type WorkflowNode,
	workflowOf,
} from '../../dev/harness/n8n/workflow.ts';
import { startSandboxFixture } from '../../dev/harness/scenario/sandboxFixture.ts';
import { deliver, signedDelivery } from '../../dev/harness/signing.ts';
import { temporaryFolder } from '../../dev/harness/tools/folders.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import { pollTimes } from '../polling/pollTimes.ts';
import { usePackedPackage } from '../support/n8n/shared.ts';

const secret = 'the-signing-secret';
const cleanup = new AsyncDisposableStack();
let n8n: N8n;
let sandbox: Awaited<ReturnType<typeof startSandboxFixture>>;
let credential: StoredCredential;

beforeAll(async () => {
	const folder = await temporaryFolder('memory', cleanup);
	await usePackedPackage();
	sandbox = await startSandboxFixture({ folder, cleanup });
	n8n = await startPackedN8n({ folder, cleanup }, { N8N_LOG_LEVEL: 'debug' });
	credential = await n8n.addCredential('cardPlatformWebhookApi', { signingSecret: secret });
}, 900_000);

afterAll(() => cleanup.disposeAsync(), 180_000);

jest.setTimeout(600_000);

const approval = (transactionId: string, amount = '1.00') => ({
	id: randomUUID(),
	transactionId,
	amount,
	amountDirection: 'debit',
	isSuccess: true,
});

/** Triggers that all start the node `Downstream`. */
async function publish(triggers: WorkflowNode[]): Promise<Workflow> {
	const nodes = [...triggers, node('Downstream', 'n8n-nodes-base.noOp')];
	const workflow = workflowOf(
		`Memory ${randomUUID()}`,
		nodes,
		triggers.map(({ name }) => [name, 'Downstream'] as const),
	);
	const id = await n8n.addWorkflow(workflow);
	await n8n.publish(id);
	return { ...workflow, id };
}

const urlOf = ({ webhookId }: WorkflowNode) => `${n8n.url}/webhook/${String(webhookId)}/webhook`;

/** IDs of the events that reached `Downstream`, in order; executions that are still running count as none. */
async function ran({ id }: Workflow): Promise<unknown[]> {
	const executions = (await n8n.executions(id)).sort((a, b) => Number(a.id) - Number(b.id));
	return executions
		.flatMap(({ nodes }) => nodes.filter(({ name }) => name === 'Downstream'))
		.flatMap(({ items }) => items.map((item) => (item as { id?: unknown }).id));
}

const ranUntil = async (workflow: Workflow, count: number) =>
	await waitUntil(
		async () => {
			const events = await ran(workflow);
			return events.length >= count ? events : undefined;
		},
		{ what: `${count} events downstream`, withinMs: 120_000, everyMs: 500 },
	);

/** Waits until n8n has this many executions of a workflow, and all have ended. */
const executed = async ({ id }: Workflow, count: number) =>
	await waitUntil(
		async () => {
			const executions = await n8n.executions(id);
			return (
				executions.length >= count &&
				executions.every(({ status }) => status === 'success' || status === 'error')
			);
		},
		{ what: `${count} executions`, withinMs: 120_000, everyMs: 500 },
	);

test('with When Last Node Finishes, a clearing that comes again after SIGKILL starts nothing; the authorization may', async () => {
	const parameters = { events: ['approved'], responseMode: 'lastNode' };
	const trigger = triggerNode('Trigger', credential, parameters);
	const workflow = await publish([trigger]);
	const send = async (event: object) =>
		expect(await deliver(urlOf(trigger), signedDelivery(event, secret))).toBe(200);
	const [authorization, clearing] = [approval('t2'), approval('t2', '2.00')];
	await send(authorization);
	await send(clearing);
	await n8n.kill();
	await n8n.start();
	await send(clearing);
	await send(clearing);
	await send(authorization);
	expect(await ranUntil(workflow, 2)).toEqual([authorization.id, authorization.id]);
	// The process before knew the first clearing, and this one has an execution for each that it had to look up.
	await executed(workflow, 4);
	expect(await ran(workflow)).toEqual([authorization.id, authorization.id]);
});

test('the life of a purchase with both triggers: it runs once, whichever way its events come', async () => {
	const { sandbox: control, account, api, apiKey, cards } = sandbox;
	const apiCredential = await n8n.addCredential('cardPlatformApi', {
		baseUrl: api.url,
		apiKey,
		keyScope: 'account',
		readOnly: true,
	});
	const webhookCredential = await n8n.addCredential('cardPlatformWebhookApi', {
		signingSecret: 'not known yet',
	});
	const events = ['approved'];
	const webhook = triggerNode('Webhook', webhookCredential, { events });
	const endpoint = await control.subscribe(account.id, urlOf(webhook));
	await n8n.changeCredential(webhookCredential, { signingSecret: endpoint.signingSecret });
	const polling = node('Polling', cardPlatform.pollingTrigger, {
		credential: apiCredential,
		parameters: { pollTimes, events, options: { recheckInterval: 1 } },
	});
	const workflow = await publish([webhook, polling]);
	const [card] = cards.filter(({ status, type }) => status === 'active' && type === 'recurring');
	const purchase = async () =>
		await control.authorize({ cardId: card?.id ?? '', amount: '100.00', merchantName: 'Hotel' });

	const delivered = await purchase();
	await ranUntil(workflow, 1);
	const { id } = delivered.transaction;
	await control.simulateStep('increment', id, '50.00');
	await control.simulateStep('clearing', id, '100.00');
	await control.simulateStep('clearing', id);

	// That it comes by poll shows that a poll has seen all of the first.
	await control.unsubscribe(endpoint);
	const polled = await purchase();
	expect(await ranUntil(workflow, 2)).toEqual([delivered.event.id, polled.event.id]);
	const clearing = await control.simulateStep('clearing', polled.transaction.id);
	for (const { event } of [polled, clearing]) {
		const delivery = signedDelivery(event, endpoint.signingSecret);
		expect(await deliver(urlOf(webhook), delivery)).toBe(200);
	}
	await control.simulateStep('refund', polled.transaction.id);
	const last = await purchase();
	expect(await ranUntil(workflow, 3)).toEqual([delivered.event.id, polled.event.id, last.event.id]);
});
