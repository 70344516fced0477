import type { INodeProperties } from 'n8n-workflow';

/** The kinds of events to work on ("Trigger On"); see EVENT_KINDS. */
export const eventKinds: INodeProperties = {
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	required: true,
	options: [
		{
			name: 'All Events',
			value: 'all',
			description: 'Every event, also one that does not say what kind it is',
		},
		{
			name: 'Approved',
			value: 'approved',
			description: 'A purchase went through: successful, debit, not marked as a reversal',
		},
		{
			name: 'Declined',
			value: 'declined',
			description: 'Something did not go through: not successful',
		},
		{
			name: 'Refunded',
			value: 'refunded',
			description: 'Money came back: successful, credit, not marked as a reversal',
		},
		{
			name: 'Reversed',
			value: 'reversed',
			description: 'An earlier event was taken back: marked as a reversal',
		},
	],
	default: ['all'],
	description: 'The kinds of events to let through',
};

/** The entries of the "Filters" collection. An event has to pass all that are set. */
export const eventFilterOptions: INodeProperties[] = [
	{
		displayName: 'Card IDs',
		name: 'cardIds',
		type: 'string',
		default: '',
		placeholder: 'e.g. 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10',
		description: 'Only events of these cards. Separate several by commas.',
	},
	{
		displayName: 'Categories',
		name: 'categories',
		type: 'string',
		default: '',
		placeholder: 'e.g. airlines, lodging',
		description:
			'Only events of these categories, written as the events name them. Separate several by commas.',
	},
	{
		displayName: 'Currencies',
		name: 'currencies',
		type: 'string',
		default: '',
		placeholder: 'e.g. USD, EUR',
		description: 'Only events in these currencies (ISO 4217). Separate several by commas.',
	},
	{
		displayName: 'Merchant Category Codes',
		name: 'merchantCategoryCodes',
		type: 'string',
		default: '',
		placeholder: 'e.g. 5812, 7995',
		description:
			'Only events of merchants with these category codes (MCC, four digits). Separate several by commas.',
	},
	{
		displayName: 'Merchant Countries',
		name: 'merchantCountries',
		type: 'string',
		default: '',
		placeholder: 'e.g. US, CA',
		description:
			'Only events of merchants in these countries, written as the events name them. Separate several by commas.',
	},
	{
		displayName: 'Merchant Name',
		name: 'merchantName',
		type: 'string',
		default: '',
		placeholder: 'e.g. hotel',
		description: 'Only events of merchants whose name contains this text, in upper or lower case',
	},
	{
		displayName: 'Minimum Amount',
		name: 'minimumAmount',
		type: 'string',
		default: '',
		placeholder: 'e.g. 500.00',
		description:
			"Only events of this amount or more, compared exactly. It is in the currency of the event, so combine it with the filter 'Currencies'.",
	},
];
