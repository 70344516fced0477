import type { Field } from '../../api/field';
import { inReadingOrder, paymentSchema } from '../../api/schemas';
import { listPayments, paymentAccount } from '../../transport/payments';
import { accountId, customQuery, moreOptions, readLimit, returnAllOrLimit } from '../fields';
import { duePeriod, readDuePeriod } from '../listFilters';
import type { Operation } from '../operation';

const chosenAccount: Field<number> = {
	...accountId(
		'Account ID',
		'The account whose payments to list, instead of "Default Account ID" in the credential. Only a customer-scoped key can choose an account.',
	),
	required: false,
};

const options = moreOptions([chosenAccount, customQuery]);

/** GET /payments (§4.9), for a range of any length. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many bill payments',
	description: 'List bills from the card platform by due date',
	effect: 'read',
	returns: paymentSchema,
	fields: [...duePeriod, ...returnAllOrLimit, options],
	async run(api, item) {
		const { from, to } = readDuePeriod(api, item);
		const limit = readLimit(item);
		const find = item.get(options);
		const account = find(chosenAccount) ?? paymentAccount(api.config);
		const more = { custom: find(customQuery), limit };
		const payments = api.cut(await listPayments(api, { from, to }, account, more), limit);
		return payments.map(inReadingOrder);
	},
};
