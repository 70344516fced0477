import { ExpressionParser, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { API_CLOCKS_DIFFER_MS } from '../../api/assumptions';
import { type Field, text } from '../../api/field';
import { type Transfer, transferSchema } from '../../api/schemas';
import { UserError } from '../../api/userError';
import { emptyField, isBlank, quoteValue, toAmount } from '../../api/values';
import { accountId, notice } from '../fields';
import type { Item, Operation } from '../operation';

/** A transfer of this execution. */
interface Sent {
	key: string;
	/** Which item of which run of a node: the same whenever n8n repeats it. */
	sender: string;
	/** API, accounts and amount. */
	transfer: string;
	/** When it was first sent, in milliseconds since 1970. */
	sentAt: number;
	state: 'sending' | 'refused' | 'unknown' | 'completed';
	/** With `amount` and `currency`. */
	response?: Transfer & { moneyMoved: string };
}

const isJournal = (value: unknown): value is Sent[] => Array.isArray(value);

/** The journals of calls without an execution (MCP Server Trigger), by the object that n8n's attempts at a call share. */
const callContexts = new WeakMap<object, IDataObject>();

/** The transfers of an execution. n8n keeps them for its retries. */
function openJournal(context: IExecuteFunctions): Sent[] {
	const call = context.getExecuteData();
	const kept = context.getExecutionId()
		? context.getContext('flow')
		: (callContexts.get(call) ?? {});
	callContexts.set(call, kept);
	const { cardPlatformTransfers: journal } = kept;
	return isJournal(journal) ? journal : (kept.cardPlatformTransfers = []);
}

const TOOL = 'tool';

/** n8n gives the calls of a tool another index in each attempt: only the key shows what is repeated. */
function senderOf(context: IExecuteFunctions, index: number): string {
	const { name, type } = context.getNode();
	if (type.endsWith('Tool')) return TOOL;
	return `${name} ${context.getWorkflowDataProxy(index).$runIndex}/${index}`;
}

/** What JavaScript writes for a value that is missing, as in {{ 'INV-' + $json.invoice }}. */
const MISSING =
	/undefined|(^|[^A-Za-z])(null|NaN|Infinity|None)([^A-Za-z]|$)|\[object |Invalid Date|#(N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!)|^N\/A$|^\d[.\d]*E\+\d+$/;

/** What may differ when n8n, or a person, repeats a payment: the time, and the place in a list. */
const CHANGES_WITH_EACH_ATTEMPT =
	/\$(execution|itemIndex|now|position|runIndex)|DateTime\.(now|local|utc)\(|\bDate(\.now|\(\))|Math\.random|random(UUID|Item)/;

/** The time of now, to the hour at the finest: a retry gives the same. */
const COARSE_NOW =
	/(\$now|DateTime\.(now|local|utc)\([^()]*\))(\.\w+\([^()]*\))*\.(toISODate\([^()]*\)|(toF|f)ormat\((['"])[^'"fFmsStTuxX]*\6\)|(year|quarter|month|week|day)\w*|startOf\(['"](year|quarter|month|week|day)['"]\)(\.\w+\([^()]*\))*)/g;

const isUsable = (value: unknown): boolean =>
	typeof value === 'string' ? !isBlank(value) && !MISSING.test(value) : Number.isSafeInteger(value);

/**
 * Reads the key, which must differ for each payment, and be the same whenever n8n repeats one.
 *
 * @throws UserError for a value that several payments could share
 */
function readKey({ context, index, get }: Item): string {
	const raw = context.getNode().parameters.idempotencyKey;
	const expression = typeof raw === 'string' && raw.startsWith('=') ? raw : '';
	const [changing] = CHANGES_WITH_EACH_ATTEMPT.exec(expression.replace(COARSE_NOW, '')) ?? [];
	if (changing !== undefined) {
		throw new UserError(
			`Idempotency Key can differ in another attempt (${changing}), so the transfer was not sent`,
			'A retry would have another key, and pay again. Use a value of the payment instead, e.g. {{ $json.invoiceNumber }}.',
		);
	}
	const value = get(keyField);
	if (isBlank(value)) throw emptyField('Idempotency Key');
	// n8n leaves out what a part of the key does not find: INV-{{ $json.invoice }} is "INV-".
	const parts = ExpressionParser.splitExpression(expression)
		.filter(({ type }) => type === 'code')
		.map(({ text }): unknown => context.evaluateExpression(`{{${text}}}`, index));
	const key = String(value).trim();
	// Only characters that a header carries unchanged: two keys must never become one.
	if ([value, ...parts].every(isUsable) && /^[\x20-\x7e]{1,255}$/.test(key)) return key;
	throw new UserError(
		`Idempotency Key has no usable value for this item, so the transfer was not sent: ${quoteValue(value)}`,
		'Use a value that every item has, such as {{ $json.invoiceNumber }}: 1 to 255 ASCII characters (letters, digits, punctuation). Put a number of more than 15 digits in quotes in the JSON that it comes from, as JavaScript rounds it.',
	);
}

const notTransferred = (why: string) =>
	new UserError(
		`${why}, so this transfer was not made`,
		'Set "Idempotency Key" to a value that is unique to this payment and does not change, such as an invoice number. For two transfers from one item, add a suffix: {{ $json.invoiceNumber }}-fee. If two items are the same payment, put a Remove Duplicates node before this one.',
	);

const stillUnknown = (key: string) =>
	new UserError(
		`The outcome of the transfer with Idempotency Key ${quoteValue(key)} is still not known, so this one was not sent`,
		'Check in the dashboard. Do not change the key: with another one, the same payment could be made twice. If it was not made, choose Executions → Retry, or start the workflow again with the same key.',
	);

const movedElsewhere = (key: string, from: number, to: number) =>
	new UserError(
		`It is not known whether this transfer was made: the API reports one from account ${from} to ${to} for its Idempotency Key ${quoteValue(key)}`,
		'Check in the dashboard what was moved. Do not send it again with another key before you know.',
		undefined,
		{ idempotencyKey: key },
	);

/**
 * Finds out whether a transfer was made since it was first sent (§4.2), by the API's clocks alone. They count seconds,
 * and may differ. A time without an offset says nothing.
 */
function whenMoved({ createdAt }: Transfer, date: unknown, elapsed: number): string {
	const areTimes = /(Z|[+-]\d\d:\d\d)$/i.test(createdAt) && String(date).endsWith(' GMT');
	// From when it was made to when it was first sent; NaN is neither.
	const age = areTimes ? Date.parse(String(date)) - elapsed - Date.parse(createdAt) : NaN;
	if (age > API_CLOCKS_DIFFER_MS) return 'earlier';
	return age <= 1_000 && age + elapsed >= -API_CLOCKS_DIFFER_MS ? 'now' : 'unknown';
}

const MADE_EARLIER =
	'By the clocks of the API, no money was moved now for items with moneyMoved "earlier": a transfer with their Idempotency Key was made before. Check in the dashboard before you pay with another key. Unless the API returned it, their amount is that of this request.';

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

const keyField = text(
	{
		displayName: 'Idempotency Key',
		name: 'idempotencyKey',
		required: true,
		placeholder: 'e.g. {{ $json.invoiceNumber }}',
		description:
			"What makes this payment unique: an invoice number, or the ID of the event. With topup-{{ $now.toFormat('yyyy-MM') }}, a second run in the same month repeats the payment of the month. Repeats move no money as long as the API remembers the key: ask your provider how long that is.",
	},
	(value) => value,
);

/** POST /accounts/{account-id}/transfers (§4.2). */
export const transfer: Operation = {
	value: 'transfer',
	name: 'Transfer',
	action: 'Transfer real money between accounts',
	description: 'Move money between two accounts of the customer',
	effect: 'ordered',
	returns: z
		.object({ moneyMoved: z.string(), amount: z.string(), currency: z.string() })
		.extend({ ...transferSchema.shape, idempotencyKey: z.string() }),
	fields: [
		notice('transferNotice', 'Moves real money, in USD. Needs a customer-scoped key.'),
		notice(
			'transferKeyNotice',
			'One transfer per Idempotency Key, even after retries, as long as the API remembers the key. The platform decides later whether it succeeds: check its status.',
		),
		fromAccount,
		toAccount,
		amountField,
		keyField,
	],
	async run(api, item) {
		const { context, index, get } = item;
		const from = get(fromAccount);
		const to = get(toAccount);
		if (from === to) {
			throw new UserError(
				`Both accounts are the same: ${from}`,
				'Choose two different accounts for "From Account ID" and "To Account ID".',
			);
		}
		const amount = get(amountField);
		const key = readKey(item);

		const sender = senderOf(context, index);
		const transfer = `${api.config.baseUrl} ${from} ${to} ${amount}`;
		const journal = openJournal(context);
		const earlier = journal.filter(({ state }) => state !== 'refused');
		const known = earlier.find((each) => each.key === key);
		if (known !== undefined && (known.sender !== sender || known.transfer !== transfer)) {
			if (known.state !== 'completed') throw stillUnknown(key);
			throw notTransferred(
				`The Idempotency Key ${quoteValue(key)} was already used in this execution for another item, amount, account or Base URL`,
			);
		}
		// A tool has no items: until the outcome is known, an equal transfer under another key may be the same payment.
		const isSame = (each: Sent) =>
			sender === TOOL
				? each.transfer === transfer && each.state === 'unknown'
				: each.sender === sender;
		const other = earlier.find((each) => each.key !== key && isSame(each))?.key;
		if (other !== undefined) {
			if (sender === TOOL) throw stillUnknown(other);
			throw notTransferred(
				`This item was already sent with the Idempotency Key ${quoteValue(other)}`,
			);
		}

		const sent: Sent = known ?? { key, sender, transfer, sentAt: Date.now(), state: 'sending' };
		if (known === undefined) journal.push(sent);
		// Of two calls at once, a refusal of one says nothing about the other.
		else if (sent.state === 'sending') sent.state = 'unknown';
		const path = `/accounts/${from}/transfers`;
		const payload = { body: { amount, toAccountId: to }, headers: { 'Idempotency-Key': key } };
		const send = async () => {
			const { data, response } = await api.mutate('POST', path, payload, transferSchema);
			// An earlier request may have made it.
			const since = known === undefined ? 0 : Date.now() - sent.sentAt;
			const elapsed = Math.max(since, response.elapsed ?? 0);
			const moneyMoved = whenMoved(data, response.headers?.date, elapsed);
			return { moneyMoved, amount, currency: 'USD', ...data };
		};
		const response =
			sent.response ??
			(await send().catch((error: unknown) => {
				// Another call may have made it in the meantime.
				if (sent.response !== undefined) return sent.response;
				// An earlier request may have made it, even if this one was refused.
				const isRefused =
					error instanceof UserError && !error.outcomeUnknown && sent.state === 'sending';
				sent.state = isRefused ? 'refused' : 'unknown';
				if (isRefused) throw error;
				throw new UserError(
					`It is not known whether the transfer with Idempotency Key ${key} was made: ${error instanceof Error ? error.message : String(error)}`,
					`Check in the dashboard whether ${amount} USD moved from account ${from} to account ${to}. To send it again safely, choose Executions → Retry, or start the workflow again with the same key, accounts and amount: it is made at most once, as long as the API remembers the key.`,
					error instanceof UserError ? error.httpCode : undefined,
					{ idempotencyKey: key },
				);
			}));
		const { fromAccountId, toAccountId } = response;
		if (fromAccountId !== from || toAccountId !== to) {
			// An earlier transfer is another payment. One of now may be this one.
			sent.state = response.moneyMoved === 'earlier' ? 'refused' : 'unknown';
			if (sent.state === 'unknown') throw movedElsewhere(key, fromAccountId, toAccountId);
			throw notTransferred(
				`The Idempotency Key ${quoteValue(key)} was already used for a transfer from ${fromAccountId} to ${toAccountId}`,
			);
		}
		// This call of a tool was made already, perhaps by another one at the same time.
		const isRepeated = sender === TOOL && sent.state === 'completed';
		Object.assign(sent, { state: 'completed', response });
		const moneyMoved = isRepeated ? 'earlier' : response.moneyMoved;
		if (moneyMoved === 'earlier') api.report(MADE_EARLIER, 'warning');
		return { ...response, moneyMoved, idempotencyKey: key };
	},
};
