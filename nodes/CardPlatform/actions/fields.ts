import type { INodeProperties } from 'n8n-workflow';

import { CARD_STATUSES } from '../api/card';

/** The card that an operation works on, picked from a list or given by its ID. */
export const cardId: INodeProperties = {
	displayName: 'Card',
	name: 'cardId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The card to work on',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a card...',
			typeOptions: { searchListMethod: 'searchCards', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: '^\\s*[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\\s*$',
						errorMessage: 'A card ID looks like 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10',
					},
				},
			],
		},
	],
};

/** "Return All" and "Limit", for every operation that gets many. */
export const returnAllOrLimit: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		displayOptions: { show: { returnAll: [false] } },
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
	},
];

const titleCase = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Filter on the status of a card (§3). */
export const cardStatus: INodeProperties = {
	displayName: 'Status',
	name: 'status',
	type: 'options',
	options: CARD_STATUSES.map((value) => ({ name: titleCase(value), value })),
	default: 'active',
	description: 'Return only cards with this status',
};

/** Filters on the time of creation (§4.3). */
export const createdBetween: INodeProperties[] = [
	{
		displayName: 'Created After',
		name: 'createdAfter',
		type: 'dateTime',
		default: '',
		description: 'Return only what was created after this time, in the time zone of the workflow',
	},
	{
		displayName: 'Created Before',
		name: 'createdBefore',
		type: 'dateTime',
		default: '',
		description: 'Return only what was created before this time, in the time zone of the workflow',
	},
];

/** The order by time of creation (§4.3). */
export const sort: INodeProperties = {
	displayName: 'Sort',
	name: 'sort',
	type: 'options',
	options: [
		{ name: 'Newest First', value: 'desc' },
		{ name: 'Oldest First', value: 'asc' },
	],
	default: 'desc',
	description: 'The order of the results, by time of creation',
};
