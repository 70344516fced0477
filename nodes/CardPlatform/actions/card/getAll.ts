import { cardSchema } from '../../api/card';
import { cardStatus, createdBetween, returnAllOrLimit, sort } from '../fields';
import type { Operation } from '../operation';

/** GET /cards (§4.3). */
export const getAll: Operation = {
	resource: 'card',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many cards',
	description: 'List cards, filtered by name, status or time of creation',
	effect: 'read',
	fields: [
		...returnAllOrLimit,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: [
				...createdBetween,
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. Travel',
					description: 'Return only cards with this name',
				},
				cardStatus,
			],
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: [sort],
		},
	],
	async run(api, item) {
		const filters = item.collection('filters');
		const query = {
			name: filters.text('name'),
			status: filters.text('status'),
			createdAfter: filters.instant('createdAfter', 'Created After'),
			createdBefore: filters.instant('createdBefore', 'Created Before'),
			sort: item.collection('options').text('sort'),
		};
		return await api.list('/cards', query, item.limit(), cardSchema, 'a list of cards');
	},
};
