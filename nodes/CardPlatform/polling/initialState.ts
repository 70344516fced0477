import { MAX_CLOCK_DIFFERENCE_MS } from '../api/assumptions';
import type { CardEventSource } from '../cardEvents/source';
import type { PollSettings } from './settings';
import { type PollingState, shortHash } from './state';

/** Tells whether a poll continues from a state: not if it is for another API or another Start From. */
export function isContinued(state: PollingState, { baseUrl, startFrom }: PollSettings): boolean {
	// Once all past events have come, Start From can be removed without a change.
	const isSameStart =
		startFrom === '' ? state.baseline?.start === undefined : startFrom === state.startFrom;
	return isSameStart && state.baseUrl === baseUrl;
}

/**
 * Makes the state of a trigger that has not polled yet. Without Start From, lists the newest
 * transactions: those are old, and others that turn up in the first round are new.
 */
export async function createInitialState(
	source: CardEventSource,
	{ nodeId, baseUrl, startFrom, start, lookBack, now }: PollSettings,
): Promise<PollingState> {
	const createdAt = now();
	const since = createdAt - MAX_CLOCK_DIFFERENCE_MS;
	const listed =
		start === undefined ? await source.transactions({ from: since }, Infinity) : undefined;
	const known = new Set(listed?.transactions.map(({ id }) => shortHash(id)));
	const horizon = Math.min(start ?? createdAt, createdAt - lookBack, since);
	return {
		version: 1,
		nodeId,
		baseUrl,
		startFrom,
		horizon,
		cursor: horizon,
		processedTransactions: new Set(),
		baseline: { start, since, known },
		cards: new Map(),
		unread: new Map(),
		recheckedAt: createdAt,
		relisted: { at: createdAt, to: horizon },
		emitted: [],
	};
}
