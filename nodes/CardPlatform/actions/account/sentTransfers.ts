import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { transferSchema } from '../../api/schemas';

const recordSchema = z.object({
	key: z.string(),
	/** Accounts and amount as one string: another string is another transfer. */
	transfer: z.string(),
	/** When it was first sent, in milliseconds since 1970. */
	sentAt: z.number(),
	outcome: z.enum(['sent', 'unclear', 'made', 'refused']),
	/** Whether another item, call or execution had made it before, under the same key of the user. */
	isRepeat: z.boolean().optional(),
	/** The responses of the APIs that made it, by Base URL, so that it is not sent there again. */
	made: z.record(z.string(), transferSchema).optional(),
});

/** A transfer that was sent. */
export type SentTransfer = z.infer<typeof recordSchema>;

/** How an attempt ended. */
export type Outcome = Exclude<SentTransfer['outcome'], 'sent'>;

/** Records how an attempt ended. What an earlier attempt has made stays made. */
export function settle(record: SentTransfer, outcome: Outcome): void {
	if (record.outcome !== 'made') record.outcome = outcome;
}

const keptSchema = z.object({
	nodeId: z.string(),
	executionId: z.string(),
	/** By run index and item index, e.g. "0/3". */
	items: z.record(z.string(), recordSchema),
});

/** What a node has sent in an execution, and in those that it retries. */
export interface Journal {
	nodeId: string;
	/** The execution's ID; in a retry, that of the first one. */
	executionId: string;
	items: Record<string, SentTransfer>;
	/** Where each key was last sent. */
	places: Map<string, string>;
	/** False in a retry of an execution that left no journal: it may have sent anything. */
	isComplete: boolean;
	/** True once a transfer had an unclear outcome. */
	hasUnclear: boolean;
}

/** The journals of running executions, so that each is read once. */
const journals = new WeakMap<object, Journal>();

/**
 * Opens the journal of this node, which n8n keeps in the execution's data for its retries. A journal
 * that is not complete is not kept: a further retry could not tell what the first execution sent.
 */
export function openJournal(context: IExecuteFunctions): Journal {
	const kept = context.getContext('node');
	const open = journals.get(kept);
	if (open !== undefined) return open;

	const { id: nodeId } = context.getNode();
	const found = keptSchema.safeParse(kept.transfers);
	const inherited = found.success && found.data.nodeId === nodeId ? found.data : undefined;
	const data = inherited ?? { nodeId, executionId: context.getExecutionId(), items: {} };
	const isComplete = inherited !== undefined || context.getMode() !== 'retry';
	if (isComplete) kept.transfers = data;
	const hasUnclear = Object.values(data.items).some(({ outcome }) => outcome === 'unclear');
	const sent = Object.entries(data.items).filter(([, { outcome }]) => outcome !== 'refused');
	const places = new Map(sent.map(([place, { key }]) => [key, place]));
	const journal = { ...data, places, isComplete, hasUnclear };
	journals.set(kept, journal);
	return journal;
}

/** Keys that a process remembers; about 300 bytes each. */
const CAPACITY = 10_000;

/** How long it remembers one, in milliseconds. */
const MAX_AGE_MS = 12 * 3_600_000;

/**
 * The keys that this process has sent: those of the user, and those of tool calls. Nothing else
 * shows that a key was used for another amount, as the API's response has none (§2 Transfer), or that a
 * model repeats a call whose outcome is unclear.
 */
export class SentKeys {
	private readonly records = new Map<string, SentTransfer & { caller: string }>();

	/**
	 * Finds the transfer that was sent with a key and not refused.
	 *
	 * @param scope of the key: API and credential
	 */
	find(scope: string, key: string): SentTransfer | undefined {
		const record = this.records.get(`${scope} ${key}`);
		return record !== undefined && isCurrent(record) ? record : undefined;
	}

	/** Finds a transfer whose outcome is unclear, among those of a caller: workflow and node. */
	findUnclear(caller: string, transfer: string): SentTransfer | undefined {
		return [...this.records.values()].find(
			(record) =>
				record.caller === caller &&
				record.transfer === transfer &&
				record.outcome === 'unclear' &&
				isCurrent(record),
		);
	}

	/** Remembers a transfer that is about to be sent; the oldest is forgotten. */
	add(
		scope: string,
		caller: string,
		sent: Pick<SentTransfer, 'key' | 'transfer' | 'sentAt'>,
	): SentTransfer {
		const record = { ...sent, outcome: 'sent' as const, caller };
		const id = `${scope} ${sent.key}`;
		// A map keeps the place of what it holds already.
		this.records.delete(id);
		this.records.set(id, record);
		const [oldest] = this.records.keys();
		if (this.records.size > CAPACITY && oldest !== undefined) this.records.delete(oldest);
		return record;
	}
}

const isCurrent = ({ outcome, sentAt }: SentTransfer): boolean =>
	outcome !== 'refused' && Date.now() - sentAt < MAX_AGE_MS;
