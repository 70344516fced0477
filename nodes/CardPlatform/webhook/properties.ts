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
		description: 'The workflow starts only for events that pass all of them',
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
					'Whether to run the workflow once for an event that is delivered more than once. The card platform may deliver an event again; n8n remembers the last ones of this node.',
			},
			{
				displayName: 'Deduplication Window',
				name: 'deduplicationWindow',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 100000 },
				displayOptions: { hide: { deduplicate: [false] } },
				default: DEDUPLICATION_WINDOW,
				description:
					"How many events n8n's database remembers for this node. More of them catch duplicates that come later, and make every event a little slower.",
			},
			{
				displayName: 'Maximum Event Age (Hours)',
				name: 'maximumEventAge',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 0,
				description:
					'How old an event may be by its own time, which is signed. Older events, and events without a time, are refused, so that nobody can replay them later. It is the time of the purchase, also on a clearing or refund that comes days later, so leave room for those. 0 accepts events of any age.',
			},
			{
				displayName: 'Timestamp Tolerance, Future (Seconds)',
				name: 'futureTimestampTolerance',
				type: 'number',
				typeOptions: { minValue: 0 },
				displayOptions: { hide: { timestampTolerance: [0] } },
				default: TIMESTAMP_TOLERANCE_SECONDS,
				description:
					'How far the time on a delivery may lie ahead of the clock of this n8n. A delivery further ahead is refused. 0 accepts any time ahead.',
			},
			{
				displayName: 'Timestamp Tolerance, Past (Seconds)',
				name: 'timestampTolerance',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: TIMESTAMP_TOLERANCE_SECONDS,
				description:
					'How far the time on a delivery may lie behind the clock of this n8n. An older delivery is refused as a replay. If the card platform keeps the first timestamp when it delivers again, make this as long as the longest outage. 0 switches the whole check off, for the future too.',
			},
		],
	},
];
