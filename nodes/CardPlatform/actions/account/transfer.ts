import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { API_CLOCKS_DIFFER_MS } from '../../api/assumptions';
import { type Field, text } from '../../api/field';
import { type Transfer, transferSchema } from '../../api/schemas';
import { UserError } from '../../api/userError';
import { isBlank, quoteValue, toAmount, toDecimal, toText } from '../../api/values';
import type { Api } from '../../transport/client';
import { accountId, notice } from '../fields';
import type { Operation } from '../operation';
import { keyField, readKey } from './idempotencyKey';
import { enter, type Made, notTransferred, type Sent, TOOL } from './journal';

const fromAccount = accountId(
	'From Account ID',
	'The number of the account to take the money from',
);

const toAccount: Field<number> = {
	...accountId('To Account ID', 'The number of the account to send the money to'),
	name: 'toAccountId',
	placeholder: 'e.g. 1002',
};

const amountField = text(
	{
		displayName: 'Amount',
		name: 'amount',
		required: true,
		placeholder: 'e.g. 250.00',
		description: 'The amount in USD, with a point as the decimal separator',
	},
	toAmount,
);

interface Asked {
	from: number;
	to: number;
	amount: string;
}

/**
 * Finds out whether a transfer was made since it was first sent (§4.2), by the API's clocks alone. They count seconds,
 * and may differ. A time without an offset says nothing.
 */
function whenMoved({ createdAt }: Transfer, date: unknown, elapsed: number): string {
	const areTimes = /(Z|[+-]\d\d:\d\d)$/i.test(createdAt) && String(date).endsWith(' GMT');
	// From when it was made to when it was first sent; NaN is neither.
	const age = areTimes ? Date.parse(String(date)) - elapsed - Date.parse(createdAt) : NaN;
	if (age > API_CLOCKS_DIFFER_MS) return 'earlier';
	// The time of the response is always cut to a second, that of the transfer perhaps.
	const cut = createdAt.includes('.') ? 0 : 1_000;
	return age <= cut && age + elapsed >= -API_CLOCKS_DIFFER_MS ? 'now' : 'unknown';
}

const MADE_EARLIER =
	'Items with moneyMoved "earlier" moved no money now, by the times that the API returned. An earlier transfer had the same Idempotency Key: check it in the dashboard before you pay with another key. Their amount is that of this request, unless the API returned one.';

/** The error of a request that failed. An earlier one may have made the transfer, even if this one was refused. */
function failed(error: unknown, { from, to, amount }: Asked, sent: Sent): unknown {
	const isRefused = error instanceof UserError && !error.outcomeUnknown && sent.state === 'sending';
	sent.state = isRefused ? 'refused' : 'unknown';
	if (isRefused) return error;
	return new UserError(
		`The outcome of the transfer with Idempotency Key ${sent.key} is unknown: ${error instanceof Error ? error.message : String(error)}`,
		`Check in the dashboard whether ${amount} USD moved from account ${from} to account ${to}. To send it again safely, choose Executions → Retry, or start the workflow again with the same key, accounts and amount. The API makes it at most once, as long as it remembers the key. If the key has changed by then, enter this one as fixed text.`,
		error instanceof UserError ? error.httpCode : undefined,
		{ idempotencyKey: sent.key },
	);
}

/** Refuses a transfer other than the one that was asked for. An earlier one is another payment. One of now may be this one. */
function refuseOther(made: Made, asked: Asked, sent: Sent): void {
	const { fromAccountId: from, toAccountId: to } = made;
	const { amount }: IDataObject = made;
	// §2: a transfer has no amount. One that cannot be read says nothing.
	const isSameAmount = [undefined, toDecimal(asked.amount)].includes(toDecimal(amount));
	if (from === asked.from && to === asked.to && isSameAmount) return;
	const what = `a transfer${isSameAmount ? '' : ` of ${toText(amount)}`} from ${from} to ${to}`;
	sent.state = made.moneyMoved === 'earlier' ? 'refused' : 'unknown';
	if (sent.state === 'refused') {
		throw notTransferred(
			`The Idempotency Key ${quoteValue(sent.key)} was already used for ${what}`,
		);
	}
	throw new UserError(
		`The outcome of this transfer is unknown: the API reports ${what} for its Idempotency Key ${quoteValue(sent.key)}`,
		'Check in the dashboard how much money moved. Until you know, do not send it again with another key.',
		undefined,
		{ idempotencyKey: sent.key },
	);
}

/** Sends a transfer, and notes in its entry of the journal what came of it. */
async function send(api: Api, asked: Asked, sent: Sent): Promise<Made> {
	const body = { amount: asked.amount, toAccountId: asked.to };
	const payload = { body, headers: { 'Idempotency-Key': sent.key } };
	const path = `/accounts/${asked.from}/transfers`;
	try {
		const { data, response } = await api.mutate('POST', path, payload, transferSchema);
		const moneyMoved = whenMoved(data, response.headers?.date, Date.now() - sent.sentAt);
		return { ...data, moneyMoved };
	} catch (error) {
		// Another call may have made it in the meantime.
		if (sent.response !== undefined) return sent.response;
		throw failed(error, asked, sent);
	}
}

/** POST /accounts/{account-id}/transfers (§4.2). */
export const transfer: Operation = {
	value: 'transfer',
	name: 'Transfer',
	action: 'Transfer real money between accounts',
	description: 'Move money between two accounts of the customer',
	effect: 'ordered',
	returns: transferSchema.extend({
		amount: z.string(),
		currency: z.string(),
		moneyMoved: z.string(),
		idempotencyKey: z.string(),
	}),
	fields: [
		notice(
			'transferNotice',
			'Moves real money, in USD: once per Idempotency Key, as long as the API remembers the key. Needs a customer-scoped API key. A transfer can fail later: check its status.',
		),
		fromAccount,
		toAccount,
		amountField,
		keyField,
	],
	async run(api, item) {
		const { context, index, get } = item;
		const asked = { from: get(fromAccount), to: get(toAccount), amount: get(amountField) };
		const { from, to, amount } = asked;
		if (from === to) {
			throw new UserError(
				`Both accounts are the same: ${from}`,
				'Choose two different accounts for "From Account ID" and "To Account ID".',
			);
		}
		const key = readKey(item);
		const transfer = `${api.config.baseUrl} ${from} ${to} ${amount}`;
		const sent = enter(context, index, { key, transfer });
		const response = sent.response ?? (await send(api, asked, sent));
		refuseOther(response, asked, sent);
		// This call of a tool was made already, perhaps by another one at the same time.
		const isRepeated = sent.sender === TOOL && sent.state === 'completed';
		Object.assign(sent, { state: 'completed', response });
		const moneyMoved = isRepeated ? 'earlier' : response.moneyMoved;
		if (moneyMoved === 'earlier') api.report(MADE_EARLIER, 'warning');
		const shown: IDataObject = response;
		return {
			...shown,
			amount: isBlank(shown.amount) ? amount : shown.amount,
			currency: isBlank(shown.currency) ? 'USD' : shown.currency,
			moneyMoved,
			idempotencyKey: key,
		};
	},
};
