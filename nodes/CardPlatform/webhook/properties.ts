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
				displayName: 'Timestamp Tolerance (Seconds)',
				name: 'timestampTolerance',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: TIMESTAMP_TOLERANCE_SECONDS,
				description:
					'How far the time on a delivery may be from the clock of this n8n, in both directions. A delivery outside of it is refused as a replay. 0 switches the check off.',
			},
		],
	},
];
