import type { INodeParameters, INodeProperties, IWebhookDescription } from 'n8n-workflow';

import { TIMESTAMP_TOLERANCE_SECONDS } from '../api/assumptions';
import { collection, flag, whole } from '../api/field';
import { type EventChoice, parseEventTypes } from '../events/eventTypes';
import {
	deduplicate,
	eventTypes,
	readTriggerOptions,
	simplify,
	triggerEveryApproval,
	triggerFilters,
} from '../events/fields';
import { parseEventFilters } from '../events/filters';
import { SET_UP_NOTICE } from './editorText';

/** The response waits until the workflow has finished: n8n's own value. */
export const RESPOND_AT_THE_END = 'lastNode';

export const reportRejected = flag({
	displayName: 'Report Rejections',
	name: 'reportRejected',
	noDataExpression: true,
	description:
		'Whether a rejected delivery shows as a failed execution that says what to correct, at most once an hour for each reason. No step of the workflow runs, only its error workflow.',
});

export const timestampTolerance = whole({
	displayName: 'Max Time Difference (S)',
	name: 'timestampTolerance',
	typeOptions: { minValue: 0 },
	default: TIMESTAMP_TOLERANCE_SECONDS,
	description:
		'How many seconds the time of a delivery may differ from the clock of n8n; more is rejected as a possible replay, and 0 turns off the check. If retries after an outage are rejected, enter your longest outage.',
});

const options = collection('Options', 'options', 'Add Option', [
	triggerEveryApproval,
	deduplicate,
	reportRejected,
	simplify,
	timestampTolerance,
]);

export const triggerProperties: INodeProperties[] = [
	{ displayName: SET_UP_NOTICE, name: 'setUpNotice', type: 'notice', default: '' },
	eventTypes,
	triggerFilters,
	{
		displayName: 'Respond',
		name: 'responseMode',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Immediately',
				value: 'onReceived',
				description: 'At once. If n8n crashes during the run, the event may be lost.',
			},
			{
				name: 'When Last Node Finishes',
				value: RESPOND_AT_THE_END,
				description:
					'After the workflow finishes: a failed event may come again. Not for workflows that wait long.',
			},
		],
		default: 'onReceived',
		description: 'When n8n confirms an event to the card platform',
	},
	options,
];

/** Key under which n8n 2.36 and later look for resolvers; older versions do not export it. */
const WEBHOOK_RESOLVERS: symbol = Symbol.for('n8n.webhookDescriptionResolvers');

const template = '={{$parameter["responseMode"]}}';

/**
 * When n8n responds: as the parameter says. n8n 2.36 and later read it by `resolve`, so that no
 * expression is evaluated for a delivery; older versions evaluate the template.
 */
export const responseMode: Pick<IWebhookDescription, 'responseMode'> = {
	responseMode: template,
	[WEBHOOK_RESOLVERS]: {
		responseMode: {
			template,
			resolve: (parameters: INodeParameters) => parameters.responseMode,
		},
	},
};

/** Reads the options of the trigger, or their defaults. */
export function parseOptions(value: unknown) {
	const find = options.parse(value, 'Options', '');
	return {
		...readTriggerOptions(find),
		reportRejected: find(reportRejected) ?? true,
		timestampTolerance: find(timestampTolerance) ?? TIMESTAMP_TOLERANCE_SECONDS,
	};
}

/** Checks "Trigger On" and "Filters"; the error names the field with a wrong value. */
export function parseTriggerFilters(
	filters: unknown,
	events: unknown,
	everyApproval: boolean,
): EventChoice {
	const all = parseEventFilters(triggerFilters.parse(filters, 'Filters', ''));
	return parseEventTypes(events, 'Trigger On', everyApproval, all);
}
