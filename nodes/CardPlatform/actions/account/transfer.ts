import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import { EARLIER_TRANSFER_MS } from '../../api/assumptions';
import { type Transfer, transferSchema } from '../../api/schemas';
import { UserError } from '../../api/userError';
import { quoteValue } from '../../api/values';
import type { Api } from '../../transport/client';
import { accountId, moreOptions, notice } from '../fields';
import type { Operation } from '../operation';
import type { ItemParameters } from '../parameters';
import { deriveKey, positionOf, readUserKey, type TransferRequest } from './idempotencyKey';
import {
	inFlight,
	type Journal,
	openJournal,
	recordTransfer,
	removeTransfer,
	type SentTransfer,
} from './journal';

function readRequest(item: ItemParameters): TransferRequest {
	const from = item.accountId('accountId');
	const to = item.accountId('toAccountId');
	if (from === to) {
		throw new UserError(
			`Both accounts are the same: ${from}`,
			'Choose two different accounts for "From Account ID" and "To Account ID".',
		);
	}
	return { from, to, amount: item.amount('amount') };
}

/**
 * Sends a transfer, and keeps the response in its record.
 *
 * @param wasSent whether it was sent before: if it is refused now, it may still have been made then
 * @throws UserError that says whether it may have been made
 */
async function send(
	api: Api,
	{ from, to, amount }: TransferRequest,
	journal: Journal,
	{ record, wasSent }: { record: SentTransfer; wasSent: boolean },
): Promise<Transfer> {
	const { key } = record;
	inFlight.add(record);
	const sending = api.mutate(
		'POST',
		`/accounts/${from}/transfers`,
		{ body: { amount, toAccountId: to }, headers: { 'Idempotency-Key': key } },
		{ schema: transferSchema, name: 'a transfer' },
	);
	const sent = sending.finally(() => inFlight.delete(record));
	const response = await sent.catch((error: unknown) => {
		if (error instanceof UserError && !error.outcomeUnknown && !wasSent) {
			removeTransfer(journal, record);
			throw error;
		}
		const reason = error instanceof Error ? error.message : String(error);
		throw new UserError(
			`It is not known whether the transfer with Idempotency Key ${key} was made: ${reason}`,
			`Check in the dashboard whether ${amount} USD moved from account ${from} to account ${to}. To send it again safely, choose Executions → Retry and change nothing; or, where n8n offers no Retry (On Error → Continue, a tool, a stopped execution), run it alone with the option "Idempotency Key" set to ${key}: the transfer is made at most once, as long as the API remembers the key. With another key or none, it could be made twice.`,
			error instanceof UserError ? error.httpCode : undefined,
			{ idempotencyKey: key },
		);
	});
	if (response.fromAccountId !== from || response.toAccountId !== to) {
		removeTransfer(journal, record);
		throw new UserError(
			`No money was moved: the Idempotency Key was already used for a transfer from ${response.fromAccountId} to ${response.toAccountId}`,
			'Use a different Idempotency Key for each transfer, e.g. an expression that refers to the trigger by name.',
		);
	}
	record.response = response;
	return response;
}

/** Whether a transfer was made long before its request (§4.2). A time without an offset says nothing. */
function isEarlier({ createdAt }: Transfer, sentAt: number): boolean {
	const isMoment = /(Z|[+-]\d\d:\d\d)$/i.test(createdAt);
	return isMoment && Date.parse(createdAt) < sentAt - EARLIER_TRANSFER_MS;
}

/** Names the items for which no money was moved, as their keys had been used before: the first three. */
function describeEarlier(output: IDataObject[]): NodeExecutionHint | undefined {
	const earlier = output.flatMap(({ isEarlierTransfer, idempotencyKey, createdAt }, index) =>
		isEarlierTransfer === true
			? [
					`item ${index} (Idempotency Key ${quoteValue(idempotencyKey)}, made ${quoteValue(createdAt)})`,
				]
			: [],
	);
	if (earlier.length === 0) return undefined;
	const more = earlier.length > 3 ? ` and ${earlier.length - 3} more` : '';
	const message = `No money was moved now for ${earlier.length} of ${output.length} items, because their transfers were made earlier: ${earlier.slice(0, 3).join(', ')}${more}.`;
	return { message, type: 'warning', location: 'outputPane' };
}

/** POST /accounts/{account-id}/transfers (§4.2). */
export const transfer: Operation = {
	value: 'transfer',
	name: 'Transfer',
	action: 'Transfer real money between accounts',
	description: 'Move money between two accounts of the customer',
	effect: 'ordered',
	fields: [
		notice(
			'transferNotice',
			'Moves real money, in USD. Needs a customer-scoped key. AI agents, MCP clients, sub-workflows and some retried executions require the option Idempotency Key, because n8n could repeat the transfer there. If it is not known whether a transfer was made, the node says so. If a trigger responds when the last node finishes, use the event ID as the key: otherwise a repeated delivery transfers again.',
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
					'Of all transfers with the same key and the same API, in any execution, only the first is made, as long as the API remembers the key. Another item of the same execution with that key is refused. Use a value that is unique to this transfer, such as an invoice number (a string if it is longer than 15 digits) or the ID of the event from the trigger. Required for AI agents, MCP clients, sub-workflows and some retried executions; otherwise the node creates a key for each item of each execution.',
			},
		]),
	],
	async run(api, item) {
		const { context, index } = item;
		const journal = openJournal(context);
		const request = readRequest(item);
		const { from, to, amount } = request;

		const userKey = readUserKey(context, index, item.collection('options').values);
		const itemPosition = positionOf(context, index);
		const key = userKey ?? deriveKey(context, itemPosition, journal, request);
		// A tool that is called again with the same key means the same payment.
		const position = itemPosition ?? `tool ${key}`;

		const transfer = `${api.config.baseUrl} ${from} ${to} ${amount}`;
		const isDerived = userKey === undefined;
		const sent = recordTransfer(journal, { position, key, transfer }, isDerived);
		const { record } = sent;
		// What an item has made already is not earlier: n8n retries it.
		const isRepeatedCall = itemPosition === undefined && record.response !== undefined;
		const response = record.response ?? (await send(api, request, journal, sent));
		return {
			...response,
			idempotencyKey: key,
			isEarlierTransfer: isRepeatedCall || (!isDerived && isEarlier(response, record.sentAt)),
		};
	},
	describeOutput: describeEarlier,
};
