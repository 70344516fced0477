import { z } from 'zod';

import { inReadingOrder, settlementSchema } from '../../api/schemas';
import { customQuery, filters, moreOptions, readLimit, returnAllOrLimit, sort } from '../fields';
import { createdBetween, readListQuery } from '../listFilters';
import type { Operation } from '../operation';
import { cardIdFilter } from '../pickers';

const chosen = filters([...createdBetween, cardIdFilter]);

const options = moreOptions([customQuery]);

/** GET /settlements (§4.11). */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many settlements',
	description: 'List card settlements by card or creation time',
	effect: 'read',
	// Of a settlement's fields (§2: undocumented) we expect an id.
	returns: z.object({ id: z.string() }),
	fields: [...returnAllOrLimit, chosen, sort, options],
	async run(api, item) {
		const query = readListQuery(api, item, chosen, options);
		const list = await api.list('/settlements', query, readLimit(item), settlementSchema);
		return list.map(inReadingOrder);
	},
};
