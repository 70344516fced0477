import { request } from 'node:http';
import { text } from 'node:stream/consumers';

import { z } from 'zod';

import { type N8nClient, type StoredCredential } from '../../dev/harness/n8n/client.ts';
import { outputOf } from '../../dev/harness/n8n/executions.ts';
import { type Connection, node, triggerNode, workflowOf } from '../../dev/harness/n8n/workflow.ts';
import { RESPONSES } from '../../nodes/CardPlatform/webhook/rejections';
import { arriving, type Case, deliveryTable } from '../support/deliveryTable';
import { useSharedN8n } from '../support/n8n/shared.ts';

/** The deliveries that unit tests give to the trigger's functions, sent to a real n8n. */

jest.setTimeout(400_000);

const EVENT_ID = 'x-webhook-event-id';

/** Bodies that n8n refuses to parse: as bytes, they get to the trigger. */
const UNPARSED = /^body: (byte order mark|cut off|still compressed)$/;

/** Their outcome changes while they are on their way. */
const ON_THE_EDGE = /^timestamp: (exactly as old as the tolerance|one second too far ahead)$/;

/**
 * Each carries its name as event ID, unless it is about that. No HTTP client sends a NUL or a line break, and n8n refuses
 * headers over 16 KB itself. An execution whose data is nested 5 000 times breaks n8n's own API.
 */
const cases = deliveryTable
	.filter(({ name }) => name !== 'body: deeply nested' && !ON_THE_EDGE.test(name))
	.filter(({ headers }) => !/[\0\r\n]/.test(Object.values(headers).flat().join()))
	.filter(({ headers }) => JSON.stringify(headers).length < 8_000)
	.map((each) => ({
		...each,
		headers: {
			...each.headers,
			...(each.headers[EVENT_ID] === 'e1' && { [EVENT_ID]: each.name }),
			...(UNPARSED.test(each.name) && { 'content-type': 'application/octet-stream' }),
		},
	}));

/** Status and reason in the response of the trigger. */
function responseOf(expected: Case['expected']): string {
	if (expected === 'accepted') return '200 ';
	return `${RESPONSES[expected].status} ${expected}`;
}

const shared = useSharedN8n();
let n8n: N8nClient;
let workflowId: string;
/** The URLs of the triggers, by secrets and options. */
const urls = new Map<string, string>();

const groupOf = ({ secrets, timestampTolerance }: Case) =>
	JSON.stringify([secrets, timestampTolerance]);

/** One workflow has a trigger for all cases with the same secrets and options. */
beforeAll(async () => {
	({ n8n } = shared());
	const later: [StoredCredential, object][] = [];
	const groups = new Map(cases.map((each) => [groupOf(each), each]));
	const triggers = [];
	for (const [group, { secrets, timestampTolerance }] of groups) {
		const [signingSecret, previousSigningSecret = '', testSigningSecret = ''] = secrets;
		const data = { signingSecret, previousSigningSecret, testSigningSecret };
		const isBlank = signingSecret.trim() === '';
		// No workflow can be published without a secret.
		const published = isBlank ? { ...data, signingSecret: 'any' } : data;
		const credential = await n8n.addCredential('cardPlatformWebhookApi', published);
		if (isBlank) later.push([credential, data]);
		const options = { timestampTolerance, deduplicate: false, reportRejected: false };
		const trigger = triggerNode(`Trigger ${triggers.length + 1}`, credential, { options });
		triggers.push(trigger);
		urls.set(group, n8n.webhookUrl({ nodes: [trigger] }));
	}
	const downstream = node('Downstream', 'n8n-nodes-base.noOp');
	const connections = triggers.map(({ name }): Connection => [name, downstream.name]);
	const workflow = workflowOf('Deliveries', [...triggers, downstream], connections);
	workflowId = await n8n.addAndPublish(workflow);
	for (const [credential, data] of later) await n8n.changeCredential(credential, data);
}, 300_000);

const bodySchema = z.object({ message: z.string().optional(), ignored: z.string().optional() });

/** Sends a delivery as if it were made now; gives status and reason, or the code of a broken connection. */
async function deliver(delivery: Case): Promise<string> {
	const { headers, body } = arriving(Date.now(), delivery);
	const present = Object.entries(headers).flatMap(([name, value]) =>
		[value ?? []].flat().map((each): [string, string] => [name, bytes(each)]),
	);
	return new Promise((resolve, reject) => {
		const sent = request(urls.get(groupOf(delivery)) ?? '', { method: 'POST' }, (response) => {
			text(response)
				.then((content) => {
					const { message, ignored } = bodySchema.parse(content === '' ? {} : JSON.parse(content));
					resolve(`${String(response.statusCode)} ${message ?? ignored ?? ''}`);
				})
				.catch(reject);
		});
		for (const [name, value] of present) sent.appendHeader(name, value);
		sent.once('error', (error) => {
			resolve(`${'code' in error ? String(error.code) : error.message} `);
		});
		sent.end(body);
	});
}

/** Node.js takes a header's characters for bytes. */
const bytes = (value: string) => Buffer.from(value).toString('latin1');

const itemSchema = z.object({ delivery: z.object({ eventId: z.string().default('') }) });

test('each delivery gets its response, and exactly the accepted ones start an execution', async () => {
	const responses: Record<string, string> = {};
	for (const each of cases) responses[each.name] = await deliver(each);
	expect(responses).toEqual(
		Object.fromEntries(cases.map(({ name, expected }) => [name, responseOf(expected)])),
	);

	const accepted = cases.filter(({ name }) => responses[name] === responseOf('accepted'));
	const executions = await n8n.waitForExecutions(workflowId, accepted.length, { everyMs: 1_000 });
	const reached = executions.flatMap((execution) => outputOf(execution, 'Downstream').items);
	const eventIds = reached.map((item) => itemSchema.parse(item).delivery.eventId);
	expect(eventIds.sort()).toEqual(accepted.map(({ headers }) => headers[EVENT_ID] ?? '').sort());
});
