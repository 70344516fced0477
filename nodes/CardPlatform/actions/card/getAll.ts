import { cardSchema } from '../../api/schemas';
import {
	cardStatus,
	createdBetween,
	customQuery,
	filters,
	moreOptions,
	returnAllOrLimit,
	sort,
} from '../fields';
import { readListQuery } from '../parameters';
import type { Operation } from '../operation';

/** GET /cards (§4.3). */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many cards',
	description: 'List cards, optionally filtered by name, status or creation time',
	effect: 'read',
	fields: [
		...returnAllOrLimit,
		filters([
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
		]),
		moreOptions([customQuery, sort]),
	],
	async run(api, item) {
		const expected = { schema: cardSchema, name: 'a list of cards' };
		return await api.list('/cards', readListQuery(item), item.limit(), expected);
	},
};
