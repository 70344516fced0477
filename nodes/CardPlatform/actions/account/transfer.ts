import { transferSchema } from '../../api/schemas';
import { EARLIER_TRANSFER_MS } from '../../api/assumptions';
import { UserError } from '../../api/userError';
import type { Api } from '../../transport/client';
import { accountId, moreOptions, notice } from '../fields';
import type { Operation } from '../operation';
import { type Attempt, openAttempt, readUserKey, type TransferRequest } from './idempotencyKey';

/**
 * Whether the transfer was made before this request, under a key of the user: the API then gives
 * the original result and moves nothing (§4.2). A time without an offset says nothing.
 */
function isEarlier(createdAt: string, { sentAt, isRepeat }: Attempt): boolean {
	const isMoment = /(Z|[+-]\d\d:\d\d)$/i.test(createdAt);
	return isRepeat || (isMoment && Date.parse(createdAt) < sentAt - EARLIER_TRANSFER_MS);
}

/**
 * Sends a transfer, unless this item has made it already. If it fails, the error says whether it may have
 * been made anyway.
 */
async function send(api: Api, { from, to, amount }: TransferRequest, attempt: Attempt) {
	const { key, made } = attempt;
	if (made !== undefined) {
		attempt.end('made', made);
		return made;
	}
	const [outcome] = await Promise.allSettled([
		api.mutate(
			'POST',
			`/accounts/${from}/transfers`,
			{ body: { amount, toAccountId: to }, headers: { 'Idempotency-Key': key } },
			{ schema: transferSchema, name: 'a transfer' },
		),
	]);
	if (outcome.status === 'fulfilled') {
		attempt.end('made', outcome.value);
		return outcome.value;
	}

	const error: unknown = outcome.reason;
	if (error instanceof UserError && !error.isUnclear && !attempt.wasUnclear) {
		attempt.end('refused');
		throw error;
	}
	attempt.end('unclear');
	const reason = error instanceof Error ? error.message : String(error);
	throw new UserError(
		`It is not known whether the transfer with Idempotency Key ${key} was made: ${reason}`,
		`Check in the dashboard whether ${amount} USD moved from account ${from} to account ${to}. ${attempt.advice}`,
		error instanceof UserError ? error.httpCode : undefined,
		{ isUnclear: true, idempotencyKey: key },
	);
}

/** POST /accounts/{account-id}/transfers (§4.2). */
export const transfer: Operation = {
	value: 'transfer',
	name: 'Transfer',
	action: 'Transfer money between accounts',
	risk: 'moves real money',
	description: 'Move money between two accounts of the customer',
	effect: 'ordered',
	fields: [
		notice(
			'transferNotice',
			'Moves real money, in USD. Needs a customer-scoped key. Without the option Idempotency Key, the transfer is refused in sub-workflows, in some retried executions, and in most tools with Retry On Fail, because n8n could repeat it. If it is not known whether a transfer was made, the node says so. For AI agents, always set this option. If a trigger responds when the last node finishes, use the event ID as the key: otherwise a repeated delivery transfers again.',
		),
		accountId('From Account ID', 'The number of the account to take the money from'),
		{
			displayName: 'To Account ID',
			name: 'toAccountId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 1002',
			description: 'The number of the account to send the money to',
		},
		{
			displayName: 'Amount',
			name: 'amount',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 250.00',
			description: 'The amount in USD, with a point as the decimal separator',
		},
		moreOptions([
			{
				displayName: 'Idempotency Key',
				name: 'idempotencyKey',
				type: 'string',
				default: '',
				placeholder: "e.g. {{ $('Webhook').item.json.invoiceNumber }}",
				description:
					'Of all transfers with the same key, in any execution, only the first is made, as long as the API remembers the key. Another item of the same execution with that key is refused. Use a value that is unique to this transfer, such as an invoice number (a string if it is longer than 15 digits) or the ID of the event from the trigger. Required in sub-workflows, in some retried executions, and in most tools with Retry On Fail; otherwise the node creates a key for each item of each execution.',
			},
		]),
	],
	async run(api, item) {
		const from = item.accountId('accountId', 'From Account ID');
		const to = item.accountId('toAccountId', 'To Account ID');
		if (from === to) {
			throw new UserError(
				`Both accounts are the same: ${from}`,
				'Choose two different accounts for "From Account ID" and "To Account ID".',
			);
		}
		const amount = item.amount('amount', 'Amount');
		const { values } = item.collection('options');
		const userKey = readUserKey(item.context, item.index, values);
		const { baseUrl } = api.config;
		const attempt = openAttempt(
			item.context,
			item.index,
			{ from, to, amount },
			{ userKey, baseUrl },
		);
		const made = await send(api, { from, to, amount }, attempt);
		if (made.fromAccountId !== from || made.toAccountId !== to) {
			throw new UserError(
				`No money was moved: the Idempotency Key was already used for a transfer from ${made.fromAccountId} to ${made.toAccountId}`,
				'Use a different Idempotency Key for each transfer, e.g. an expression that refers to the trigger by name. A retry of this execution refuses another key for this item, so run the item alone.',
			);
		}
		return {
			...made,
			idempotencyKey: attempt.key,
			isEarlierTransfer: userKey !== undefined && isEarlier(made.createdAt, attempt),
		};
	},
};
