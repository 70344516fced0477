import type { ListQuery } from '../transport/client';
import type { ItemParameters } from './item';

/**
 * Reads what the lists of cards, transactions and settlements are asked for (§4.3, §4.8, §4.11):
 * the "Filters" and "Options" that the operation's form offers. Nothing is sent that the person did
 * not add, as the API might refuse a parameter that it does not know.
 *
 * @throws UserError
 */
export function readListQuery(item: ItemParameters): ListQuery {
	const filters = item.collection('filters');
	const options = item.collection('options');
	return {
		query: {
			name: filters.text('name'),
			status: filters.text('status'),
			cardId: filters.uuid('cardId', 'Card ID'),
			createdAfter: filters.instant('createdAfter', 'Created After'),
			createdBefore: filters.instant('createdBefore', 'Created Before'),
			sort: options.text('sort'),
		},
		custom: options.namedTexts('customQuery', 'Custom Query Parameters'),
	};
}
