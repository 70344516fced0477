import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { triggerEvents, triggerEveryApproval, triggerFilters } from '../events/form';
import { type OptionText, parseTriggerOptions } from '../events/triggerParameters';

const LABELS = {
	deduplicate: 'Ignore Repeated Events',
	everyApproval: triggerEveryApproval.displayName,
	lookBack: 'Look Back (Days)',
	executionPerEvent: 'One Execution per Event',
	recheckInterval: 'Recheck Older Cards Every (Minutes)',
} as const;

const LOOK_BACK_DAYS = 30;
const RECHECK_INTERVAL_MINUTES = 60;

/** The parameters of the trigger; n8n adds Poll Times. */
export const pollingProperties: INodeProperties[] = [
	...triggerEvents,
	triggerFilters,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			triggerEveryApproval,
			{
				displayName: LABELS.deduplicate,
				name: 'deduplicate',
				type: 'boolean',
				default: true,
				description:
					'Whether to ignore events that have already started the workflow. Leave Always Output Data off: with it, each ignored event runs the workflow as an empty item.',
			},
			{
				displayName: LABELS.lookBack,
				name: 'lookBack',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 365 },
				default: LOOK_BACK_DAYS,
				description:
					'For how many days after a purchase its later events, such as the final charge, are found. A higher number means more requests. After you raise it, the range grows by one day each day.',
			},
			{
				displayName: LABELS.executionPerEvent,
				name: 'executionPerEvent',
				type: 'boolean',
				default: true,
				description:
					'Whether to start a separate execution for each event, all at the same time. When off, a poll starts one execution with all new events, the oldest first.',
			},
			{
				displayName: LABELS.recheckInterval,
				name: 'recheckInterval',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 10080 },
				default: RECHECK_INTERVAL_MINUTES,
				// The form may cut the label off.
				hint: 'In minutes',
				description:
					'How often the cards without a new purchase are checked for later events, such as the final charge of an earlier one. Never more often than Poll Times. A shorter interval means more requests.',
			},
		],
	},
];

const whole = (maximum: number) => z.number().int().min(1).max(maximum);

const optionsSchema = z.object({
	deduplicate: z.boolean().default(true),
	everyApproval: z.boolean().default(false),
	lookBack: whole(365).default(LOOK_BACK_DAYS),
	executionPerEvent: z.boolean().default(false),
	recheckInterval: whole(10_080).default(RECHECK_INTERVAL_MINUTES),
});

/** The options of the trigger, checked. */
export type PollingOptions = z.infer<typeof optionsSchema>;

const OPTION_TEXTS: Record<keyof PollingOptions, OptionText> = {
	deduplicate: { label: LABELS.deduplicate, takes: 'true or false' },
	everyApproval: { label: LABELS.everyApproval, takes: 'true or false' },
	lookBack: { label: LABELS.lookBack, takes: 'a whole number of days from 1 to 365' },
	executionPerEvent: { label: LABELS.executionPerEvent, takes: 'true or false' },
	recheckInterval: {
		label: LABELS.recheckInterval,
		takes: 'a whole number of minutes from 1 to 10080',
	},
};

/**
 * Checks the collection "Options" of the trigger.
 *
 * @param value as n8n stores it; an absent option has its default
 * @throws UserError that names the options with a wrong value
 */
export const parsePollingOptions = (value: unknown): PollingOptions =>
	parseTriggerOptions(value, optionsSchema, OPTION_TEXTS);
