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
			action: 'On any card event',
			description: 'Every event, including unknown types',
		},
		{
			name: 'Approved',
			value: 'approved',
			action: 'On purchase approved',
			description: 'A purchase was approved: a successful debit that is not marked as a reversal',
		},
		{
			name: 'Declined',
			value: 'declined',
			action: 'On purchase declined',
			description: 'A purchase or another transaction was declined: not successful',
		},
		{
			name: 'Refunded',
			value: 'refunded',
			action: 'On purchase refunded',
			description: 'Money was refunded: a successful credit that is not marked as a reversal',
		},
		{
			name: 'Reversed',
			value: 'reversed',
			action: 'On purchase reversed',
			description: 'An earlier event was reversed: marked as a reversal',
		},
	],
	default: ['all'],
	description: 'The types of events that start the workflow',
};

/** The entries of the "Filters" collection. An event has to pass all that are set. */
export const eventFilterOptions: INodeProperties[] = [
	{
		displayName: 'Card IDs',
		name: 'cardIds',
		type: 'string',
		default: '',
		placeholder: 'e.g. 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10',
		description: 'Only events of these cards. Separate multiple IDs with commas.',
	},
	{
		displayName: 'Categories',
		name: 'categories',
		type: 'string',
		default: '',
		placeholder: 'e.g. airlines, lodging',
		description:
			'Only events in these categories, spelled as in the events. Separate multiple categories with commas.',
	},
	{
		displayName: 'Currencies',
		name: 'currencies',
		type: 'string',
		default: '',
		placeholder: 'e.g. USD, EUR',
		description:
			'Only events in these currencies (ISO 4217). Separate multiple currencies with commas.',
	},
	{
		displayName: 'Merchant Category Codes',
		name: 'merchantCategoryCodes',
		type: 'string',
		default: '',
		placeholder: 'e.g. 5812, 7995',
		description:
			'Only events at merchants with these category codes (MCC, four digits). Separate multiple codes with commas.',
	},
	{
		displayName: 'Merchant Countries',
		name: 'merchantCountries',
		type: 'string',
		default: '',
		placeholder: 'e.g. US, CA',
		description:
			'Only events at merchants in these countries, spelled as in the events. Separate multiple countries with commas.',
	},
	{
		displayName: 'Merchant Name',
		name: 'merchantName',
		type: 'string',
		default: '',
		placeholder: 'e.g. hotel',
		description: 'Only events at merchants whose name contains this string (not case-sensitive)',
	},
	{
		displayName: 'Minimum Amount',
		name: 'minimumAmount',
		type: 'string',
		default: '',
		placeholder: 'e.g. 500.00',
		description:
			"Only events of at least this amount, compared without rounding. The amount is in the currency of the event, so combine it with the filter 'Currencies'.",
	},
];
