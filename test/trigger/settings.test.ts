import {
	type INodeParameters,
	resolveWebhookDescriptionField,
	webhookDescriptionIsNativelyResolvable,
} from 'n8n-workflow';

import { createNode } from '../../dev/harness/core/credentials.ts';
import { VERSION } from '../../nodes/CardPlatform/api/log';
import { CardPlatformPollingTrigger } from '../../nodes/CardPlatform/CardPlatformPollingTrigger.node';
import { CardPlatformTrigger } from '../../nodes/CardPlatform/CardPlatformTrigger.node';
import { parseOptions, triggerProperties } from '../../nodes/CardPlatform/webhook/properties';
import { checkSecrets } from '../../nodes/CardPlatform/webhook/signingKeys';
import { createTriggerWorkflow } from '../support/trigger';
import { userErrorOf } from '../support/userErrorOf';

const timestampTolerance = 300;
const on = { deduplicate: true, reportRejected: true };
const defaults = { ...on, everyApproval: false, simplify: false, timestampTolerance };

test('options that were not added have their defaults', () => {
	expect(parseOptions({})).toEqual(defaults);
});

/** The options of the form, but what n8n makes of one expression. */
const offered = (triggerProperties.find(({ name }) => name === 'options')?.options ?? []).filter(
	({ name }) => name !== 'length',
);

test('the form shows the same defaults, but what is off until it is added is on then', () => {
	const shown = offered.flatMap((each) =>
		'default' in each ? [[each.name, each.default] as const] : [],
	);
	expect(Object.fromEntries(shown)).toEqual({ ...defaults, everyApproval: true, simplify: true });
});

test('options keep their values', () => {
	const off = { deduplicate: false, reportRejected: false };
	const options = { ...off, everyApproval: true, simplify: true, timestampTolerance: 0 };
	expect(parseOptions(options)).toEqual(options);
});

test.each([
	['deduplicate', 'yes', 'Ignore Repeated Events'],
	['reportRejected', 'yes', 'Report Rejections'],
	['timestampTolerance', -1, 'Max Time Difference (S)'],
	['timestampTolerance', Infinity, 'Max Time Difference (S)'],
	['timestampTolerance', 'soon', 'Max Time Difference (S)'],
])('option %s: %j is refused', (name, value, label) => {
	const { message, hint } = userErrorOf(() => parseOptions({ [name]: value }));
	expect(message).toMatch(`${label} is not `);
	expect(message).toContain(`: ${JSON.stringify(value)}`);
	expect(hint).toContain(`"${label}" must be `);
});

const BOTH = [false, true];
const NONE = 'has no signing secret';

test.each<[Record<string, unknown>, string | undefined, boolean[]]>([
	[{ signingSecret: 'new' }, undefined, BOTH],
	[{ signingSecret: ' new\n', previousSigningSecret: '' }, undefined, BOTH],
	[{ signingSecret: 'new', previousSigningSecret: 'old' }, undefined, BOTH],
	[{ signingSecret: 'new', testSigningSecret: ' test\n' }, undefined, BOTH],
	[{}, NONE, BOTH],
	[{ signingSecret: '' }, NONE, BOTH],
	[{ signingSecret: ' \n', testSigningSecret: ' ' }, NONE, BOTH],
	[{ signingSecret: 7 }, NONE, BOTH],
	[{ signingSecret: '', previousSigningSecret: 'old' }, NONE, [false]],
	[{ signingSecret: '', testSigningSecret: 'test' }, NONE, [false]],
	[{ signingSecret: '', testSigningSecret: 'test' }, undefined, [true]],
	[{ signingSecret: 'ne w' }, 'white space', BOTH],
	[{ signingSecret: 'ne\u200bw' }, 'invisible character', BOTH],
	[{ signingSecret: 'new', previousSigningSecret: 'o\nld' }, 'white space', BOTH],
	[{ signingSecret: 'new', testSigningSecret: 'ne w' }, 'white space', BOTH],
])('the secrets %j: %s; for a test event: %j', (credential, says, modes) => {
	for (const isTest of modes) {
		const check = () => {
			checkSecrets(credential, isTest);
		};
		if (says === undefined) {
			expect(check).not.toThrow();
			continue;
		}
		const { message, hint } = userErrorOf(check);
		expect(message).toContain(says);
		expect(hint).toContain(
			says === NONE ? `"${isTest ? 'Test URL Signing Secret' : 'Signing Secret'}"` : 'Paste',
		);
		expect(message + hint).not.toMatch(/ne w|o\nld/);
	}
});

const { webhooks: [webhook] = [] } = new CardPlatformTrigger().description;
if (webhook === undefined) throw new Error('the trigger has no webhook');

// For version 1, n8n evaluates an expression before it calls the node.
test('for a delivery, n8n evaluates no expression of a trigger that has none', () => {
	expect(webhookDescriptionIsNativelyResolvable(webhook)).toBe(true);
	for (const value of ['onReceived', 'lastNode']) {
		const node = createNode('cardPlatformTrigger', { responseMode: value });
		const known = resolveWebhookDescriptionField(node, webhook, 'responseMode');
		expect(known).toEqual({ resolved: true, value });
	}
});

test.each<[INodeParameters, string]>([
	[{}, 'all events'],
	[{ events: ['declined'] }, 'declined'],
	[{ events: ['approved', 'refunded'] }, 'approved, refunded'],
	[{ events: ['declined'], filters: { currencies: 'USD' } }, 'declined, filtered'],
	[{ filters: { currencies: '={{ $json.none.none }}' } }, 'all events, filtered'],
	[{ filters: { currencies: '' } }, 'all events'],
	[{ events: '={{ $json.none.none }}' }, 'events by expression'],
	[{ events: '={{ not a program' }, 'events by expression'],
])('the subtitle of %j is: %s', (parameters, subtitle) => {
	const node = createNode('cardPlatformTrigger', parameters);
	const { expression } = createTriggerWorkflow(node);
	for (const { description } of [new CardPlatformTrigger(), new CardPlatformPollingTrigger()]) {
		const shown = expression.getSimpleParameterValue(node, description.subtitle, 'internal', {});
		expect(shown).toBe(subtitle);
	}
});

test.each<[INodeParameters, string]>([
	[{ watch: 'cardEvents', events: ['declined'] }, 'declined'],
	[{ watch: 'transactions' }, 'transactions: settled'],
	[{ watch: 'cards', cardChanges: ['frozen', 'created'] }, 'cards: frozen, created'],
	[{ watch: 'payments', paymentChanges: ['statusChanged'] }, 'payments: status changed'],
	[{ watch: 'balance', threshold: '500' }, 'balance: available below'],
	[{ watch: 'cards', cardChanges: '={{ $json.none }}' }, 'cards: by expression'],
])('the subtitle of the polling trigger with %j is: %s', (parameters, subtitle) => {
	const node = createNode('cardPlatformPollingTrigger', parameters);
	const { expression } = createTriggerWorkflow(node);
	const { description } = new CardPlatformPollingTrigger();
	expect(expression.getSimpleParameterValue(node, description.subtitle, 'internal', {})).toBe(
		subtitle,
	);
});

test.each([
	[{}, false],
	[{ responseMode: 'lastNode' }, true],
])('with %j, the editor shows the hint of the webhook trigger: %s', (parameters, isShown) => {
	const node = createNode('cardPlatformTrigger', parameters);
	const { expression } = createTriggerWorkflow(node);
	const { hints = [] } = new CardPlatformTrigger().description;
	// Older editors show a hint only for a boolean.
	expect(
		hints.map(({ displayCondition = '' }) =>
			expression.getSimpleParameterValue(node, displayCondition, 'internal', {}),
		),
	).toEqual([isShown]);
});

test.each([
	['webhook/receive', 'receive'],
	['polling/runPoll', 'runPoll'],
	['polling/execute', 'startExecution'],
	['actions/router', 'router'],
])('%s writes the version to the log, once in a process', async (file, name) => {
	jest.resetModules();
	const path = `../../nodes/CardPlatform/${file}`;
	const run = jest.requireActual<Record<string, () => Promise<unknown>>>(path)[name];
	const info = jest.fn();
	for (let again = 0; again < 2; again++)
		await expect(run?.call({ logger: { info } } as never)).rejects.toThrow();
	expect(info.mock.calls).toEqual([[`Card Platform nodes ${VERSION}`]]);
});
