import type { IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';
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

const journalSchema = z.object({
	/** By {@link nodeIdentity}, the execution in which it first ran: for a retry, the one that it retries. */
	origins: z.record(z.string(), z.object({ executionId: z.string().optional(), mode: z.string() })),
	records: z.array(recordSchema),
});

/** What has been sent in an execution, and in those that it retries. */
export type Journal = z.infer<typeof journalSchema>;

/** Transfers that are being sent now: an agent may call a tool several times at once. */
export const inFlight = new WeakSet<SentTransfer>();

/** The journals of running executions, so that each is parsed once. */
const journals = new WeakMap<object, Journal>();

/** Tells a node from all others of a workflow. Copied workflow files can have several nodes with one ID. */
export function nodeIdentity(context: IExecuteFunctions): string {
	const { id, name } = context.getNode();
	return `${id} ${name}`;
}

/** The mode of the execution. An agent's workflow tool may run a sub-workflow in mode `manual` (n8n 2.41). */
export function modeOf(context: IExecuteFunctions): WorkflowExecuteMode {
	const origin = 'getExecutionContext' in context ? context.getExecutionContext() : undefined;
	return origin?.triggerNode?.type === 'n8n-nodes-base.executeWorkflowTrigger'
		? 'integrated'
		: context.getMode();
}

/** Opens the journal, which n8n keeps in the execution's data for all nodes and for retries. */
export function openJournal(context: IExecuteFunctions): Journal {
	const executionId = context.getExecutionId();
	// Without an execution (MCP Server Trigger), it lasts for n8n's attempts at one call.
	const kept = executionId ? context.getContext('flow') : undefined;
	const owner = kept ?? context.getExecuteData();
	const journal = journals.get(owner) ??
		journalSchema.safeParse(kept?.cardPlatformTransfers).data ?? { origins: {}, records: [] };
	journal.origins[nodeIdentity(context)] ??= { executionId, mode: modeOf(context) };
	if (kept !== undefined) kept.cardPlatformTransfers = journal;
	journals.set(owner, journal);
	return journal;
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
	if (earlier !== undefined && (earlier.key !== key || earlier.transfer !== transfer)) {
		throw new UserError(
			`This item was already sent with Idempotency Key ${earlier.key}, so it was not sent again with another Base URL, other accounts, another amount or another key`,
			'Check whether that transfer was made. To repeat it safely, retry the execution with the original Base URL, accounts, amount and "Idempotency Key" of this item. To make another transfer, start a new execution, or, for a tool, use another key.',
		);
	}
	if (earlier !== undefined) {
		if (inFlight.has(earlier)) throw secondAttempt(key);
		return { record: earlier, wasSent: true };
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
