import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { transferSchema } from '../../api/schemas';
import { UserError } from '../../api/userError';
import { quoteValue } from '../../api/values';

const recordSchema = z.object({
	/** Which item it is: the same whenever n8n runs it again. */
	position: z.string(),
	key: z.string(),
	/** API, accounts and amount: another string is another transfer. */
	transfer: z.string(),
	/** When it was first sent, in milliseconds since 1970. */
	sentAt: z.number(),
	/** Once it is completed; until then, its outcome is unknown. */
	response: transferSchema.optional(),
});

/** A transfer that was sent, and not refused by the API. */
export type SentTransfer = z.infer<typeof recordSchema>;

/** The execution in which a node first ran: in a retry, the one that it retries. */
const originSchema = z.object({ executionId: z.string().optional(), mode: z.string() });

export type Origin = z.infer<typeof originSchema>;

/** What has been sent in an execution, and in those that it retries. */
const journalSchema = z.object({
	/** By node ID. A node that has none may have sent anything in an execution that is retried. */
	origins: z.record(z.string(), originSchema),
	records: z.array(recordSchema),
});

export type Journal = z.infer<typeof journalSchema>;

/** The journals of running executions, so that each is parsed once. */
const journals = new WeakMap<object, Journal>();

/** Opens the journal, which n8n keeps in the execution's data for all nodes and for retries. */
function openJournal(context: IExecuteFunctions): Journal {
	// Without an execution (MCP Server Trigger), it lasts for n8n's attempts at one call.
	const kept = context.getExecutionId() ? context.getContext('flow') : undefined;
	const owner = kept ?? context.getExecuteData();
	const open = journals.get(owner);
	if (open !== undefined) return open;
	const parsed = journalSchema.safeParse(kept?.cardPlatformTransfers);
	const journal = parsed.data ?? { origins: {}, records: [] };
	if (kept !== undefined) kept.cardPlatformTransfers = journal;
	journals.set(owner, journal);
	return journal;
}

/** Opens the journal, and finds the execution in which this node first ran. */
export function enterJournal(context: IExecuteFunctions): { journal: Journal; origin: Origin } {
	const journal = openJournal(context);
	const { id } = context.getNode();
	const origin = (journal.origins[id] ??= {
		executionId: context.getExecutionId(),
		mode: context.getMode(),
	});
	return { journal, origin };
}

/**
 * Finds or adds the record of a transfer that is about to be sent.
 *
 * @param isDerived whether the node has created the key
 * @returns the record, and whether the item was sent before
 * @throws UserError if the item was sent as another transfer, or if this could be the second attempt at a
 * transfer of another item
 */
export function recordTransfer(
	{ records }: Journal,
	{ position, key, transfer }: Pick<SentTransfer, 'position' | 'key' | 'transfer'>,
	isDerived: boolean,
): { record: SentTransfer; wasSent: boolean } {
	const earlier = records.find((record) => record.position === position);
	if (earlier?.key === key && earlier.transfer === transfer)
		return { record: earlier, wasSent: true };
	if (earlier !== undefined) {
		throw new UserError(
			`This item was already sent with Idempotency Key ${earlier.key}, so it was not sent again with another Base URL, other accounts, another amount or another key`,
			'Check whether that transfer was made. To repeat it safely, retry the execution with the original Base URL, accounts, amount and "Idempotency Key" of this item. To make another transfer, start a new execution, or, for a tool, use another key.',
		);
	}
	for (const other of records) {
		const isUnknown = other.response === undefined && other.transfer === transfer;
		if (isUnknown && (isDerived || other.key === key)) throw secondAttempt(other.key);
		if (other.key === key) throw sharedKey(key);
	}
	const record = { position, key, transfer, sentAt: Date.now() };
	records.push(record);
	return { record, wasSent: false };
}

/** Removes a transfer that was not made: the item may be sent as something else. */
export function removeTransfer(journal: Journal, record: SentTransfer): void {
	journal.records = journal.records.filter((other) => other !== record);
}

const secondAttempt = (idempotencyKey: string) =>
	new UserError(
		`The transfer was not sent: it is not known whether an equal transfer was already made with Idempotency Key ${idempotencyKey}`,
		`Check in the dashboard whether it was made. To repeat that transfer, run it alone with the option "Idempotency Key" set to ${idempotencyKey}: it is made at most once, as long as the API remembers the key. To make another transfer, set the option to a value that is unique to the other transfer.`,
		undefined,
		{ idempotencyKey },
	);

const sharedKey = (key: string) =>
	new UserError(
		`Another transfer of this execution has the Idempotency Key ${quoteValue(key)}, so this one was not sent`,
		'Each transfer needs a different key: set "Idempotency Key" to a value that is unique to this transfer, such as an invoice number, or add a suffix: {{ … }}-fee, or {{ … }}-{{ $itemIndex }}. If two items are the same payment, put a Remove Duplicates node before this one.',
	);
