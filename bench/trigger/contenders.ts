import { randomBytes, randomUUID } from 'node:crypto';

import {
	inARow,
	node,
	triggerNode,
	webhookNode,
	type Workflow,
	workflowOf,
} from '../../harness/n8n/workflow.ts';
import { signedDelivery, type WebhookRequest } from '../../harness/signing.ts';
import type { BenchCredential } from '../n8n/start.ts';
import { stripeDelivery } from './stripe.ts';

/** What every contender's deliveries are signed with. */
export const signingSecret = randomBytes(32).toString('hex');

/** A workflow that takes deliveries. */
export interface Receiver {
	name: string;
	workflow: Workflow;
	/** A delivery of an event that is right in all, if `secret` is {@link signingSecret}. */
	sign: (event: object, secret: string) => WebhookRequest;
	/** What it answers to a forged delivery, and whether that starts an execution. */
	forged: { status: number; starts: boolean };
}

const webhookCredential = { name: 'webhook', type: 'cardPlatformWebhookApi' };
const stripeCredential = { name: 'stripe', type: 'stripeApi' };
const cryptoCredential = { name: 'crypto', type: 'crypto' };

/** What the workflows need. */
export const credentials: BenchCredential[] = [
	{ ...webhookCredential, data: { signingSecret, previousSigningSecret: '' } },
	{ ...stripeCredential, data: { secretKey: 'sk_test_bench', signatureSecret: '' } },
	{ ...cryptoCredential, data: { hmacSecret: signingSecret } },
];

const webhook = (options: object, parameters: object = {}) =>
	webhookNode('Webhook', { options, ...parameters });

/** What a person without our node writes today, after a search for "n8n verify webhook signature". */
const verifyInCode = `const { createHmac, timingSafeEqual } = require('crypto');
const body = await this.helpers.getBinaryDataBuffer(0, 'data');
const expected = Buffer.from('v0=' + createHmac('sha256', '${signingSecret}').update(body).digest('hex'));
const signature = Buffer.from($input.first().json.headers['x-webhook-signature'] ?? '');
const isGenuine = signature.length === expected.length && timingSafeEqual(signature, expected);
return isGenuine ? [{ json: JSON.parse(body.toString()) }] : [];`;

const respond = (name: string, responseCode: number) =>
	node(name, 'n8n-nodes-base.respondToWebhook', {
		typeVersion: 1.5,
		parameters: { respondWith: 'noData', options: { responseCode } },
	});

const ours = (name: string, parameters: object): Receiver => ({
	name,
	workflow: workflowOf(name, [triggerNode('Trigger', webhookCredential, parameters)]),
	sign: signedDelivery,
	forged: { status: 401, starts: false },
});

/** This trigger, as it comes. */
export const thisTrigger = ours('this trigger', {});

/** This trigger without the memory of events. */
export const thisTriggerWithoutMemory = ours('this trigger, Deduplicate off', {
	options: { deduplicate: false },
});

/** n8n's Webhook node alone: verifies nothing. */
export const bareWebhook: Receiver = {
	name: 'bare Webhook node',
	workflow: workflowOf('bare', [webhook({})]),
	sign: signedDelivery,
	forged: { status: 200, starts: true },
};

/** Webhook, and a Code node that verifies. */
export const webhookAndCode: Receiver = {
	name: 'Webhook + Code',
	workflow: workflowOf('code', [
		webhook({ rawBody: true }),
		node('Verify', 'n8n-nodes-base.code', {
			typeVersion: 2,
			parameters: { jsCode: verifyInCode },
		}),
	]),
	sign: signedDelivery,
	forged: { status: 200, starts: true },
};

/** Verification without code: Webhook, Crypto, IF, and an answer for either case. */
export const webhookAndCrypto: Receiver = {
	name: 'Webhook + Crypto + IF + Respond',
	workflow: workflowOf(
		'crypto',
		[
			webhook({ rawBody: true }, { responseMode: 'responseNode' }),
			node('Crypto', 'n8n-nodes-base.crypto', {
				typeVersion: 2,
				parameters: {
					action: 'hmac',
					type: 'SHA256',
					binaryData: true,
					binaryPropertyName: 'data',
					dataPropertyName: 'digest',
					encoding: 'hex',
				},
				credential: cryptoCredential,
			}),
			node('Genuine?', 'n8n-nodes-base.if', {
				typeVersion: 2.2,
				parameters: {
					conditions: {
						options: { version: 2, caseSensitive: true, leftValue: '', typeValidation: 'strict' },
						combinator: 'and',
						conditions: [
							{
								id: 'signature',
								leftValue: '=v0={{ $json.digest }}',
								rightValue: "={{ $('Webhook').item.json.headers['x-webhook-signature'] }}",
								operator: { type: 'string', operation: 'equals' },
							},
						],
					},
				},
			}),
			respond('Accept', 200),
			respond('Refuse', 401),
		],
		[...inARow(['Webhook', 'Crypto', 'Genuine?', 'Accept']), ['Genuine?', 'Refuse', { output: 1 }]],
	),
	sign: signedDelivery,
	forged: { status: 401, starts: true },
};

/** A separate trigger that is written the simple way (bench/trigger/naive). */
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

/** All of them. */
export const all: readonly Receiver[] = [
	thisTrigger,
	thisTriggerWithoutMemory,
	bareWebhook,
	webhookAndCode,
	webhookAndCrypto,
	naiveTrigger,
	stripeTrigger,
];
