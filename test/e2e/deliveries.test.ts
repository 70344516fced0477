import { request } from 'node:http';

import { z } from 'zod';

import { n8nIsSince } from '../../harness/n8n/version.ts';
import { node, triggerNode, workflowOf } from '../../harness/n8n/workflow.ts';
import { signedDelivery } from '../../harness/signing.ts';
import { type Case, deliveryTable } from '../support/deliveryTable';
import { useSharedN8n } from './shared/shared.ts';

const shared = useSharedN8n();

jest.setTimeout(300_000);

const secretsSchema = z.tuple([z.string()]).or(z.tuple([z.string(), z.string()]));

/** Whether HTTP can carry a case's headers at all, and Node.js takes that much of them. */
const canBeSent = ({ headers }: Case) =>
	Object.values(headers)
		.flat()
		.every((value = '') => /^[\t\x20-\x7e\x80-\xff]*$/.test(value) && value.length < 16_000);

// The table's clock stands still, so what is about the time is left to the unit tests. n8n does not
// publish a trigger without a secret.
const cases = deliveryTable.filter(
	(each) =>
		canBeSent(each) && !/^(timestamp|age): /.test(each.name) && each.secrets[0].trim() !== '',
);

/** Responses that n8n gives before the trigger sees anything. */
const ownResponses: [name: RegExp, status: number][] = [
	[/^body: (blank|cut off|form fields|still compressed|two objects)$/, 422],
	[/^body: byte order mark$/, n8nIsSince('2.31') ? 200 : 422],
	// n8n copies the body of every request, by a function that calls itself.
	[/^body: deeply nested$/, 500],
];

const statusOf = ({ name, expected }: Case): number => {
	const own = ownResponses.find(([pattern]) => pattern.test(name));
	if (own) return own[1];
	if (expected === 'accepted' || expected === 'other-topic') return 200;
	return ['topic-missing', 'payload-not-an-object'].includes(expected) ? 400 : 401;
};

/** Sends a delivery; gives the status of the response. */
async function post(url: string, headers: Case['headers'], body: Uint8Array): Promise<number> {
	const given = Object.entries(headers).flatMap(([name, value]) =>
		value === undefined ? [] : [[name, value] as const],
	);
	// Not with fetch(), which joins and trims headers.
	const sent = request(url, { method: 'POST', headers: Object.fromEntries(given) });
	return await new Promise((resolve, reject) => {
		sent.once('error', reject);
		sent.once('response', (response) => {
			response.resume();
			response.once('end', () => resolve(response.statusCode ?? 0));
		});
		sent.end(body);
	});
}

/** Publishes a trigger with these secrets, and a node after it. */
async function publishTrigger(
	[signingSecret, previousSigningSecret = '']: readonly [string, string?],
	options: object = { timestampTolerance: 0 },
) {
	const { n8n } = shared();
	const data = { signingSecret, previousSigningSecret };
	const credential = await n8n.addCredential('cardPlatformWebhookApi', data);
	const workflow = workflowOf('Deliveries', [
		triggerNode('Trigger', credential, { options: { deduplicate: false, ...options } }),
		node('Downstream', 'n8n-nodes-base.noOp'),
	]);
	const id = await n8n.addAndPublish(workflow);
	return { id, url: n8n.webhookUrl(workflow) };
}

const secretsOf = ({ secrets }: Case) => JSON.stringify(secrets);

test.each([...new Set(cases.map(secretsOf))])(
	'secrets %#: each delivery gets its response, and only genuine ones start the workflow',
	async (secrets) => {
		const group = cases.filter((each) => secretsOf(each) === secrets);
		const { id, url } = await publishTrigger(secretsSchema.parse(JSON.parse(secrets)));
		const statuses: Record<string, number> = {};
		for (const each of group) statuses[each.name] = await post(url, each.headers, each.body);
		expect(statuses).toEqual(Object.fromEntries(group.map((each) => [each.name, statusOf(each)])));

		const started = group.filter(
			(each) => each.expected === 'accepted' && statusOf(each) === 200,
		).length;
		// A genuine one comes last: all that could have started has started before.
		const last = signedDelivery({ id: 'last' }, group[0]?.secrets[0].trim() ?? '');
		expect(await post(url, last.headers, last.body)).toBe(200);
		expect(await shared().n8n.waitForExecutions(id, started + 1)).toHaveLength(started + 1);
	},
);

// The delivery of the table is of a fixed moment, which is long ago.
test('a delivery of another time is refused', async () => {
	const right = cases.find(({ name }) => name === 'signature: right');
	if (right === undefined) throw new Error('There is no such case');
	const { headers, body, secrets } = right;
	const { id, url } = await publishTrigger(secrets, {});
	expect(await post(url, headers, body)).toBe(401);
	const now = { ...headers, 'x-webhook-timestamp': new Date().toISOString() };
	expect(await post(url, now, body)).toBe(200);
	expect(await shared().n8n.waitForExecutions(id)).toHaveLength(1);
});
