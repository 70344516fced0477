import { refuseSensitiveDetails } from '../../api/config';
import { cardPath, sensitiveDetailsSchema } from '../../api/schemas';
import { notice } from '../fields';
import type { Operation } from '../operation';
import { cardId, cardTo } from '../pickers';

/** GET /cards/{card-id}/sensitive-details (§4.7). */
export const getSensitiveDetails: Operation = {
	value: 'getSensitiveDetails',
	name: 'Get Sensitive Details',
	action: 'Get sensitive card details',
	description: 'Get the request that looks up the card number',
	effect: 'read',
	returns: sensitiveDetailsSchema,
	fields: [
		notice(
			'sensitiveDetailsNotice',
			'The output is the request that looks up the full card number, not the number itself. n8n saves it with the execution: everyone who can open the execution can read it.',
		),
		cardTo('look up'),
	],
	async run(api, { get }) {
		refuseSensitiveDetails(api.config);
		const path = `${cardPath(get(cardId))}/sensitive-details`;
		return await api.get(path, sensitiveDetailsSchema);
	},
};
