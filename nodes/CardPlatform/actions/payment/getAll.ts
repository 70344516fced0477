import type { IDataObject } from 'n8n-workflow';

import type { ApiConfig } from '../../api/config';
import { addDays, splitIntoYears } from '../../api/dates';
import { dueIn } from '../../api/recordFilter';
import { paymentSchema } from '../../api/schemas';
import { UserError } from '../../api/userError';
import { toAccountId } from '../../api/values';
import { customQuery, moreOptions, returnAllOrLimit } from '../fields';
import { duePeriod, readDuePeriod } from '../listFilters';
import type { Operation } from '../operation';
import type { ItemParameters } from '../parameters';

/** The account whose payments to list; a customer-scoped key must name one (§4.9, §5.4). */
function readAccount(item: ItemParameters, config: ApiConfig): number | undefined {
	const chosen = item.collection('options').accountId('accountId');
	if (chosen !== undefined || config.keyScope === 'account') return chosen;
	if (config.accountId !== undefined) {
		return toAccountId(config.accountId, 'Default Account ID');
	}
	throw new UserError(
		'Choose the account whose payments to list',
		'A customer-scoped key covers several accounts. Set Default Account ID in the Card Platform API credential, or add Account ID under Options in this node.',
	);
}

/** GET /payments (§4.9), for a range of any length. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many payments',
	description: 'List bills to the card platform by due date',
	effect: 'read',
	fields: [
		...duePeriod,
		...returnAllOrLimit,
		moreOptions([
			{
				displayName: 'Account ID',
				name: 'accountId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 1001',
				description:
					'The account whose payments to list, instead of Default Account ID in the credential. Only a customer-scoped key can choose an account.',
			},
			customQuery,
		]),
	],
	async run(api, item) {
		const { from, to } = readDuePeriod(item);
		const limit = item.limit();
		const query = { accountId: readAccount(item, api.config) };
		const custom = item.collection('options').stringMap('customQuery');
		const expected = { schema: paymentSchema, name: 'a list of payments' };

		const filters = [dueIn({ from, to })];
		const payments = new Map<string, IDataObject>();
		for (const year of splitIntoYears(addDays(from, -1), addDays(to, 1))) {
			if (payments.size >= limit) break;
			const asked = { query, filters, custom: { ...year, ...custom } };
			for (const payment of await api.listUnpaginated('/payments', asked, expected))
				payments.set(payment.id, payment);
		}
		return api.cut([...payments.values()], limit);
	},
};
