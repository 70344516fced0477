import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import {
	triggerEvents,
	triggerEveryApproval,
	triggerFilters,
	triggerOptions,
} from '../events/form';
import { parseTriggerOptions } from '../events/triggerParameters';

const LOOK_BACK_DAYS = 30;
const RECHECK_INTERVAL_MINUTES = 60;

const options: INodeProperties[] = [
	triggerEveryApproval,
	{
		displayName: 'Ignore Repeated Events',
		name: 'deduplicate',
		type: 'boolean',
		default: true,
		description:
			'Whether to ignore events that have already started the workflow. Leave Always Output Data off: with it, each ignored event runs the workflow as an empty item.',
	},
	{
		displayName: 'Look Back (Days)',
		name: 'lookBack',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 365 },
		default: LOOK_BACK_DAYS,
		description:
			'For how many days after a purchase its later events, such as the final charge, are found. A higher number means more requests. After you raise it, the range grows by one day each day.',
	},
	{
		displayName: 'One Execution per Event',
		name: 'executionPerEvent',
		type: 'boolean',
		default: true,
		description:
			'Whether to start a separate execution for each event, all at the same time. When off, a poll starts one execution with all new events, the oldest first.',
	},
	{
		displayName: 'Recheck Older Cards Every (Minutes)',
		name: 'recheckInterval',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 10080 },
		default: RECHECK_INTERVAL_MINUTES,
		// The form may cut the label off.
		hint: 'In minutes',
		description:
			'How often the cards without a new purchase are checked for later events, such as the final charge of an earlier one. Never more often than Poll Times. A shorter interval means more requests.',
	},
];

/** The parameters of the trigger; n8n adds Poll Times. */
export const pollingProperties: INodeProperties[] = [
	...triggerEvents,
	triggerFilters,
	triggerOptions(options),
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

/** Checks the collection "Options", as n8n stores it: an absent option has its default. Throws as {@link parseTriggerOptions}. */
export const parsePollingOptions = (value: unknown): PollingOptions =>
	parseTriggerOptions(value, optionsSchema, options);
