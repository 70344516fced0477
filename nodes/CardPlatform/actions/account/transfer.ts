import { transferSchema } from '../../api/account';
import { Problem } from '../../api/problem';
import { toIdempotencyKey } from '../../transport/idempotency';
import { moreOptions } from '../fields';
import type { ItemParameters } from '../item';
import type { Operation } from '../operation';
import { accountId } from './fields';

/** The user's key: what a header can carry as it stands, so that two keys never become one. */
function readKey(item: ItemParameters): string | undefined {
	const { idempotencyKey: value } = item.collection('options').values;
	if (value === undefined || value === '') return undefined;
	const key = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
	throw new Problem(
		`Idempotency Key cannot be used as a key: ${JSON.stringify(value)}`,
		'"Idempotency Key" takes 1 to 255 letters, digits and signs of the English keyboard, e.g. an invoice number. Is the expression empty for this item? To leave the key to the node, remove the option.',
	);
}

/** POST /accounts/{account-id}/transfers (§4.2). */
export const transfer: Operation = {
	value: 'transfer',
	name: 'Transfer',
	action: 'Transfer money between accounts',
	description:
		'Move money in USD from one account to another of the same customer; needs a customer-scoped key',
	effect: 'ordered',
	fields: [
		accountId('From Account ID', 'The number of the account that the money leaves'),
		{
			displayName: 'To Account ID',
			name: 'toAccountId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 1002',
			description: 'The number of the account that gets the money',
		},
		{
			displayName: 'Amount',
			name: 'amount',
			type: 'string',
			default: '',
			placeholder: 'e.g. 250.00',
			description: 'The amount in USD, with a point before the decimals',
		},
		moreOptions([
			{
				displayName: 'Idempotency Key',
				name: 'idempotencyKey',
				type: 'string',
				default: '',
				placeholder: 'e.g. {{ $json.invoiceNumber }}',
				description:
					'Requests with the same key make one transfer. Without it, each item of each execution is a transfer of its own, once, however often it is tried again. Set it to something of the item, such as an invoice number, to pay no invoice twice, even in another execution.',
			},
		]),
	],
	async run(api, item) {
		const from = item.accountId('accountId', 'From Account ID');
		const to = item.accountId('toAccountId', 'To Account ID');
		if (from === to) {
			throw new Problem(
				`Both accounts are the same: ${from}`,
				'Choose two different accounts for "From Account ID" and "To Account ID".',
			);
		}
		const body = { amount: item.amount('amount', 'Amount'), toAccountId: to };
		const key = readKey(item) ?? toIdempotencyKey(item.identity());
		const made = await api.writeAndGet(
			'POST',
			`/accounts/${from}/transfers`,
			{ body, headers: { 'Idempotency-Key': key } },
			{ schema: transferSchema, name: 'a transfer' },
		);
		if (made.fromAccountId !== from || made.toAccountId !== to) {
			throw new Problem(
				`No money was moved: the Idempotency Key was used before, for a transfer from ${made.fromAccountId} to ${made.toAccountId}`,
				'Give each transfer an Idempotency Key of its own, e.g. by an expression on the item, or leave it empty.',
			);
		}
		return made;
	},
};
