import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import type { N8nClient, StoredCredential } from '../../dev/harness/n8n/client.ts';
import { n8nIsSince } from '../../dev/harness/n8n/version.ts';
import { node, webhookPathOf, type Workflow, workflowOf } from '../../dev/harness/n8n/workflow.ts';
import { sign, signedDelivery } from '../../dev/harness/signing.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import { useSharedN8n } from '../support/n8n/shared.ts';
import {
	declinedEvent,
	newWorkflow,
	type NodeBetween,
	post,
	runsOf,
	secret,
	send,
} from './sending.ts';

const shared = useSharedN8n();
let n8n: N8nClient;
let credential: StoredCredential;

beforeAll(async () => {
	({ n8n } = shared());
	credential = await addCredential({ signingSecret: secret });
});

jest.setTimeout(300_000);

const addCredential = (data: object) => n8n.addCredential('cardPlatformWebhookApi', data);

async function publishNew(parameters: object = {}, between?: NodeBetween): Promise<Workflow> {
	const workflow = newWorkflow(credential, parameters, between);
	return { ...workflow, id: await n8n.addAndPublish(workflow) };
}

const deliver = (workflow: Workflow, event: object) => send(n8n, workflow, event);
const ended = ({ id }: Workflow, count: number) => n8n.waitForExecutions(id, count);

const json = { 'content-type': 'application/json' };
const bytesOnly = { 'content-type': 'application/octet-stream' };
const text = JSON.stringify({ id: 'forged' });
const forged = sign(Buffer.from(text), 'guess');
const bytes = (from: Buffer) => new Uint8Array(from);

test('no request without a right signature runs a step of the workflow', async () => {
	const workflow = await publishNew();
	const part = `--edge\r\nContent-Disposition: form-data; name="event"\r\n\r\n${text}\r\n--edge--\r\n`;
	const shapes: [string, Record<string, string>, (string | Uint8Array<ArrayBuffer>)?][] = [
		['JSON', json, text],
		['forged', { ...json, 'x-webhook-signature': forged }, text],
		['no content type', {}, bytes(Buffer.from(text))],
		['nothing at all', {}],
		['empty', json, ''],
		['octet-stream', bytesOnly, text],
		['text', { 'content-type': 'text/plain' }, text],
		['form', { 'content-type': 'application/x-www-form-urlencoded' }, 'id=forged'],
		['multipart', { 'content-type': 'multipart/form-data; boundary=edge' }, part],
		['over 16 MB of bytes', bytesOnly, 'x'.repeat(17 * 1024 * 1024)],
		['bytes that say gzip', { ...bytesOnly, 'content-encoding': 'gzip' }, text],
		['gzip', { ...json, 'content-encoding': 'gzip' }, bytes(gzipSync(text))],
	];
	const statuses: Record<string, number> = {};
	for (const [name, headers, body] of shapes) {
		statuses[name] = (await post(n8n.webhookUrl(workflow), headers, body)).status;
	}
	expect(statuses).toEqual(Object.fromEntries(shapes.map(([name]) => [name, 401])));
	await deliver(workflow, declinedEvent());
	const executions = await ended(workflow, 4);
	expect(runsOf(executions, 'Downstream')).toHaveLength(1);
	// No signature, another secret, a body that n8n cannot read: each is reported once.
	expect(executions.filter(({ status }) => status === 'error')).toHaveLength(3);
});

test('a genuine delivery is accepted in every shape that keeps its bytes', async () => {
	const workflow = await publishNew();
	const to = n8n.webhookUrl(workflow);
	const octet = signedDelivery(declinedEvent(), secret);
	const gzip = signedDelivery(declinedEvent(), secret);
	const twice = signedDelivery(declinedEvent(), secret);
	const other = `v0=${'0'.repeat(64)}`;
	const answers = [
		await deliver(workflow, declinedEvent()),
		await post(to, { ...octet.headers, ...bytesOnly }, bytes(octet.body)),
		await post(to, { ...gzip.headers, 'content-encoding': 'gzip' }, bytes(gzipSync(gzip.body))),
		await post(
			to,
			[['x-webhook-signature', other], ...Object.entries(twice.headers)],
			bytes(twice.body),
		),
	];
	expect(answers).toEqual(answers.map(() => ({ status: 200, text: '' })));
	expect(runsOf(await ended(workflow, 4), 'Downstream')).toHaveLength(4);
});

test('an event that is delivered 20 times at once, and then as a replay, runs the workflow once', async () => {
	const workflow = await publishNew();
	const event = declinedEvent();
	const copies = Array.from({ length: 20 }, async () => await deliver(workflow, event));
	const answers = await Promise.all(copies);
	expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
	// Each delivery has its own event ID and timestamp, which nobody has signed.
	expect(await deliver(workflow, event)).toEqual({ status: 200, text: '{"ignored":"duplicate"}' });
	await deliver(workflow, declinedEvent());
	const started = answers.filter((answer) => answer.text === '').length;
	expect(runsOf(await ended(workflow, started + 1), 'Downstream')).toHaveLength(2);
});

test('answered when the workflow has ended, a delivery whose workflow fails is answered 500, and runs when it comes again', async () => {
	const workflow = await publishNew(
		{ responseMode: 'lastNode' },
		{ type: 'n8n-nodes-base.stopAndError', parameters: { errorMessage: 'No' } },
	);
	const event = declinedEvent();
	for (let attempt = 1; attempt <= 2; attempt++) {
		expect((await deliver(workflow, event)).status).toBe(500);
		expect(await ended(workflow, attempt)).toHaveLength(attempt);
	}
});

test('a refused test event is a failed test run, which says why and holds no secret; the next one works', async () => {
	const workflow = newWorkflow(await addCredential({ signingSecret: secret }));
	const id = await n8n.addWorkflow(workflow);
	const { headers, body } = signedDelivery(declinedEvent(), secret);
	const to = `${n8n.url}/webhook-test/${webhookPathOf(workflow)}`;
	await n8n.listenForTestEvent(id, 'Trigger');
	expect(await post(to, { ...headers, 'x-webhook-signature': forged }, bytes(body))).toEqual({
		status: 401,
		text: '{"code":"unauthorized","message":"signature-mismatch"}',
	});
	const [failed] = await n8n.waitForExecutions(id, 1);
	expect(failed.status).toBe('error');
	const stored = JSON.stringify(failed);
	expect(stored).toContain('An event arrived, but it was signed with another secret');
	expect(stored).not.toContain(secret);
	expect(stored).not.toContain(forged.slice(3));

	await n8n.listenForTestEvent(id, 'Trigger');
	expect((await post(to, headers, bytes(body))).status).toBe(200);
	expect(runsOf(await n8n.waitForExecutions(id, 2), 'Downstream')).toHaveLength(1);
});

test('with Report Rejections, a wrong secret is a failed execution that starts the error workflow', async () => {
	const wrong = 'the-secret-of-another-url';
	const own = await addCredential({ signingSecret: wrong });
	const errorNode = node('Error', 'n8n-nodes-base.errorTrigger');
	const errorWorkflow = await n8n.addCallable(workflowOf(randomUUID(), [errorNode]));
	const publishReporting = async (reportRejected: boolean): Promise<Workflow> => {
		const settings = { executionOrder: 'v1', errorWorkflow };
		const workflow = { ...newWorkflow(own, { options: { reportRejected } }), settings };
		return { ...workflow, id: await n8n.addAndPublish(workflow) };
	};
	const silent = await publishReporting(false);
	const reporting = await publishReporting(true);
	const rejected = declinedEvent();
	for (const workflow of [silent, reporting, reporting]) {
		expect(await deliver(workflow, rejected)).toEqual({
			status: 401,
			text: '{"code":"unauthorized","message":"signature-mismatch"}',
		});
	}
	const [failed] = await ended(reporting, 1);
	const [reported] = await n8n.waitForExecutions(errorWorkflow, 1);
	const { body } = signedDelivery(rejected, secret);
	const signatures = [secret, wrong].map((each) => sign(body, each).slice(3));
	for (const { id } of [failed, reported]) {
		const stored = JSON.stringify(await n8n.getJson(`/rest/executions/${id}`));
		expect(stored).toContain('An event arrived, but it was signed with another secret');
		for (const part of [secret, wrong, rejected.id, 'x-webhook', ...signatures]) {
			expect(stored).not.toContain(part);
		}
	}

	await n8n.changeCredential(own, { signingSecret: secret });
	const genuine = declinedEvent();
	for (const workflow of [silent, reporting]) {
		// The trigger looks for a new secret every two seconds.
		await waitUntil(async () => (await deliver(workflow, genuine)).status === 200, {
			what: 'the new secret',
			withinMs: 60_000,
		});
	}
	expect((await ended(silent, 1)).map(({ status }) => status)).toEqual(['success']);
	expect((await ended(reporting, 2)).map(({ status }) => status)).toEqual(['success', 'error']);
	expect(await n8n.executions(errorWorkflow)).toHaveLength(1);

	// Executions → Retry of the report runs nothing.
	await n8n.retry(failed, 'original workflow');
	const all = await ended(reporting, 3);
	expect(all.map(({ status }) => status)).toEqual(['error', 'success', 'error']);
	expect(runsOf(all, 'Downstream')).toHaveLength(1);
});

test('n8n finds the output schemas of all nodes', async () => {
	const delivery = {};
	const lastFour = { type: 'string' };
	const schemas: Record<string, object> = n8nIsSince('2')
		? {
				'Trigger/2.0.0/output': { delivery },
				'PollingTrigger/1.0.0/output': { delivery },
				'/1.0.0/card/getAll': { lastFour },
			}
		: {};
	for (const [place, properties] of Object.entries(schemas))
		expect(
			await n8n.getJson(`/schemas/n8n-nodes-card-platform.cardPlatform${place}.json`),
		).toMatchObject({ properties });
});
