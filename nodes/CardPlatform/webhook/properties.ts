import type { INodeProperties } from 'n8n-workflow';

import { TIMESTAMP_TOLERANCE_SECONDS } from '../api/assumptions';

/** The form of the trigger. */
export const triggerProperties: INodeProperties[] = [
	{
		displayName:
			'Copy the production URL above into the dashboard of the card platform (developer settings, webhooks tab). It shows a signing secret once: put that into the credential of this node.',
		name: 'setUpNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
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
