import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';

import { request } from 'undici';

import {
	node,
	triggerNode,
	webhookNode,
	type Workflow,
	workflowOf,
} from '../../harness/n8n/workflow.ts';
import { realisticEvent } from '../../harness/scenario/realisticEvent.ts';
import { signedDelivery } from '../../harness/signing.ts';
import { type BenchN8n, startBenchN8n } from '../n8n.ts';
import type { BenchContext, Scenario } from '../scenario.ts';

/** How n8n evaluates expressions, which makes the largest difference; and the deliveries of one turn. */
const engines: { name: string; settings: Record<string, string>; deliveries: number }[] = [
	{ name: 'default engine', settings: {}, deliveries: 40 },
	{ name: 'lazy', settings: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' }, deliveries: 60 },
];

const signingSecret = randomBytes(32).toString('hex');
const credential = { name: 'webhook', type: 'cardPlatformWebhookApi' };
interface Receiver {
	name: string;
	workflow: Workflow;
	/** Its response to a forged delivery, and whether that starts an execution. */
	forged: { status: number; starts: boolean };
}

const thisTrigger: Receiver = {
	name: 'this trigger',
	// Without the report of rejected deliveries: one execution an hour, which would be in one round only.
	workflow: workflowOf('this trigger', [
		triggerNode('Trigger', credential, { options: { reportRejected: false } }),
	]),
	forged: { status: 401, starts: false },
};

/** n8n's Webhook node, and a Code node that verifies the signature. */
const webhookAndCode: Receiver = {
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
	forged: { status: 200, starts: true },
};

const receivers = [thisTrigger, webhookAndCode];
const perSecond = 'deliveries per second';
const senders = 8;

/** Genuine and forged deliveries, beside a workflow that verifies them in code. */
export async function deliveries(context: BenchContext): Promise<Scenario> {
	const contenders = [];
	for (const engine of engines) {
		const n8n = await startBenchN8n(context, {
			name: engine.name.replaceAll(' ', '-'),
			credentials: [{ ...credential, data: { signingSecret, previousSigningSecret: '' } }],
			workflows: receivers.map(({ workflow }) => workflow),
			settings: { ...engine.settings, NODE_FUNCTION_ALLOW_BUILTIN: 'crypto' },
		});
		for (const isGenuine of [true, false]) {
			for (const receiver of receivers) {
				contenders.push({
					setting: `${isGenuine ? 'genuine' : 'forged'}, ${engine.name}`,
					name: receiver.name,
					run: () => measureBurst(n8n, receiver, engine.deliveries, isGenuine),
				});
			}
		}
	}
	const forged = engines.map(({ name }) => `forged, ${name}`);
	return {
		title: 'Deliveries',
		about: `${senders} senders, each delivery a new event of about 1 KB; nothing follows. A burst is over when its last execution has ended.`,
		rounds: 5,
		// The first turn compiles code and opens connections, which is no part of the steady state.
		warmUp: true,
		measures: [perSecond],
		reference: thisTrigger.name,
		contenders,
		goals: (medianOf) =>
			forged.map((setting) => ({
				says: `times the deliveries of ${webhookAndCode.name}: ${setting}`,
				value:
					medianOf(setting, thisTrigger.name, perSecond) /
					medianOf(setting, webhookAndCode.name, perSecond),
				bound: 'at least',
				wanted: 1.3,
			})),
	};
}

/**
 * Sends a burst to a receiver and waits until n8n is done with it, its executions included.
 * Throws if a response is not what it should be, or an execution fails.
 */
async function measureBurst(
	{ n8n, executions }: BenchN8n,
	{ name, workflow, forged }: Receiver,
	count: number,
	isGenuine: boolean,
): Promise<Record<string, number>> {
	const secret = isGenuine ? signingSecret : 'a secret that somebody has made up';
	const wanted = {
		status: isGenuine ? 200 : forged.status,
		executions: isGenuine || forged.starts ? count : 0,
	};
	const url = n8n.webhookUrl(workflow);
	const queue = Array.from({ length: count }, () =>
		signedDelivery(realisticEvent(), secret),
	).values();
	const before = executions.count(workflow.id);
	const statuses = new Set<number>();
	const sender = async () => {
		for (const { body, headers } of queue) {
			const response = await request(url, { method: 'POST', headers, body });
			await response.body.dump();
			statuses.add(response.statusCode);
		}
	};
	const startedAt = performance.now();
	await Promise.all(Array.from({ length: senders }, sender));
	const total = before.total + wanted.executions;
	if (wanted.executions > 0) await executions.waitForEnded(workflow.id, total);
	const tookMs = performance.now() - startedAt;

	const after = executions.count(workflow.id);
	const isRight = [...statuses].join() === String(wanted.status) && after.total === total;
	assert(
		isRight && after.failed === 0,
		`${name} responded with ${[...statuses].join()}, and left ${after.total - before.total} executions`,
	);
	return { [perSecond]: (count / tookMs) * 1000 };
}
