import type { INodeParameters, INodeProperties, IWebhookDescription } from 'n8n-workflow';
import { z } from 'zod';

import { TIMESTAMP_TOLERANCE_SECONDS } from '../api/assumptions';
import { triggerEvents, triggerEveryApproval, triggerFilters } from '../events/form';
import { type OptionText, parseTriggerOptions } from '../events/triggerParameters';
import { SET_UP_NOTICE } from './editorText';

/** The options of the trigger, by parameter name, as the editor shows them. */
export const OPTION_LABELS = {
	deduplicate: 'Ignore Repeated Events',
	everyApproval: triggerEveryApproval.displayName,
	reportRejected: 'Report Rejected Deliveries',
	timestampTolerance: 'Timestamp Tolerance (Seconds)',
} as const;

/** The response waits until the workflow has finished: n8n's own value. */
export const RESPOND_AT_THE_END = 'lastNode';

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
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			triggerEveryApproval,
			{
				displayName: OPTION_LABELS.deduplicate,
				name: 'deduplicate',
				type: 'boolean',
				default: true,
				description:
					'Whether an event that is delivered again starts the workflow only once. When off, Approved starts it for each approved step of a purchase. Leave Always Output Data off: with it, each ignored event runs the workflow as an empty item.',
			},
			{
				displayName: OPTION_LABELS.reportRejected,
				name: 'reportRejected',
				type: 'boolean',
				noDataExpression: true,
				default: true,
				description:
					'Whether a rejected delivery, such as one signed with another secret, shows as a failed execution that says what to correct: at most once an hour for each reason and process of n8n. No step of the workflow runs, only its error workflow. Anyone who knows the URL can cause such an execution.',
			},
			{
				displayName: OPTION_LABELS.timestampTolerance,
				name: 'timestampTolerance',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: TIMESTAMP_TOLERANCE_SECONDS,
				description:
					'How old a delivery may be, or how far ahead of the clock of n8n. Others are rejected, because someone may have recorded and repeated them. If deliveries after an outage are rejected, set this to the length of the longest outage. 0 turns off the check.',
			},
		],
	},
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

const optionsSchema = z.object({
	deduplicate: z.boolean().default(true),
	everyApproval: z.boolean().default(false),
	reportRejected: z.boolean().default(true),
	timestampTolerance: z.number().nonnegative().finite().default(TIMESTAMP_TOLERANCE_SECONDS),
});

/** The options of the trigger, checked. */
export type TriggerOptions = z.infer<typeof optionsSchema>;

const OPTION_TEXTS: Record<keyof TriggerOptions, OptionText> = {
	deduplicate: { label: OPTION_LABELS.deduplicate, takes: 'true or false' },
	everyApproval: { label: OPTION_LABELS.everyApproval, takes: 'true or false' },
	reportRejected: { label: OPTION_LABELS.reportRejected, takes: 'true or false' },
	timestampTolerance: {
		label: OPTION_LABELS.timestampTolerance,
		takes: 'a number of seconds, 0 or more',
	},
};

/**
 * Checks the collection "Options" of the trigger.
 *
 * @param value as n8n stores it; an absent option has its default
 * @throws UserError that names the options with a wrong value
 */
export const parseOptions = (value: unknown): TriggerOptions =>
	parseTriggerOptions(value, optionsSchema, OPTION_TEXTS);
