import type { IDataObject } from 'n8n-workflow';

import type { ApiConfig } from '../../api/config';
import { paymentSchema } from '../../api/schemas';
import { UserError } from '../../api/userError';
import { customQuery, moreOptions, returnAllOrLimit } from '../fields';
import type { ItemParameters } from '../parameters';
import type { Operation } from '../operation';
import { toAccountId } from '../../api/values';
import { splitIntoYears } from '../../api/dates';

/** The account whose payments are asked for; a customer-scoped key has to name one (§4.9, §5.4). */
function readAccount(item: ItemParameters, config: ApiConfig): number | undefined {
	const chosen = item.collection('options').accountId('accountId', 'Account ID');
	if (chosen !== undefined || config.keyScope === 'account') return chosen;
	if (config.accountId !== undefined) {
		return toAccountId(config.accountId, 'Default Account ID');
	}
	throw new UserError(
		'Choose the account whose payments to list',
		'A customer-scoped key covers several accounts. Add "Account ID" under Options, or set Default Account ID in the Card Platform API credential.',
	);
}

/** GET /payments (§4.9), for a range of any length. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many payments',
	description: 'List the payments of an account that are due in a date range',
	effect: 'read',
	fields: [
		{
			displayName: 'From',
			name: 'from',
			type: 'dateTime',
			default: '',
			description: 'The first day of the range, in the time zone of the workflow',
		},
		{
			displayName: 'To',
			name: 'to',
			type: 'dateTime',
			default: '',
			description:
				'The last day of the range, in the time zone of the workflow. The range can be longer than a year: the node then reads it year by year.',
		},
		...returnAllOrLimit,
		moreOptions([
			{
				displayName: 'Account ID',
				name: 'accountId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 1001',
				description:
					'The account whose payments to list. Required for a customer-scoped key, unless the credential has a default.',
			},
			customQuery,
		]),
	],
	async run(api, item) {
		const from = item.date('from', 'From');
		const to = item.date('to', 'To');
		if (from > to) {
			throw new UserError(
				`From (${from}) is later than To (${to})`,
				'Set "From" to the first day and "To" to the last.',
			);
		}
		const limit = item.limit();
		const query = { accountId: readAccount(item, api.config) };
		const custom = item.collection('options').stringMap('customQuery', 'Custom Query Parameters');
		const expected = { schema: paymentSchema, name: 'a list of payments' };

		const payments = new Map<string, IDataObject>();
		for (const window of splitIntoYears(from, to)) {
			if (payments.size >= limit) break;
			const asked = { query, custom: { ...window, ...custom } };
			for (const payment of await api.listUnpaginated('/payments', asked, expected))
				payments.set(payment.id, payment);
		}
		return [...payments.values()].slice(0, limit);
	},
};
