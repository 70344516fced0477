import type { INodeParameters, INodeProperties, IWebhookDescription } from 'n8n-workflow';

import { TIMESTAMP_TOLERANCE_SECONDS } from '../api/assumptions';
import { collection, flag, whole } from '../api/field';
import {
	triggerEvents,
	triggerEveryApproval,
	triggerFilters,
	triggerSimplify,
} from '../events/fields';
import { SET_UP_NOTICE } from './editorText';

/** Options that hints name. */
export const OPTION_LABELS = {
	reportRejected: 'Report Rejected Deliveries',
	timestampTolerance: 'Timestamp Tolerance (Seconds)',
} as const;

/** The response waits until the workflow has finished: n8n's own value. */
export const RESPOND_AT_THE_END = 'lastNode';

const deduplicate = flag({
	displayName: 'Ignore Repeated Events',
	name: 'deduplicate',
	description:
		'Whether an event that is delivered again starts the workflow only once. When off, Approved starts it for each approved step of a purchase. Leave Always Output Data off: with it, each ignored event runs the workflow as an empty item.',
});

const reportRejected = flag({
	displayName: OPTION_LABELS.reportRejected,
	name: 'reportRejected',
	noDataExpression: true,
	description:
		'Whether a rejected delivery, such as one signed with another secret, shows as a failed execution that says what to correct: at most once an hour for each reason and process of n8n. No step of the workflow runs, only its error workflow. Anyone who knows the URL can cause such an execution.',
});

const timestampTolerance = whole({
	displayName: OPTION_LABELS.timestampTolerance,
	name: 'timestampTolerance',
	typeOptions: { minValue: 0 },
	default: TIMESTAMP_TOLERANCE_SECONDS,
	description:
		'How old a delivery may be, or how far ahead of the clock of n8n. Others are rejected, because someone may have recorded and repeated them. If deliveries after an outage are rejected, set this to the length of the longest outage. 0 turns off the check.',
});

const options = collection('Options', 'options', 'Add Option', [
	triggerEveryApproval,
	deduplicate,
	reportRejected,
	triggerSimplify,
	timestampTolerance,
]);

/** The parameters of the trigger. */
export const triggerProperties: INodeProperties[] = [
	{ displayName: SET_UP_NOTICE, name: 'setUpNotice', type: 'notice', default: '' },
	...triggerEvents,
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
				description: 'At once. If n8n crashes during the run, the event can be lost.',
			},
			{
				name: 'When Last Node Finishes',
				value: RESPOND_AT_THE_END,
				description:
					'After the workflow. If it fails, the event can come again. Not for approvals or long waits.',
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

/** Reads the options of the trigger. */
export function parseOptions(value: unknown) {
	const find = options.parse(value, 'Options', '');
	return {
		everyApproval: find(triggerEveryApproval) ?? false,
		deduplicate: find(deduplicate) ?? true,
		reportRejected: find(reportRejected) ?? true,
		simplify: find(triggerSimplify) ?? false,
		timestampTolerance: find(timestampTolerance) ?? TIMESTAMP_TOLERANCE_SECONDS,
	};
}
