import type { INodeProperties } from 'n8n-workflow';

import { TIMESTAMP_TOLERANCE_SECONDS } from '../api/assumptions';
import { eventFilterOptions, eventKinds } from '../api/eventFilterFields';
import { DEDUPLICATION_WINDOW } from './settings';
import { SET_UP_NOTICE } from './texts';

/** The form of the trigger. */
export const triggerProperties: INodeProperties[] = [
	{ displayName: SET_UP_NOTICE, name: 'setUpNotice', type: 'notice', default: '' },
	eventKinds,
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		description: 'The workflow starts only for events that match all filters',
		options: eventFilterOptions,
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Deduplicate',
				name: 'deduplicate',
				type: 'boolean',
				default: true,
				description:
					'Whether to run the workflow only once for an event that the card platform delivers more than once. n8n remembers the most recent events of this node.',
			},
			{
				displayName: 'Deduplication Window',
				name: 'deduplicationWindow',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 100000 },
				displayOptions: { hide: { deduplicate: [false] } },
				default: DEDUPLICATION_WINDOW,
				description:
					"How many events n8n's database remembers for this node. A larger window catches later duplicates, but makes every event slightly slower.",
			},
			{
				displayName: 'Maximum Event Age (Hours)',
				name: 'maximumEventAge',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 0,
				description:
					'Maximum age of an event, based on its signed creation time. Older events, and events without this time, are rejected, which prevents later replays. A clearing or refund has the time of the original purchase, which can be days earlier, so allow for those. 0 accepts events of any age.',
			},
			{
				displayName: 'Timestamp Tolerance, Future (Seconds)',
				name: 'futureTimestampTolerance',
				type: 'number',
				typeOptions: { minValue: 0 },
				displayOptions: { hide: { timestampTolerance: [0] } },
				default: TIMESTAMP_TOLERANCE_SECONDS,
				description:
					'How far the timestamp of a delivery may be ahead of the clock of n8n. Deliveries further ahead are rejected. 0 accepts any timestamp in the future.',
			},
			{
				displayName: 'Timestamp Tolerance, Past (Seconds)',
				name: 'timestampTolerance',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: TIMESTAMP_TOLERANCE_SECONDS,
				description:
					'How far the timestamp of a delivery may be behind the clock of n8n. Older deliveries are rejected as replays. If the card platform keeps the first timestamp when it delivers again, set this to the length of the longest outage. 0 turns off the whole check, including the one for the future.',
			},
		],
	},
];
