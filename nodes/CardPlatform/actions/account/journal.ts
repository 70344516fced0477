import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Transfer } from '../../api/schemas';
import { UserError } from '../../api/userError';
import { quoteValue } from '../../api/values';

export type Made = Transfer & { moneyMoved: string };

/** A transfer of this execution. */
export interface Sent {
	key: string;
	/** Which item of which run of a node: the same whenever n8n repeats it. */
	sender: string;
	/** API, accounts and amount. */
	transfer: string;
	/** When it was first sent, in milliseconds since 1970. */
	sentAt: number;
	state: 'sending' | 'refused' | 'unknown' | 'completed';
	response?: Made;
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

/** The sender of every call of a tool: n8n gives a call another index in each attempt, so only the key shows what is repeated. */
export const TOOL = 'tool';

/** Whether an agent, or the MCP Server Trigger, runs nodes of this type. */
export const isToolType = (type: string): boolean => type.endsWith('Tool');

function senderOf(context: IExecuteFunctions, index: number): string {
	const { name, type } = context.getNode();
	return isToolType(type)
		? TOOL
		: `${name} ${context.getWorkflowDataProxy(index).$runIndex}/${index}`;
}

/** The error for a transfer whose key was used for another one. */
export const notTransferred = (why: string) =>
	new UserError(
		`${why}, so this transfer was not made`,
		'Set "Idempotency Key" to a value that is unique to this payment and does not change, such as an invoice number. For two transfers from one item, add a suffix: {{ $json.invoiceNumber }}-fee. If two items are the same payment, put a Remove Duplicates node before this one.',
	);

const KEEP_KEY =
	'Repeat the transfer only with this key: with another one, the money could move twice. If the key has changed since, enter the old one as fixed text, and choose Executions → Retry. With several items, enter only the part that changed, such as the date.';

const stillUnknown = (key: string) =>
	new UserError(
		`Not sent: the outcome of the transfer with Idempotency Key ${quoteValue(key)} is unknown`,
		`Check in the dashboard whether it was made. ${KEEP_KEY}`,
	);

/**
 * Enters a transfer into the journal before it is sent: one key for each item, and one item for each key. A transfer
 * that was refused may get another key.
 *
 * @returns its entry, with a response if it was completed before
 * @throws UserError if it may be another payment under this key, or the same one under another key
 */
export function enter(
	context: IExecuteFunctions,
	index: number,
	{ key, transfer }: Pick<Sent, 'key' | 'transfer'>,
): Sent {
	const sender = senderOf(context, index);
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
	const other = earlier.find((each) => each.key !== key && isSame(each));
	if (other !== undefined && other.state !== 'completed') throw stillUnknown(other.key);
	if (other !== undefined) {
		throw new UserError(
			`Not sent again: this item was already transferred with Idempotency Key ${quoteValue(other.key)}`,
			KEEP_KEY,
		);
	}
	const sent: Sent = known ?? { key, sender, transfer, sentAt: Date.now(), state: 'sending' };
	if (known === undefined) journal.push(sent);
	// Of two calls at once, a refusal of one says nothing about the other.
	else if (sent.state === 'sending') sent.state = 'unknown';
	return sent;
}
