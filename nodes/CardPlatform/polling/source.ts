import type { CardFinancialEvent } from '../api/event';

/** A transaction, as far as polling needs it. */
export interface ListedTransaction {
	id: string;
	cardId: string;
	/** Milliseconds since 1970. */
	createdAt: number;
	/** Changes with everything that polling compares; hashed. */
	fingerprint: string;
}

/** The API, as polling uses it. */
export interface PollSource {
	/**
	 * Lists transactions that were created in a range, both ends included, in any order (§4.8).
	 *
	 * @param limit transactions to get; Infinity for all
	 */
	transactions: (
		range: { from: number; to?: number },
		limit: number,
	) => Promise<{ transactions: ListedTransaction[]; isComplete: boolean }>;
	/** Lists all events of a card, newest first (§4.6). */
	events: (cardId: string) => Promise<CardFinancialEvent[]>;
	/** Runs a task for each item, several at the same time; starts none after a failure. */
	mapConcurrent: <T>(items: readonly T[], task: (item: T) => Promise<void>) => Promise<unknown>;
	/** Tells whether a failure means that the API limits the rate. */
	isRateLimit: (error: unknown) => boolean;
}
