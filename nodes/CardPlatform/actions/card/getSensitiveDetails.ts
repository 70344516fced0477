import { refuseSensitiveDetails } from '../../api/config';
import { sensitiveDetailsSchema } from '../../api/schemas';
import { cardId } from '../fields';
import type { Operation } from '../operation';

/** GET /cards/{card-id}/sensitive-details (§4.7). */
export const getSensitiveDetails: Operation = {
	value: 'getSensitiveDetails',
	name: 'Get Sensitive Details',
	action: 'Get sensitive details of a card',
	risk: 'leads to its full number',
	description:
		'Get the address and the body of the request that looks up the number of a card; the number itself is not in it',
	effect: 'read',
	fields: [cardId],
	async run(api, item) {
		refuseSensitiveDetails(api.config);
		const path = `/cards/${item.cardId()}/sensitive-details`;
		return await api.get(path, { schema: sensitiveDetailsSchema, name: 'retrieval instructions' });
	},
};
