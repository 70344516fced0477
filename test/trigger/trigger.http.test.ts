import type { INode, INodeParameters } from 'n8n-workflow';

import { createNode, type Credentials } from '../../dev/harness/core/credentials.ts';
import { sign } from '../../dev/harness/signing.ts';
import { CardPlatformTrigger } from '../../nodes/CardPlatform/CardPlatformTrigger.node';
import { scripts } from '../support/scripts.ts';
import {
	createFirstStep,
	createTriggerWorkflow,
	startTrigger,
	type TestTrigger,
	type TriggerOptions,
} from '../support/trigger';

// What makes a delivery genuine is in the table of deliveries (delivery.test.ts).

const secrets = (signingSecret: string, previousSigningSecret = ''): Credentials => ({
	cardPlatformWebhookApi: { signingSecret, previousSigningSecret },
});

/** A credential that cannot be read. */
const unreadable = (message: string): Credentials =>
	new Proxy(secrets('new'), {
		get: () => {
			throw new Error(message);
		},
	});

const realNow = Date.now.bind(Date);

/** Makes the trigger's clock go on. */
function passTime(ms: number) {
	const before = Date.now() - realNow();
	jest.spyOn(Date, 'now').mockImplementation(() => realNow() + before + ms);
}

const running: TestTrigger[] = [];
afterEach(async () => {
	jest.restoreAllMocks();
	for (const trigger of running.splice(0)) await trigger.close();
});

const declined = { transactionId: 't1', cardId: 'c1', amount: '980.00', isSuccess: false };

interface Sent {
	event?: object;
	body?: string;
	headers?: Record<string, string>;
	/** Signs it. */
	secret?: string;
}

/** Starts a trigger; what it knows of secrets, what n8n responds, and what it logs. */
async function start(options: TriggerOptions = {}) {
	const outside = { credentials: secrets('new'), n8n: 200 };
	const logged: unknown[][] = [];
	const settings: TriggerOptions = {
		handOver: () => outside.n8n,
		...options,
		onContext(context) {
			options.onContext?.(context);
			for (const level of ['debug', 'warn', 'error'] as const)
				jest.spyOn(context.logger, level).mockImplementation((...line) => {
					logged.push([level, ...line]);
				});
		},
	};
	const trigger = await startTrigger(() => outside.credentials, settings);
	running.push(trigger);
	const send = async ({ event, body, headers, secret = 'new' }: Sent = {}) => {
		const sent = body ?? JSON.stringify({ id: 'e1', ...declined, ...event });
		const response = await fetch(trigger.url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				'x-webhook-event-id': 'header',
				'x-webhook-topic': 'card.financial_event.v1',
				'x-webhook-timestamp': new Date(Date.now()).toISOString(),
				'x-webhook-signature': sign(sent, secret),
				...headers,
			},
			body: sent,
		});
		return { status: response.status, text: await response.text() };
	};
	/** A line of the log. */
	const entry = (outcome: string, reason: string, eventId: string, option?: string) => {
		const place = `workflow "Cards" ${trigger.workflowId}, node "cardPlatformTrigger"`;
		const about = eventId === '' ? 'no event ID' : `event ${eventId}`;
		const change = option === undefined ? '' : `, see the option "${option}"`;
		return `Card Platform Trigger ${outcome}: ${reason} (${place}, ${about}${change})`;
	};
	return { trigger, settings, outside, logged, send, entry };
}

/** What the words of a trigger set. */
const SETTINGS: Record<string, TriggerOptions> = {
	approved: { parameters: { events: ['approved'] } },
	declined: { parameters: { events: ['declined'] } },
	'from-980': { parameters: { filters: { minimumAmount: '980' } } },
	'from-980.01': { parameters: { filters: { minimumAmount: '980.01' } } },
	'from-lots': { parameters: { filters: { minimumAmount: 'lots' } } },
	every: { parameters: { options: { everyApproval: true } } },
	off: { parameters: { options: { deduplicate: false } } },
	silent: { parameters: { options: { reportRejected: false } } },
	'2h': { parameters: { options: { timestampTolerance: 7_200 } } },
	'-1s': { parameters: { options: { timestampTolerance: -1 } } },
	end: { parameters: { responseMode: 'lastNode' } },
	manual: { mode: 'manual' },
	multipart: { isUnreadable: true },
	'no-credential': { node: { credentials: {} } },
	'undefined-credential': { node: { credentials: undefined } },
	continues: { node: { onError: 'continueRegularOutput' } },
	'continues-by-error-output': { node: { onError: 'continueErrorOutput' } },
	'continues-on-fail': { node: { continueOnFail: true } },
};

const toOptions = (words: string): TriggerOptions => {
	const all = words.split(' ').map((word) => SETTINGS[word] ?? {});
	const parameters = all.reduce<INodeParameters>(
		(merged, each) => ({ ...merged, ...each.parameters }),
		{},
	);
	return { ...all.reduce((merged, each) => ({ ...merged, ...each }), {}), parameters };
};

const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** What the words of a delivery change. */
const CHANGES: Record<string, () => Sent> = {
	unsigned: () => ({ headers: { 'x-webhook-signature': '' } }),
	malformed: () => ({ headers: { 'x-webhook-signature': 'v9' } }),
	forged: () => ({ secret: 'guess' }),
	old: () => ({ secret: 'old' }),
	fresh: () => ({ headers: { 'x-webhook-event-id': 'fresh' } }),
	small: () => ({ event: { amount: '1.00' } }),
	nameless: () => ({ event: { id: undefined } }),
	array: () => ({ body: '[]' }),
	'other-topic': () => ({ headers: { 'x-webhook-topic': 'card.financial_event.v2' } }),
	'no-topic': () => ({ headers: { 'x-webhook-topic': '' } }),
	'no-time': () => ({ headers: { 'x-webhook-timestamp': '' } }),
	'bad-time': () => ({ headers: { 'x-webhook-timestamp': 'now' } }),
	'-1h': () => ({ headers: { 'x-webhook-timestamp': at(-1) } }),
	'+1h': () => ({ headers: { 'x-webhook-timestamp': at(1) } }),
};

/** A delivery such as `e1:forged`, or `a/t1`: a, which approves the purchase t1. */
function toDelivery(words: string): Sent {
	const [name = '', ...changes] = words.split(':');
	const [id, transactionId] = name.split('/');
	const approval = { transactionId, isSuccess: true, amountDirection: 'debit' };
	const event = { id, ...(transactionId !== undefined && approval) };
	const all = changes.map((change) => CHANGES[change]?.() ?? {});
	return { ...Object.assign({}, ...all), event: { ...event, ...all[0]?.event } } as Sent;
}

/** What is logged: for which event, and which option may help. */
const OF_SIGNED = /^(duplicate|filtered|same-purchase|other-topic|topic-missing|timestamp)/;
const LOGGED: Record<number, [string, string]> = {
	200: ['debug', 'ignored a delivery'],
	400: ['warn', 'rejected a delivery'],
	401: ['warn', 'rejected a delivery'],
	500: ['error', 'could not check a delivery'],
};
const BODIES: Record<number, (reason: string) => object> = {
	200: (ignored) => ({ ignored }),
	400: (message) => ({ code: 'bad-request', message }),
	401: (message) => ({ code: 'unauthorized', message }),
	500: (message) => ({ code: 'internal-server-error', message }),
};

/**
 * Steps for a trigger, whose each response has its line in the log:
 * - `e1:forged = 401! signature-mismatch` a delivery, its response, and `!` if it starts an execution that fails; `e1 = 200` starts one
 * - `secrets new old`, `locked` the credential; `n8n 500` what n8n responds; `+30s` time passes; `published` after a test
 * - `another` workflow
 */
const check = scripts(async (given) => {
	const options = toOptions(given);
	let current = await start(options);
	const steps: Record<string, (...words: string[]) => unknown> = {
		secrets: (now = '', old = '') => (current.outside.credentials = secrets(now, old)),
		locked: () => void (current.outside.credentials = unreadable('database is locked')),
		n8n: (status) => (current.outside.n8n = Number(status)),
		published: () => (current.settings.mode = 'webhook'),
		another: async () => (current = await start(options)),
	};
	return async (step) => {
		const [verb = '', ...words] = step.split(' ');
		if (verb.startsWith('+')) passTime(Number(verb.slice(1, -1)) * 1_000);
		else if (steps[verb] !== undefined) await steps[verb](...words);
		else {
			const { trigger, logged, send, entry } = current;
			const [, outcome = '', reason] = words;
			const [status, isReported] = [parseInt(outcome), outcome.endsWith('!')];
			const sent = toDelivery(verb);
			const event: unknown = JSON.parse(JSON.stringify(sent.event));
			const { text, ...actual } = await send(sent);
			expect(actual).toEqual({ status });
			const result = trigger.results.at(-1);
			const lines = logged.splice(0);
			if (reason === undefined) {
				expect([text, result?.noWebhookResponse, lines]).toEqual(['', undefined, []]);
				expect(result?.workflowData).toMatchObject([[{ json: event }]]);
				return;
			}
			expect(JSON.parse(text)).toEqual(BODIES[status]?.(reason));
			const started = isReported ? { workflowData: [[expect.anything()]] } : {};
			expect(result).toEqual({ noWebhookResponse: true, ...started });
			const { id } = { id: '', ...sent.event };
			const eventId = OF_SIGNED.test(reason)
				? id
				: (sent.headers?.['x-webhook-event-id'] ?? 'header');
			const option = reason.startsWith('timestamp') ? 'Max Time Difference (S)' : undefined;
			const [level, what = ''] = LOGGED[status] ?? [];
			const line = entry(what, reason, eventId || 'header', option);
			const failed = expect.stringMatching(
				/^Card Platform Trigger could not check a delivery: \w*Error: .*header\)$/,
			);
			expect(lines).toEqual([[level, status === 500 ? failed : line]]);
		}
	};
});

describe('a delivery', () => {
	check(`
		that is genuine starts the workflow | | e1 = 200; e2 = 200
		during a rotation: either secret, then the new one only | | secrets old; e1:old = 200; e2 = 401! signature-mismatch; secrets new old; +30s; e3:old = 200; e4 = 200; secrets new; +30s; e5:old = 401 signature-mismatch; e6 = 200
		that is unsigned | | e1:unsigned = 401! signature-missing
		that is forged | | e1:forged = 401! signature-mismatch
		without a secret | | secrets; e1 = 401! no-secret
		without a credential | no-credential | e1 = 401! no-secret
		with the credential of an old n8n | undefined-credential | e1 = 401! no-secret
		whose body n8n cannot read | multipart | e1 = 401! body-unreadable
		that is no event | | e1:array = 400! payload-not-an-object
		with another topic | | e1:other-topic = 200 other-topic
		without a topic | | e1:no-topic = 400! topic-missing
		at a time that differs too much | | e1:-1h = 401! timestamp-too-old; e1:+1h = 401! timestamp-too-far-ahead; e1 = 200
		at a time within the tolerance | 2h | e1:-1h = 200; e2:+1h = 200
		without a time | | e1:no-time = 401! timestamp-missing; e1:bad-time = 401! timestamp-malformed
		if the credential cannot be read: it comes again | | locked; e1 = 500! check-failed
		if a filter is wrong: it comes again, unless it is forged | from-lots | e1:unsigned = 401! signature-missing; e1 = 500! check-failed
		if an option is wrong: it comes again, unless it is forged | -1s | e1:unsigned = 401! signature-missing; e1 = 500! check-failed
		of the type that was chosen | declined | e1 = 200
		of another type | approved | e1 = 200 filtered
		of the amount that was chosen | from-980 | e1 = 200
		of a smaller amount | from-980.01 | e1 = 200 filtered
	`);
});

const failed = (status: number) =>
	`starts it if n8n answered with ${status} | | n8n ${status}; e1 = ${status}; n8n 200; e1 = 200; e1 = 200 duplicate`;

describe('an event that comes again', () => {
	check(`
		starts nothing, also with another event ID in its header | | e1 = 200; e1 = 200 duplicate; e1:fresh = 200 duplicate
		is recognised by its ID | | e1 = 200; e2 = 200; e1:small = 200 duplicate
		without an ID is recognised by its content | | e1:nameless = 200; e1:nameless = 200 duplicate; a/t2:nameless = 200
		${[500, 503, 302, 300].map(failed).join('\n')}
		starts a test each time, and the workflow after it | manual | e1 = 200; e1 = 200; published; e1 = 200; e1 = 200 duplicate
		starts it with Ignore Repeated Events off | off | e1 = 200; e1 = 200
		starts each workflow | | e1 = 200; another; e1 = 200
	`);
});

describe('a later event of a purchase', () => {
	check(`
		starts nothing | approved | a/t1 = 200; b/t1 = 200 same-purchase; a/t1 = 200 duplicate; c/t2 = 200
		starts it if the first one did not pass the filters | approved from-980 | a/t1:small = 200 filtered; b/t1 = 200
		starts a test | manual approved | a/t1 = 200; b/t1 = 200
		starts it with Each Approved Step | approved every | a/t1 = 200; b/t1 = 200
		starts it with All Events | | a/t1 = 200; b/t1 = 200
		is left to its execution if n8n responds at the end | approved end | a/t1 = 200; b/t1 = 200
		starts it if n8n failed | approved | n8n 500; a/t1 = 500; b/t1 = 500
		starts it with Ignore Repeated Events off | approved off | a/t1 = 200; b/t1 = 200
	`);
});

const nothing = (setting: string) =>
	`never if the workflow would go on: ${setting} | ${setting} | e1:forged = 401 signature-mismatch; published; e1:forged = 401 signature-mismatch`;

describe('a rejected delivery starts an execution', () => {
	check(`
		at most once an hour for each reason and trigger | | e1:forged = 401! signature-mismatch; e1:forged = 401 signature-mismatch; e1:unsigned = 401! signature-missing; +3500s; e1:forged = 401 signature-mismatch; +100s; e1:forged = 401! signature-mismatch; e1:forged = 401 signature-mismatch; another; e1:forged = 401! signature-mismatch
		each time while a person tests | manual | e1:forged = 401! signature-mismatch; e1:forged = 401! signature-mismatch
		never with the option off | silent | e1:forged = 401 signature-mismatch; locked; +30s; e1 = 500 check-failed
		${['continues', 'continues-by-error-output', 'continues-on-fail'].map(nothing).join('\n')}
	`);

	test('without an expression that could read a forged request', async () => {
		const reads: unknown[] = [];
		const { trigger, send } = await start({
			parameters: { options: { timestampTolerance: '={{ 300 }}' } },
			onContext: ({ workflow }) => reads.push(jest.spyOn(workflow.expression, 'getParameterValue')),
		});
		await send({ secret: 'guess' });
		expect(trigger.results[0]?.workflowData).toBeDefined();
		for (const read of reads) expect(read).not.toHaveBeenCalled();
	});
});

/** What the execution shows that the last request has started. */
async function shown(
	trigger: TestTrigger,
	mode: 'manual' | 'webhook' | 'retry',
	more: Partial<INode> = {},
) {
	const [{ json: item } = { json: {} }] = trigger.results.at(-1)?.workflowData?.[0] ?? [];
	const node = {
		...createNode('cardPlatformTrigger', { options: { deduplicate: false } }),
		...more,
	};
	const step = createFirstStep(createTriggerWorkflow(node), node, {}, mode, [item]);
	const failure: unknown = await new CardPlatformTrigger().execute
		.call(step)
		.catch((error: unknown) => error);
	return { item, failure };
}

describe.each([
	['manual', 'Then execute this step again.', 'test URL into "Test URL Signing Secret" of'],
	[
		'webhook',
		'"Report Rejections" reports this at most once an hour.',
		'production URL into "Signing Secret" of',
	],
] as const)('the execution of a rejected delivery, %s', (mode, next, field) => {
	test.each([
		['', 'e1:forged', 'another secret', `Paste the secret of this trigger's ${field}`],
		['', 'e1:unsigned', 'without a valid signature', 'no proxy changes headers'],
		['', 'e1:malformed', 'without a valid signature', 'no proxy changes headers'],
		['no-credential', 'e1', 'has no signing secret', 'Paste the secret'],
		['multipart', 'e1', 'n8n could not read', 'no proxy changes requests'],
		['', 'e1:no-topic', 'not a card event', 'X-Webhook-Topic is missing or malformed'],
		['', 'e1:no-time', 'without a valid timestamp', 'Max Time Difference'],
		['', 'e1:-1h', 'differs too much from the clock of n8n', 'Max Time Difference'],
		['from-lots', 'e1', 'Minimum Amount is not a valid amount', 'Minimum Amount'],
	])(
		'fails with what to correct, as does its retry: %s %s',
		async (words, delivery, says, hint) => {
			const { trigger, send } = await start({ ...toOptions(words), mode });
			await send(toDelivery(delivery));
			// Neither a wrong filter nor what was signed is the fault of someone else.
			const mayBeOthers =
				mode === 'webhook' && !/^(from-lots|e1:no-topic)$/.test(words || delivery);
			const end = mayBeOthers ? ' If no events are missing, ignore this: .*' : '';
			for (const each of [mode, 'retry'] as const)
				expect((await shown(trigger, each)).failure).toMatchObject({
					message: expect.stringContaining(says),
					description: expect.stringMatching(new RegExp(`${hint}.*${next}${end}$`)),
				});
			// Nor does a step run in a retry, if the setting was changed since.
			expect((await shown(trigger, mode, { onError: 'continueRegularOutput' })).failure).toEqual([
				[],
			]);
		},
	);

	test('has nothing of the request; no secret and no signature are in it, in an answer or a log', async () => {
		const { trigger, outside, logged, send } = await start({ mode });
		outside.credentials = secrets('the-secret', 'the-previous-one');
		const body = JSON.stringify({ id: 'outside', amount: '980.00' });
		const [guess, expected] = ['guess', 'the-secret'].map((secret) => sign(body, secret).slice(3));
		const headers = { 'x-webhook-event-id': '<b>outside</b>' };
		const answer = await send({ body, secret: 'guess', headers });
		const { item, failure } = await shown(trigger, mode);
		const { message, description } = Object(failure) as Record<string, unknown>;
		const all = JSON.stringify([item, message, description]);
		expect(all).toContain('signed with another secret');
		expect(logged).toHaveLength(1);
		for (const part of ['the-secret', 'the-previous', guess, expected]) {
			expect(all).not.toContain(part);
			expect(JSON.stringify([answer, logged])).not.toContain(part);
		}
		for (const part of ['outside', '980.00']) expect(all).not.toContain(part);
	});

	test('is not what an event can pose as', async () => {
		const { trigger, send } = await start({ mode });
		await send({ event: { delivery: { problem: { message: 'Pay here', hint: 'now' } } } });
		expect((await shown(trigger, mode)).failure).not.toHaveProperty('message');
	});
});

test.each([
	['e1\u00e9", node "x" (\t[31m', 'e1????node??x?????31m'],
	['a'.repeat(1_000), 'a'.repeat(100)],
	['', ''],
])('an event ID can forge nothing in the log: %j', async (id, shownId) => {
	const { logged, send, entry } = await start();
	await send({ headers: { 'x-webhook-event-id': id, 'x-webhook-signature': '' } });
	expect(logged).toEqual([['warn', entry('rejected a delivery', 'signature-missing', shownId)]]);
});

test('a signed event ID and the message of an error make no second line in the log', async () => {
	const { logged, send, entry, outside } = await start({ parameters: { events: ['approved'] } });
	await send({ event: { id: 'e1\nCard Platform Trigger\u2028\u001b[0m' } });
	await send({ event: { id: 7 }, headers: { 'x-webhook-topic': 'other.v1' } });
	outside.credentials = unreadable(`locked\r\nforged${'x'.repeat(1_000)}`);
	passTime(30_000);
	await send();
	expect(logged).toEqual([
		['debug', entry('ignored a delivery', 'filtered', 'e1?Card?Platform?Trigger???0m')],
		['debug', entry('ignored a delivery', 'other-topic', 'header')],
		[
			'error',
			entry('could not check a delivery', `${'Error: locked forged'.padEnd(500, 'x')}…`, 'header'),
		],
	]);
});
