import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { generateCACertificate, getLocal } from 'mockttp';
import { request } from 'undici';

import {
	node,
	triggerNode,
	webhookNode,
	type Workflow,
	workflowOf,
} from '../harness/n8n/workflow.ts';
import { realisticEvent } from '../harness/scenario/realisticEvent.ts';
import { signedDelivery, type WebhookRequest } from '../harness/signing.ts';
import { assert } from '../harness/tools/errors.ts';
import { type BenchCredential, type BenchN8n, startBenchN8n } from './n8n.ts';
import { type BenchContext, type Measures, type Plan, shared } from './scenario.ts';

/** How n8n evaluates expressions, which makes the largest difference. */
interface Engine {
	/** Names the setting. */
	name: string;
	settings: Readonly<Record<string, string>>;
	/** Deliveries of one turn. */
	deliveries: number;
}

/** n8n's default: an isolate for each execution, and for each delivery. */
export const byDefault: Engine = { name: 'default', settings: {}, deliveries: 40 };

/** The same isolates, created when the first expression is evaluated. */
export const lazily: Engine = {
	name: 'lazy',
	settings: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
	deliveries: 60,
};

/** No isolates. */
export const legacy: Engine = {
	name: 'legacy',
	settings: { N8N_EXPRESSION_ENGINE: 'legacy' },
	deliveries: 120,
};

const signingSecret = randomBytes(32).toString('hex');
const webhookCredential = { name: 'webhook', type: 'cardPlatformWebhookApi' };
const stripeCredential = { name: 'stripe', type: 'stripeApi' };
const credentials: BenchCredential[] = [
	{ ...webhookCredential, data: { signingSecret, previousSigningSecret: '' } },
	{ ...stripeCredential, data: { secretKey: 'sk_test_bench', signatureSecret: '' } },
];

/** A workflow that receives deliveries. */
export interface Receiver {
	name: string;
	workflow: Workflow;
	/** A delivery of an event, which is genuine if `secret` is {@link signingSecret}. */
	sign: (event: object, secret: string) => WebhookRequest;
	/** Its response to a forged delivery, and whether that starts an execution. */
	forged: { status: number; starts: boolean };
}

/** This trigger, with its defaults. */
export const thisTrigger: Receiver = {
	name: 'this trigger',
	workflow: workflowOf('this trigger', [triggerNode('Trigger', webhookCredential)]),
	sign: signedDelivery,
	forged: { status: 401, starts: false },
};

/** n8n's Webhook node alone: verifies nothing. */
export const bareWebhook: Receiver = {
	name: 'bare Webhook node',
	workflow: workflowOf('bare', [webhookNode('Webhook', { options: {} })]),
	sign: signedDelivery,
	forged: { status: 200, starts: true },
};

/** Webhook, and a Code node with what a search for "n8n verify webhook signature" finds. */
export const webhookAndCode: Receiver = {
	name: 'Webhook + Code',
	workflow: workflowOf('code', [
		webhookNode('Webhook', { options: { rawBody: true } }),
		node('Verify', 'n8n-nodes-base.code', {
			typeVersion: 2,
			parameters: {
				jsCode: `const { createHmac, timingSafeEqual } = require('crypto');
const body = await this.helpers.getBinaryDataBuffer(0, 'data');
const expected = Buffer.from('v0=' + createHmac('sha256', '${signingSecret}').update(body).digest('hex'));
const signature = Buffer.from($input.first().json.headers['x-webhook-signature'] ?? '');
const isGenuine = signature.length === expected.length && timingSafeEqual(signature, expected);
return isGenuine ? [{ json: JSON.parse(body.toString()) }] : [];`,
			},
		}),
	]),
	sign: signedDelivery,
	forged: { status: 200, starts: true },
};

/** A trigger that is written the simple way (bench/naive). */
export const naiveTrigger: Receiver = {
	name: 'naive trigger',
	workflow: workflowOf('naive', [
		node('Trigger', 'n8n-nodes-bench-naive.naiveTrigger', {
			webhookId: randomUUID(),
			credential: webhookCredential,
		}),
	]),
	sign: signedDelivery,
	forged: { status: 401, starts: false },
};

/** The trigger of n8n's own that is nearest to this one: it verifies, too. */
export const stripeTrigger: Receiver = {
	name: 'Stripe Trigger',
	workflow: workflowOf('stripe', [
		node('Trigger', 'n8n-nodes-base.stripeTrigger', {
			webhookId: randomUUID(),
			parameters: { events: ['*'] },
			credential: stripeCredential,
		}),
	]),
	sign: stripeDelivery,
	forged: { status: 401, starts: false },
};

/** A scenario of deliveries. */
interface DeliveryScenario {
	title: string;
	about?: string;
	/** False for deliveries with a wrong signature. */
	isGenuine: boolean;
	receivers: readonly Receiver[];
	/** How many times as many deliveries per second as another receiver this trigger should handle. */
	goals: readonly { engine: Engine; over: Receiver; wanted: number }[];
	ifMissed: string;
}

const perSecond = 'deliveries per second';
const senders = 8;

/** Plans bursts of deliveries to each receiver, in an n8n for each engine. */
export async function planDeliveries(
	context: BenchContext,
	{ title, about = '', isGenuine, receivers, goals, ifMissed }: DeliveryScenario,
): Promise<Plan> {
	const running = await startReceivers(context);
	return {
		title,
		about:
			`${senders} senders, each delivery a new event of about 1 KB. Nothing follows the trigger. ${about}`.trim(),
		rounds: 5,
		// The first turn compiles code and opens connections, which is no part of the steady state.
		warmUp: true,
		measures: [perSecond],
		reference: thisTrigger.name,
		contenders: running.flatMap(({ engine, n8n }) =>
			receivers.map((receiver) => ({
				setting: engine.name,
				name: receiver.name,
				run: () => {
					const deliveries = context.quick ? 10 : engine.deliveries;
					return measureBurst(n8n, receiver, { deliveries, isGenuine }, context.signal);
				},
			})),
		),
		ifMissed,
		goals: (medianOf) =>
			goals
				.filter((goal) => running.some(({ engine }) => engine === goal.engine))
				.map(({ engine, over, wanted }) => ({
					says: `times the deliveries of ${over.name}: ${engine.name}`,
					value:
						medianOf(engine.name, thisTrigger.name, perSecond) /
						medianOf(engine.name, over.name, perSecond),
					bound: 'at least',
					wanted,
				})),
	};
}

const startReceivers = shared(async (context) => {
	const stripe = await startStripe(context);
	const running: { engine: Engine; n8n: BenchN8n }[] = [];
	for (const engine of context.quick ? [byDefault] : [byDefault, lazily, legacy]) {
		const n8n = await startBenchN8n(context, {
			name: engine.name.replaceAll(/\W+/g, '-'),
			credentials,
			workflows: [thisTrigger, bareWebhook, webhookAndCode, naiveTrigger, stripeTrigger].map(
				({ workflow }) => workflow,
			),
			settings: { ...stripe, ...engine.settings, NODE_FUNCTION_ALLOW_BUILTIN: 'crypto' },
			packages: { 'n8n-nodes-bench-naive': join(import.meta.dirname, 'naive') },
		});
		running.push({ engine, n8n });
	}
	return running;
});

/**
 * Sends a burst to a receiver and waits until n8n is done with it, its executions included.
 * Throws if a response is not what it should be, or an execution fails.
 */
async function measureBurst(
	{ n8n, executions }: BenchN8n,
	{ name, workflow, sign, forged }: Receiver,
	{ deliveries, isGenuine }: { deliveries: number; isGenuine: boolean },
	signal: AbortSignal,
): Promise<Measures> {
	const secret = isGenuine ? signingSecret : 'a secret that somebody has made up';
	const wantedStatus = isGenuine ? 200 : forged.status;
	const wantedExecutions = isGenuine || forged.starts ? deliveries : 0;
	const url = n8n.webhookUrl(workflow);
	const queue = Array.from({ length: deliveries }, () => sign(realisticEvent(), secret)).values();
	const before = executions.count(workflow.id);
	const statuses: number[] = [];
	const sender = async () => {
		for (const { body, headers } of queue) {
			const response = await request(url, { method: 'POST', headers, body, signal });
			await response.body.dump();
			statuses.push(response.statusCode);
		}
	};

	const startedAt = performance.now();
	await Promise.all(Array.from({ length: senders }, sender));
	if (wantedExecutions > 0) {
		await executions.waitForEnded(workflow.id, before.total + wantedExecutions, signal);
	}
	const tookMs = performance.now() - startedAt;

	const { total, failed } = executions.count(workflow.id);
	const isRight = statuses.every((status) => status === wantedStatus);
	const found = `${name} responded with ${statuses.join(', ')}, left ${total - before.total} executions, and ${failed} failed`;
	assert(
		isRight && total - before.total === wantedExecutions && failed === 0,
		`${found}, not ${wantedStatus} and ${wantedExecutions}`,
		'Its figures would say nothing. Look at what the n8n of the bench does.',
	);
	return { [perSecond]: (deliveries / tookMs) * 1000 };
}

/**
 * Starts a stand-in for api.stripe.com behind a proxy: n8n's Stripe Trigger subscribes there when it is
 * published, and gets its signing secret. Returns the settings that lead n8n to it.
 */
async function startStripe({ folder, cleanup }: BenchContext): Promise<Record<string, string>> {
	const { key, cert } = await generateCACertificate();
	const certificate = join(folder, 'stripe-stand-in.pem');
	await writeFile(certificate, cert);
	const server = getLocal({ https: { key, cert } });
	await server.start();
	cleanup.defer(() => server.stop());
	const webhook = {
		id: 'we_bench',
		secret: signingSecret,
		status: 'enabled',
		enabled_events: ['*'],
	};
	await server.forPost('https://api.stripe.com/v1/webhook_endpoints').thenJson(200, webhook);
	return {
		HTTPS_PROXY: server.url,
		NO_PROXY: '127.0.0.1,localhost',
		NODE_EXTRA_CA_CERTS: certificate,
	};
}

/** A delivery as Stripe signs it: an HMAC over a time and the body. */
function stripeDelivery(event: object, secret: string): WebhookRequest {
	const body = Buffer.from(JSON.stringify({ type: 'card.financial_event', ...event }));
	const time = Math.floor(Date.now() / 1000);
	const digest = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
	return {
		body,
		headers: { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${digest}` },
	};
}
