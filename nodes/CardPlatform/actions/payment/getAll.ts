import type { IDataObject } from 'n8n-workflow';

import type { ApiConfig } from '../../api/config';
import { addDays, splitIntoYears } from '../../api/dates';
import type { Field } from '../../api/field';
import { dueIn } from '../../api/recordFilter';
import { paymentSchema } from '../../api/schemas';
import { UserError } from '../../api/userError';
import { toAccountId } from '../../api/values';
import { accountId, customQuery, moreOptions, readLimit, returnAllOrLimit } from '../fields';
import { duePeriod, readDuePeriod } from '../listFilters';
import type { Item, Operation } from '../operation';

const chosenAccount: Field<number> = {
	...accountId(
		'Account ID',
		'The account whose payments to list, instead of Default Account ID in the credential. Only a customer-scoped key can choose an account.',
	),
	required: false,
};

const options = moreOptions([chosenAccount, customQuery]);

/** The account whose payments to list; a customer-scoped key must name one (§4.9, §5.4). */
function readAccount(item: Item, config: ApiConfig): number | undefined {
	const chosen = item.get(options)(chosenAccount);
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
	action: 'Get many bill payments',
	description: 'List bills to the card platform by due date',
	effect: 'read',
	returns: paymentSchema,
	fields: [...duePeriod, ...returnAllOrLimit, options],
	async run(api, item) {
		const { from, to } = readDuePeriod(api, item);
		const limit = readLimit(item);
		const query = { accountId: readAccount(item, api.config) };
		const custom = item.get(options)(customQuery);

		const filters = [dueIn({ from, to })];
		const payments = new Map<string, IDataObject>();
		for (const year of splitIntoYears(addDays(from, -1), addDays(to, 1))) {
			if (payments.size >= limit) break;
			const asked = { query, filters, custom: { ...year, ...custom } };
			for (const payment of await api.listUnpaginated('/payments', asked, paymentSchema))
				payments.set(payment.id, payment);
		}
		return api.cut([...payments.values()], limit);
	},
};
