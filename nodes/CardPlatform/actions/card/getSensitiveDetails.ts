import { refuseSensitiveDetails } from '../../api/config';
import { sensitiveDetailsSchema } from '../../api/schemas';
import { cardId } from '../fields';
import type { Operation } from '../operation';

/** GET /cards/{card-id}/sensitive-details (§4.7). */
export const getSensitiveDetails: Operation = {
	value: 'getSensitiveDetails',
	name: 'Get Sensitive Details',
	action: 'Get sensitive card details',
	risk: 'gives access to the full card number',
	description:
		'Get the URL and body of the request that looks up a card number; the number itself is not included',
	effect: 'read',
	fields: [cardId],
	async run(api, item) {
		refuseSensitiveDetails(api.config);
		const path = `/cards/${item.cardId()}/sensitive-details`;
		return await api.get(path, { schema: sensitiveDetailsSchema, name: 'retrieval instructions' });
	},
};
