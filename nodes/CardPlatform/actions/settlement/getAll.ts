import { settlementSchema } from '../../api/schemas';
import { cardIdFilter, customQuery, filters, moreOptions, returnAllOrLimit, sort } from '../fields';
import { createdBetween, period, readListQuery } from '../listFilters';
import type { Operation } from '../operation';

/** GET /settlements (§4.11). */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many settlements',
	description: 'List card settlements by card or creation time',
	effect: 'read',
	fields: [
		...returnAllOrLimit,
		filters([cardIdFilter, ...createdBetween, period]),
		moreOptions([customQuery]),
		sort,
	],
	async run(api, item) {
		const expected = { schema: settlementSchema, name: 'a list of settlements' };
		return await api.list('/settlements', readListQuery(item, [], false), item.limit(), expected);
	},
};
