import {
	ExpressionParser,
	type IDataObject,
	type IExecuteFunctions,
	type NodeExecutionHint,
} from 'n8n-workflow';
import { z } from 'zod';

import { EARLIER_TRANSFER_MS } from '../../api/assumptions';
import { isDataObject } from '../../api/json';
import { type Transfer, transferSchema } from '../../api/schemas';
import { UserError } from '../../api/userError';
import { emptyField, isBlank, quoteValue } from '../../api/values';
import { accountId, notice } from '../fields';
import type { Operation } from '../operation';

const sentSchema = z.object({
	/** Which item of which run of a node: the same whenever n8n repeats it. */
	sender: z.string(),
	/** API, accounts and amount. */
	transfer: z.string(),
	/** When it was first sent, in milliseconds since 1970. */
	sentAt: z.number(),
	/** Absent while it is not known whether the transfer was made. */
	response: transferSchema.optional(),
});

/** For calls without an execution (MCP Server Trigger): what n8n's attempts at one call have in common. */
const journals = new WeakMap<object, IDataObject>();

/** The transfers of an execution by key, and the key of each item. n8n keeps them for its retries. */
function openJournal(context: IExecuteFunctions): IDataObject {
	if (context.getExecutionId()) {
		const flow = context.getContext('flow');
		const { cardPlatformTransfers: kept } = flow;
		return isDataObject(kept) ? kept : (flow.cardPlatformTransfers = {});
	}
	const call = context.getExecuteData();
	const journal = journals.get(call) ?? {};
	journals.set(call, journal);
	return journal;
}

const TOOL = 'tool';

/** n8n gives the calls of a tool another index in each attempt: only the key shows what is repeated. */
function senderOf(context: IExecuteFunctions, index: number): string {
	const { id, name, type } = context.getNode();
	if (type.endsWith('Tool') || context.getExecuteData().node.id !== id) return TOOL;
	return `${id} ${name} ${context.getWorkflowDataProxy(index).$runIndex}/${index}`;
}

/** What JavaScript writes for a value that is missing, as in {{ 'INV-' + $json.invoice }}. */
const MISSING = /undefined|(^|[^A-Za-z])(null|NaN|Infinity)([^A-Za-z]|$)|\[object |Invalid Date/;

const isUsable = (value: unknown): boolean =>
	typeof value === 'string' ? !isBlank(value) && !MISSING.test(value) : Number.isSafeInteger(value);

/**
 * Reads the key, which must differ for each payment, and be the same whenever n8n repeats one.
 *
 * @throws UserError for a value that several payments could share
 */
function readKey(context: IExecuteFunctions, index: number): string {
	const raw = context.getNode().parameters.idempotencyKey;
	const expression = typeof raw === 'string' && raw.startsWith('=') ? raw.slice(1) : '';
	if (expression.includes('$execution')) {
		throw new UserError(
			'Idempotency Key refers to the execution, so the transfer was not sent',
			'Executions → Retry has another execution ID, and would pay again. Use a value of the payment instead, e.g. {{ $json.invoiceNumber }}.',
		);
	}
	const value: unknown = context.getNodeParameter('idempotencyKey', index);
	if (isBlank(value)) throw emptyField('Idempotency Key');
	// n8n leaves out what a part of the key does not find: INV-{{ $json.invoice }} is "INV-".
	const parts = ExpressionParser.splitExpression(expression)
		.filter(({ type }) => type === 'code')
		.map(({ text }): unknown => context.evaluateExpression(`{{${text}}}`, index));
	const key = String(value).trim();
	// What a header can carry as it stands, so that two keys never become one.
	if ([value, ...parts].every(isUsable) && /^[\x20-\x7e]{1,255}$/.test(key)) return key;
	throw new UserError(
		`Idempotency Key has no usable value for this item, so the transfer was not sent: ${quoteValue(value)}`,
		'Use a value that every item has, such as {{ $json.invoiceNumber }}: 1 to 255 ASCII characters (letters, digits, punctuation). Put a number of more than 15 digits in quotes in the JSON that it comes from, as JavaScript rounds it.',
	);
}

const notMade = (why: string) =>
	new UserError(
		`${why}, so this transfer was not made`,
		'Set "Idempotency Key" to a value that is unique to this payment and does not change, such as an invoice number. For two transfers from one item, add a suffix: {{ $json.invoiceNumber }}-fee. If two items are the same payment, put a Remove Duplicates node before this one.',
	);

const stillUnknown = (key: string) =>
	new UserError(
		`It is still not known whether the transfer with Idempotency Key ${key} was made, so this one was not sent`,
		'Check in the dashboard. Do not change the key: with another one, the same payment could be made twice. If it was not made, choose Executions → Retry, or start the workflow again with the same key.',
	);

/** Whether a transfer was made long before its request (§4.2). A time without an offset says nothing. */
const isOlder = ({ createdAt }: Transfer, sentAt: number): boolean =>
	/(Z|[+-]\d\d:\d\d)$/i.test(createdAt) && Date.parse(createdAt) < sentAt - EARLIER_TRANSFER_MS;

/** Says for how many items no money was moved now, as their keys had been used before. */
function describeEarlier(output: IDataObject[]): NodeExecutionHint | undefined {
	const items = [...output.keys()].filter((index) => output[index]?.isEarlierTransfer === true);
	if (items.length === 0) return undefined;
	return {
		message: `No money was moved now for ${items.length} of ${output.length} items, because transfers with their Idempotency Keys were made earlier. The first is item ${items[0]}.`,
		type: 'warning',
		location: 'outputPane',
	};
}

/** POST /accounts/{account-id}/transfers (§4.2). */
export const transfer: Operation = {
	value: 'transfer',
	name: 'Transfer',
	action: 'Transfer real money between accounts',
	description: 'Move money between two accounts of the customer',
	effect: 'ordered',
	fields: [
		notice('transferNotice', 'Moves real money, in USD. Needs a customer-scoped key.'),
		notice(
			'transferKeyNotice',
			'For each Idempotency Key, one transfer is made, however often n8n repeats it. The platform decides later whether it succeeds: see its status.',
		),
		accountId('From Account ID', 'The number of the account to take the money from'),
		{
			...accountId('To Account ID', 'The number of the account to send the money to'),
			name: 'toAccountId',
			placeholder: 'e.g. 1002',
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
		{
			displayName: 'Idempotency Key',
			name: 'idempotencyKey',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. {{ $json.invoiceNumber }}',
			description:
				"What makes this payment unique: an invoice number, or the ID of the event. For a monthly payment, topup-{{ $now.toFormat('yyyy-MM') }} pays once a month, however often it runs.",
		},
	],
	async run(api, item) {
		const { context, index } = item;
		const from = item.accountId('accountId');
		const to = item.accountId('toAccountId');
		if (from === to) {
			throw new UserError(
				`Both accounts are the same: ${from}`,
				'Choose two different accounts for "From Account ID" and "To Account ID".',
			);
		}
		const amount = item.amount('amount');
		const key = readKey(context, index);

		const journal = openJournal(context);
		const sender = senderOf(context, index);
		// With a prefix, so that no key is the name of a property that every object has.
		const transfer = `${api.config.baseUrl} ${from} ${to} ${amount}`;
		// A tool has no items: until the outcome is known, an equal transfer under another key may be the same payment.
		const [ofKey, ofItem] = [`key ${key}`, `item ${sender === TOOL ? transfer : sender}`];
		const known = sentSchema.safeParse(journal[ofKey]).data;
		if (known !== undefined && (known.sender !== sender || known.transfer !== transfer)) {
			if (known.response === undefined) throw stillUnknown(quoteValue(key));
			throw notMade(
				`The Idempotency Key ${quoteValue(key)} was already used in this execution for another item, amount, account or Base URL`,
			);
		}
		if ((journal[ofItem] ?? key) !== key) {
			if (sender === TOOL) throw stillUnknown(quoteValue(journal[ofItem]));
			throw notMade(
				`This item was already sent with the Idempotency Key ${quoteValue(journal[ofItem])}`,
			);
		}

		const sent = known ?? { sender, transfer, sentAt: Date.now() };
		const record = (value: IDataObject | undefined) =>
			Object.assign(journal, {
				[ofKey]: value,
				...(sender !== TOOL && { [ofItem]: value && key }),
			});
		record(sent);
		const send = async () =>
			await api.mutate(
				'POST',
				`/accounts/${from}/transfers`,
				{ body: { amount, toAccountId: to }, headers: { 'Idempotency-Key': key } },
				{ schema: transferSchema, name: 'a transfer' },
			);
		const response =
			sent.response ??
			(await send().catch((error: unknown) => {
				// What was sent before may have been made then, even if it is refused now.
				if (error instanceof UserError && !error.outcomeUnknown && known === undefined) {
					record(undefined);
					throw error;
				}
				if (sender === TOOL) journal[ofItem] = key;
				throw new UserError(
					`It is not known whether the transfer with Idempotency Key ${key} was made: ${error instanceof Error ? error.message : String(error)}`,
					`Check in the dashboard whether ${amount} USD moved from account ${from} to account ${to}. To send it again safely, choose Executions → Retry, or start the workflow again with the same key, accounts and amount: it is made at most once, as long as the API remembers the key.`,
					error instanceof UserError ? error.httpCode : undefined,
					{ idempotencyKey: key },
				);
			}));
		const { fromAccountId, toAccountId } = response;
		if (fromAccountId !== from || toAccountId !== to) {
			record(undefined);
			throw notMade(
				`The Idempotency Key ${quoteValue(key)} was already used for a transfer from ${fromAccountId} to ${toAccountId}`,
			);
		}
		// A call of a tool that was made already, also by one at the same time.
		const isRepeated =
			sender === TOOL && sentSchema.safeParse(journal[ofKey]).data?.response !== undefined;
		record({ ...sent, response });
		if (sender === TOOL && journal[ofItem] === key) journal[ofItem] = undefined;
		return {
			...response,
			idempotencyKey: key,
			isEarlierTransfer: isRepeated || isOlder(response, sent.sentAt),
		};
	},
	describeOutput: describeEarlier,
};
