import type { INode, INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';

import type { Credentials } from '../../dev/harness/core/credentials.ts';
import { createNode } from '../../dev/harness/core/runNode.ts';
import { sign as signBody } from '../../dev/harness/signing.ts';
import { CardPlatformTrigger } from '../../nodes/CardPlatform/CardPlatformTrigger.node';
import {
	createFirstStep,
	createTriggerWorkflow,
	startTrigger,
	type TestTrigger,
	type TriggerOptions,
} from '../support/trigger';

const event = { id: 'e1', transactionId: 't1', cardId: 'c1', amount: '980.00', isSuccess: false };
const body = JSON.stringify(event);

const secrets = (signingSecret: string, previousSigningSecret = ''): Credentials => ({
	cardPlatformWebhookApi: { signingSecret, previousSigningSecret },
});

const sign = (secret: string) => signBody(body, secret);

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

let credentials: () => Credentials;
let trigger: TestTrigger;
beforeEach(async () => {
	credentials = () => secrets('new');
	trigger = await startTrigger(() => credentials());
});
afterEach(async () => {
	jest.restoreAllMocks();
	await trigger.close();
});

const deliver = async (headers: Record<string, string>, sent = body) =>
	await fetch(trigger.url, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			'x-webhook-event-id': 'e1',
			'x-webhook-topic': 'card.financial_event.v1',
			'x-webhook-timestamp': new Date(Date.now()).toISOString(),
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
							delivery: {
								source: 'webhook',
								eventId: 'e1',
								topic: 'card.financial_event.v1',
								timestamp,
							},
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
	passTime(30_000);
	expect(await statuses()).toEqual([200, 200, 200]);
	credentials = () => secrets('new');
	passTime(30_000);
	expect(await statuses()).toEqual([401, 200, 200]);
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
	expect(trigger.results).toEqual([{ noWebhookResponse: true, workflowData: expect.anything() }]);
});

test('if the credential cannot be read, the response is a 500, so that the sender tries again', async () => {
	credentials = () => unreadable('database is locked');
	const logged = await restartWithLog();
	expect(await signed()).toEqual([
		500,
		'{"code":"internal-server-error","message":"check-failed"}',
	]);
	expect(trigger.results).toMatchObject([{ noWebhookResponse: true }]);
	expect(logged).toEqual([
		['error', entry('could not check a delivery', 'Error: database is locked', 'e1')],
	]);
});

test('the tolerance of the timestamp is the one that was set, in both directions', async () => {
	const headers = [-3_600_000, 3_600_000].map((difference) => ({
		'x-webhook-signature': sign('new'),
		'x-webhook-timestamp': new Date(Date.now() + difference).toISOString(),
	}));
	for (const each of headers) expect((await deliver(each)).status).toBe(401);
	await restart({ parameters: { options: { timestampTolerance: 7_200, deduplicate: false } } });
	for (const each of headers) expect((await deliver(each)).status).toBe(200);
});

async function restart(options: TriggerOptions) {
	await trigger.close();
	trigger = await startTrigger(() => credentials(), options);
}

/** Gives what the trigger logs, as level and text. */
async function restartWithLog(options: TriggerOptions = {}): Promise<unknown[]> {
	const logged: unknown[] = [];
	await restart({
		...options,
		onContext: ({ logger }) => {
			for (const level of ['debug', 'info', 'warn', 'error'] as const) {
				jest
					.spyOn(logger, level)
					.mockImplementation((...entry) => void logged.push([level, ...entry]));
			}
		},
	});
	return logged;
}

/** A line of the log. */
function entry(outcome: string, reason: string, eventId?: string, option?: string) {
	const place = `workflow "Cards" ${trigger.workflowId}, node "cardPlatformTrigger"`;
	const about = eventId === undefined ? 'no event ID' : `event ${eventId}`;
	const change = option === undefined ? '' : `, see the option "${option}"`;
	return `Card Platform Trigger ${outcome}: ${reason} (${place}, ${about}${change})`;
}

const outcome = async (response: Promise<Response>) =>
	[(await response).status, await (await response).text()] as const;

const signed = async (sent = body, headers: Record<string, string> = {}) =>
	await outcome(
		deliver(
			{
				'x-webhook-signature': signBody(sent, 'new'),
				...headers,
			},
			sent,
		),
	);

const accepted = [200, ''];
const duplicate = [200, '{"ignored":"duplicate"}'];

describe('duplicates', () => {
	test('are answered 200 and start nothing, also as a replay under another event id', async () => {
		expect(await signed()).toEqual(accepted);
		expect(await signed()).toEqual(duplicate);
		expect(await signed(body, { 'x-webhook-event-id': 'fresh' })).toEqual(duplicate);
		expect(trigger.results.slice(1)).toEqual([
			{ noWebhookResponse: true },
			{ noWebhookResponse: true },
		]);
	});

	test('are recognised by the id of the event; another event passes', async () => {
		expect(await signed()).toEqual(accepted);
		expect(await signed(JSON.stringify({ ...event, id: 'e2' }))).toEqual(accepted);
		expect(await signed(JSON.stringify({ ...event, amount: '1.00' }))).toEqual(duplicate);
	});

	test('of an event without an id are recognised by its content', async () => {
		expect(await signed('{"amount":"1"}')).toEqual(accepted);
		expect(await signed('{"amount":"1"}')).toEqual(duplicate);
		expect(await signed('{"amount":"2"}')).toEqual(accepted);
	});

	test.each([500, 503, 302, 300])(
		'an event that n8n answered with %i is accepted again',
		async (status) => {
			let handOver = status;
			await restart({ handOver: () => handOver });
			expect(await signed()).toEqual([status, '']);
			handOver = 200;
			expect(await signed()).toEqual(accepted);
			expect(await signed()).toEqual(duplicate);
		},
	);

	test.each<[string, TriggerOptions]>([
		['in a test', { mode: 'manual' }],
		['when the option is off', { parameters: { options: { deduplicate: false } } }],
	])('pass %s', async (_name, options) => {
		await restart(options);
		expect(await signed()).toEqual(accepted);
		expect(await signed()).toEqual(accepted);
	});

	test('after a test event, the same event is not a duplicate', async () => {
		const options: TriggerOptions = { mode: 'manual' };
		await restart(options);
		expect(await signed()).toEqual(accepted);
		options.mode = 'webhook';
		expect(await signed()).toEqual(accepted);
		expect(await signed()).toEqual(duplicate);
	});

	test('are recognised for each workflow separately', async () => {
		expect(await signed()).toEqual(accepted);
		await restart({});
		expect(await signed()).toEqual(accepted);
	});
});

describe('later events of a purchase', () => {
	const purchase = { ...event, isSuccess: true, amountDirection: 'debit' };
	const authorization = JSON.stringify(purchase);
	const clearing = JSON.stringify({ ...purchase, id: 'e2' });
	const samePurchase = [200, '{"ignored":"same-purchase"}'];
	const APPROVED = { events: ['approved'] };

	test('are answered 200 and start nothing', async () => {
		await restart({ parameters: APPROVED });
		expect(await signed(authorization)).toEqual(accepted);
		expect(await signed(clearing)).toEqual(samePurchase);
		expect(trigger.results.slice(1)).toEqual([{ noWebhookResponse: true }]);
		expect(await signed(authorization)).toEqual(duplicate);
		const other = JSON.stringify({ ...purchase, id: 'e3', transactionId: 't2' });
		expect(await signed(other)).toEqual(accepted);
	});

	test('start the workflow if the first one did not pass the filters', async () => {
		await restart({ parameters: { ...APPROVED, filters: { minimumAmount: '500' } } });
		const small = JSON.stringify({ ...purchase, amount: '1.00' });
		expect(await signed(small)).toEqual([200, '{"ignored":"filtered"}']);
		expect(await signed(clearing)).toEqual(accepted);
	});

	test.each<[string, TriggerOptions]>([
		['in a test', { mode: 'manual', parameters: APPROVED }],
		['with Each Approved Step', { parameters: { ...APPROVED, options: { everyApproval: true } } }],
		['with All Events', {}],
		// The first one may have failed, or have been dropped by its execution: only the next execution can tell.
		['with a response at the end', { parameters: { ...APPROVED, responseMode: 'lastNode' } }],
		['after an execution that failed', { parameters: APPROVED, handOver: () => 500 }],
		[
			'with Ignore Repeated Events off',
			{ parameters: { ...APPROVED, options: { deduplicate: false } } },
		],
	])('are handed over %s', async (_name, options) => {
		await restart(options);
		const [status = 200] = [options.handOver?.()];
		expect(await signed(authorization)).toEqual([status, '']);
		expect(await signed(clearing)).toEqual([status, '']);
	});
});

test.each<[string, object, boolean]>([
	['its type', { events: ['declined'] }, true],
	['another type', { events: ['approved'] }, false],
	['the amount', { filters: { minimumAmount: '980' } }, true],
	['a larger amount', { filters: { minimumAmount: '980.01' } }, false],
])('filtered by %s', async (_name, parameters, passes) => {
	await restart({ parameters: { ...parameters } });
	expect(await signed()).toEqual(passes ? accepted : [200, '{"ignored":"filtered"}']);
	expect(trigger.results).toEqual([
		passes
			? { workflowData: [[{ json: expect.objectContaining(event) }]] }
			: { noWebhookResponse: true },
	]);
});

test('with wrong values in the form, forged deliveries get a 401 and genuine ones a 500, to be sent again', async () => {
	await restart({ parameters: { filters: { minimumAmount: 'lots' } } });
	expect((await outcome(deliver({})))[0]).toBe(401);
	expect((await signed())[0]).toBe(500);
	await restart({ parameters: { options: { timestampTolerance: -1 } } });
	expect((await outcome(deliver({})))[0]).toBe(401);
	expect((await signed())[0]).toBe(500);
});

test('a trigger without a credential refuses everything', async () => {
	for (const none of [{}, undefined]) {
		await restart({ node: { credentials: none } });
		expect(await signed()).toEqual([401, '{"code":"unauthorized","message":"no-secret"}']);
	}
});

describe.each<[string, WorkflowExecuteMode, INodeParameters, string]>([
	['while the editor waits for a test event', 'manual', {}, 'Then execute this step again.'],
	[
		'in production',
		'webhook',
		{},
		'"Report Rejected Deliveries" reports this at most once an hour.',
	],
])('a delivery that is refused %s', (_when, mode, triggerOptions, next) => {
	const restartInMode = async ({ parameters, ...options }: TriggerOptions) => {
		await restart({ ...options, mode, parameters: { options: triggerOptions, ...parameters } });
	};

	/** What the execution shows that the last request has started, or a retry of it. */
	async function shown(settings: Partial<INode> = {}, stepMode = mode) {
		const [{ json: item } = { json: {} }] = trigger.results.at(-1)?.workflowData?.[0] ?? [];
		const parameters = { options: { deduplicate: false } };
		const node = { ...createNode('cardPlatformTrigger', parameters), ...settings };
		const step = createFirstStep(createTriggerWorkflow(node), node, {}, stepMode, [item]);
		const failure: unknown = await new CardPlatformTrigger().execute
			.call(step)
			.catch((error: unknown) => error);
		return { item, failure };
	}

	const stale = { 'x-webhook-timestamp': '2020-01-01T00:00:00Z' };

	test.each<[string, TriggerOptions, Record<string, string>, number, string]>([
		['signature-mismatch', {}, { 'x-webhook-signature': sign('guess') }, 401, 'another secret'],
		['signature-missing', {}, { 'x-webhook-signature': '' }, 401, 'without a valid signature'],
		['signature-malformed', {}, { 'x-webhook-signature': 'v9' }, 401, 'without a valid signature'],
		['no-secret', { node: { credentials: {} } }, {}, 401, 'has no signing secret'],
		['body-unreadable', { isUnreadable: true }, {}, 401, 'n8n cannot read'],
		['topic-missing', {}, { 'x-webhook-topic': '' }, 400, 'not a card event'],
		['timestamp-missing', {}, { 'x-webhook-timestamp': '' }, 401, 'without a valid timestamp'],
		['timestamp-too-old', {}, stale, 401, 'differs too much from the clock of n8n'],
		[
			'check-failed',
			{ parameters: { filters: { minimumAmount: 'lots' } } },
			{},
			500,
			'Minimum Amount is not a valid amount',
		],
	])(
		'%s: the response stays, and an execution fails, as does its retry',
		async (reason, options, headers, status, says) => {
			await restartInMode(options);
			const [actual, response] = await signed(body, headers);
			expect([actual, JSON.parse(response)]).toEqual([
				status,
				expect.objectContaining({ message: reason }),
			]);
			expect(trigger.results).toMatchObject([{ noWebhookResponse: true }]);
			for (const stepMode of [mode, 'retry'] as const) {
				expect((await shown({}, stepMode)).failure).toMatchObject({
					message: expect.stringContaining(says),
					description: expect.stringContaining(next),
				});
			}
		},
	);

	test('the field to paste the secret into is that of this URL', async () => {
		const field =
			mode === 'manual'
				? 'test URL into "Test URL Signing Secret"'
				: 'production URL into "Signing Secret"';
		await restartInMode({});
		await deliver({ 'x-webhook-signature': sign('guess') });
		const description = expect.stringContaining(`Paste the secret of this trigger's ${field} of`);
		expect((await shown()).failure).toMatchObject({ description });
	});

	test('with On Error → Continue, no step of the workflow runs: nothing starts', async () => {
		for (const node of [
			{ onError: 'continueRegularOutput' as const },
			{ onError: 'continueErrorOutput' as const },
			{ continueOnFail: true },
		]) {
			await restartInMode({ node });
			await deliver({ 'x-webhook-signature': sign('guess') });
			expect(trigger.results).toEqual([{ noWebhookResponse: true }]);
		}
		await restartInMode({});
		await deliver({ 'x-webhook-signature': sign('guess') });
		// Nor in a retry, if the setting was changed since.
		expect((await shown({ onError: 'continueRegularOutput' })).failure).toEqual([[]]);
	});

	test('nothing of the request, no secret and no signature is in the execution', async () => {
		await restartInMode({});
		credentials = () => secrets('the-secret', 'the-previous-one');
		const guess = sign('guess');
		await deliver({ 'x-webhook-signature': guess, 'x-webhook-event-id': '<b>from outside</b>' });
		const { item, failure } = await shown();
		const { message, description } = Object(failure);
		const all = JSON.stringify([item, message, description]);
		expect(all).toContain('signed with another secret');
		const expected = sign('the-secret').slice(3);
		for (const part of ['the-', guess.slice(3), expected, 'outside', event.id, event.amount])
			expect(all).not.toContain(`"${part}`);
		for (const part of ['the-secret', 'the-previous', guess.slice(3), expected, 'outside'])
			expect(all).not.toContain(part);
	});

	test.each([
		['filtered', { parameters: { events: ['approved'] } }, {}],
		['other-topic', {}, { 'x-webhook-topic': 'card.financial_event.v2' }],
	])('%s: nothing starts', async (reason, options, headers) => {
		await restartInMode(options);
		expect(await signed(body, headers)).toEqual([200, `{"ignored":"${reason}"}`]);
		expect(trigger.results).toEqual([{ noWebhookResponse: true }]);
	});

	test('an event cannot pose as such an execution', async () => {
		const problem = { message: 'Pay here', hint: 'now' };
		const sent = JSON.stringify({ ...event, delivery: { problem } });
		expect((await signed(sent))[0]).toBe(200);
		expect((await shown()).failure).not.toHaveProperty('message');
	});
});

describe('in production, a rejected delivery starts an execution', () => {
	/** Starts the trigger, and gives whether each of its requests has started an execution. */
	async function restartWith(options: TriggerOptions['parameters'], more: TriggerOptions = {}) {
		await restart({ ...more, parameters: { options: options ?? {} } });
		return () => trigger.results.map(({ workflowData }) => workflowData !== undefined);
	}

	const forged = { 'x-webhook-signature': sign('guess') };

	test('at most once an hour for each reason and trigger', async () => {
		const started = await restartWith({});
		for (let again = 0; again < 3; again++) await deliver(forged);
		await deliver({});
		passTime(3_500_000);
		await deliver(forged);
		passTime(100_000);
		await deliver(forged);
		await deliver(forged);
		expect(started()).toEqual([true, false, false, true, false, true, false]);
		const startedByOther = await restartWith({});
		await deliver(forged);
		expect(startedByOther()).toEqual([true]);
	});

	test('not if the option is off', async () => {
		await restart({ parameters: { options: { reportRejected: false } } });
		for (const headers of [{}, forged]) expect((await deliver(headers)).status).toBe(401);
		credentials = () => unreadable('database is locked');
		passTime(30_000);
		expect((await signed())[0]).toBe(500);
		expect(trigger.results).toEqual(Array(3).fill({ noWebhookResponse: true }));
	});

	test('without an expression that could read a forged request', async () => {
		const reads: unknown[] = [];
		const options = { timestampTolerance: '={{ 300 }}' };
		const started = await restartWith(options, {
			onContext: (context) => {
				const read = jest.spyOn(context.workflow.expression, 'getParameterValue');
				reads.push(read);
			},
		});
		await deliver(forged);
		expect(started()).toEqual([true]);
		for (const read of reads) expect(read).not.toHaveBeenCalled();
	});
});

test('a request whose body cannot be read is refused', async () => {
	await restart({ isUnreadable: true });
	expect(await signed()).toEqual([401, '{"code":"unauthorized","message":"body-unreadable"}']);
});

test('a signed delivery that is no event is a bad request', async () => {
	expect(await signed('[]')).toEqual([
		400,
		'{"code":"bad-request","message":"payload-not-an-object"}',
	]);
});

test('no secret and no expected signature reach a log or an answer', async () => {
	const logged = await restartWithLog();
	credentials = () => secrets('the-secret', 'the-previous-one');
	const answers = [
		await outcome(deliver({ 'x-webhook-signature': sign('guess') })),
		await outcome(deliver({})),
		await outcome(deliver({ 'x-webhook-signature': sign('the-secret') }, 'x')),
	];
	expect(logged).toEqual(
		['signature-mismatch', 'signature-missing', 'signature-mismatch'].map((reason) => [
			'warn',
			entry('rejected a delivery', reason, 'e1'),
		]),
	);
	const all = JSON.stringify([answers, logged]);
	for (const secret of ['the-secret', 'the-previous-one', sign('the-secret').slice(3)]) {
		expect(all).not.toContain(secret);
	}
});

describe('each delivery that is dropped or refused is one line in the log', () => {
	const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
	const tolerance = 'Timestamp Tolerance (Seconds)';
	const header = { 'x-webhook-event-id': 'from-the-header' };

	test.each<[string, TriggerOptions, string, Record<string, string>]>([
		['other-topic', {}, body, { 'x-webhook-topic': 'card.financial_event.v2' }],
		['filtered', { parameters: { events: ['approved'] } }, body, {}],
	])('%s, for the level debug', async (reason, options, sent, headers) => {
		const logged = await restartWithLog(options);
		expect((await signed(sent, { ...header, ...headers }))[0]).toBe(200);
		expect(logged).toEqual([['debug', entry('ignored a delivery', reason, 'e1')]]);
	});

	test('duplicate, for the level debug', async () => {
		const logged = await restartWithLog();
		expect(await signed()).toEqual(accepted);
		expect(await signed(body, header)).toEqual(duplicate);
		expect(logged).toEqual([['debug', entry('ignored a delivery', 'duplicate', 'e1')]]);
	});

	test.each<[string, string | undefined, string, Record<string, string>]>([
		['timestamp-too-old', tolerance, body, { 'x-webhook-timestamp': ago(360_000) }],
		['timestamp-too-far-ahead', tolerance, body, { 'x-webhook-timestamp': ago(-360_000) }],
		['timestamp-missing', tolerance, body, { 'x-webhook-timestamp': '' }],
		['timestamp-malformed', tolerance, body, { 'x-webhook-timestamp': 'now' }],
		['topic-missing', undefined, body, { 'x-webhook-topic': '' }],
	])('%s, as a warning that names the option %s', async (reason, option, sent, headers) => {
		const logged = await restartWithLog();
		await signed(sent, { ...header, ...headers });
		expect(logged).toEqual([['warn', entry('rejected a delivery', reason, 'e1', option)]]);
	});

	test('with the event ID of the header only where none is signed', async () => {
		const logged = await restartWithLog();
		await deliver({ ...header, 'x-webhook-signature': sign('guess') });
		await signed('[]', header);
		await signed('{"id":7}', { ...header, 'x-webhook-topic': 'other' });
		await deliver({ 'x-webhook-event-id': '' });
		expect(logged).toEqual([
			['warn', entry('rejected a delivery', 'signature-mismatch', 'from-the-header')],
			['warn', entry('rejected a delivery', 'payload-not-an-object', 'from-the-header')],
			['debug', entry('ignored a delivery', 'other-topic', 'from-the-header')],
			['warn', entry('rejected a delivery', 'signature-missing')],
		]);
	});

	test.each([
		['e1\u00e9", node "x" (\t[31m', 'e1????node??x?????31m'],
		['a'.repeat(1_000), 'a'.repeat(100)],
	])('in which an event ID can forge nothing: %j', async (id, shown) => {
		const logged = await restartWithLog();
		await deliver({ 'x-webhook-event-id': id });
		expect(logged).toEqual([['warn', entry('rejected a delivery', 'signature-missing', shown)]]);
	});

	test('in which a signed event ID makes no second line', async () => {
		const logged = await restartWithLog({ parameters: { events: ['approved'] } });
		await signed(JSON.stringify({ ...event, id: 'e1\nCard Platform Trigger\u2028\u001b[0m' }));
		const shown = 'e1?Card?Platform?Trigger???0m';
		expect(logged).toEqual([['debug', entry('ignored a delivery', 'filtered', shown)]]);
	});

	test('in which the message of an error makes no second line', async () => {
		credentials = () => unreadable(`locked\r\nforged${'x'.repeat(1_000)}`);
		const logged = await restartWithLog();
		await signed();
		const reason = 'Error: locked forged'.padEnd(500, 'x');
		expect(logged).toEqual([['error', entry('could not check a delivery', reason, 'e1')]]);
	});
});
