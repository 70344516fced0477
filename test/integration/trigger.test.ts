import { createHmac } from 'node:crypto';

import type { Credentials } from '../support/n8n';
import { startTrigger, type TestTrigger } from '../support/trigger';

const event = { id: 'e1', transactionId: 't1', cardId: 'c1', amount: '980.00', isSuccess: false };
const body = JSON.stringify(event);

const secrets = (signingSecret: string, previousSigningSecret = ''): Credentials => ({
	cardPlatformWebhookApi: { signingSecret, previousSigningSecret },
});

const sign = (secret: string) => `v0=${createHmac('sha256', secret).update(body).digest('hex')}`;

let credentials: () => Credentials;
let trigger: TestTrigger;
beforeEach(async () => {
	credentials = () => secrets('new');
	trigger = await startTrigger(() => credentials());
});
afterEach(async () => {
	await trigger.close();
});

const deliver = async (headers: Record<string, string>, sent = body) =>
	await fetch(trigger.url, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			'x-webhook-event-id': 'e1',
			'x-webhook-topic': 'card.financial_event.v1',
			'x-webhook-timestamp': new Date().toISOString(),
			...headers,
		},
		body: sent,
	});

test('a genuine delivery is answered 200 and emits one item', async () => {
	const timestamp = new Date().toISOString();
	const response = await deliver({
		'x-webhook-signature': sign('new'),
		'x-webhook-timestamp': timestamp,
	});
	expect(response.status).toBe(200);
	expect(trigger.results).toEqual([
		{
			workflowData: [
				[
					{
						json: {
							...event,
							delivery: { eventId: 'e1', topic: 'card.financial_event.v1', timestamp },
						},
					},
				],
			],
		},
	]);
});

test('a rotation: either secret, then the new one only', async () => {
	const statuses = async () => [
		(await deliver({ 'x-webhook-signature': sign('old') })).status,
		(await deliver({ 'x-webhook-signature': `${sign('new')},${sign('old')}` })).status,
		(await deliver({ 'x-webhook-signature': sign('new') })).status,
	];
	credentials = () => secrets('old');
	expect(await statuses()).toEqual([200, 200, 401]);
	credentials = () => secrets('new', 'old');
	expect(await statuses()).toEqual([200, 200, 200]);
	credentials = () => secrets('new');
	expect(await statuses()).toEqual([401, 200, 200]);
});

test('a secret that was pasted with a line break works', async () => {
	credentials = () => secrets('new\n');
	expect((await deliver({ 'x-webhook-signature': sign('new') })).status).toBe(200);
});

test.each<[string, () => Credentials, Record<string, string>, string]>([
	['unsigned', () => secrets('new'), {}, 'signature-missing'],
	['forged', () => secrets('new'), { 'x-webhook-signature': sign('guess') }, 'signature-mismatch'],
	['no secret', () => secrets(''), { 'x-webhook-signature': sign('') }, 'no-secret'],
	['blank secret', () => secrets(' ', ' '), { 'x-webhook-signature': sign(' ') }, 'no-secret'],
])('%s: 401, nothing emitted', async (_name, given, headers, reason) => {
	credentials = given;
	const response = await deliver(headers);
	expect(response.status).toBe(401);
	expect(await response.json()).toEqual({ code: 'unauthorized', message: reason });
	expect(trigger.results).toEqual([{ noWebhookResponse: true }]);
});

test('another topic is answered 200 and starts nothing', async () => {
	const response = await deliver({
		'x-webhook-signature': sign('new'),
		'x-webhook-topic': 'card.financial_event.v2',
	});
	expect(response.status).toBe(200);
	expect(trigger.results).toEqual([{ noWebhookResponse: true }]);
});

test('a body that changed on the way is refused', async () => {
	const response = await deliver({ 'x-webhook-signature': sign('new') }, `${body} `);
	expect(response.status).toBe(401);
});

test('where the credential cannot be read, the sender is told to try again', async () => {
	credentials = () => {
		return new Proxy(secrets('new'), {
			get: () => {
				throw new Error('database is locked');
			},
		});
	};
	const response = await deliver({ 'x-webhook-signature': sign('new') });
	expect(response.status).toBe(500);
	expect(await response.text()).not.toContain('locked');
	expect(trigger.results).toEqual([{ noWebhookResponse: true }]);
});

test('the tolerance of the timestamp is the one that was set', async () => {
	const late = {
		'x-webhook-signature': sign('new'),
		'x-webhook-timestamp': new Date(Date.now() - 3_600_000).toISOString(),
	};
	expect((await deliver(late)).status).toBe(401);
	await trigger.close();
	trigger = await startTrigger(() => credentials(), { options: { timestampTolerance: 7_200 } });
	expect((await deliver(late)).status).toBe(200);
});
