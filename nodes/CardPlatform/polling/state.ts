import { createHash } from 'node:crypto';

import { z } from 'zod';

import { MAX_CLOCK_DIFFERENCE_MS } from '../api/assumptions';
import { isDataObject } from '../api/json';
import { UserError } from '../api/userError';
import type { CardEventSource } from '../cardEvents/source';
import type { PollSettings } from './settings';

/** Characters of a {@link shortHash}. */
const HASH_LENGTH = 8;

/**
 * Longest state, in characters as n8n stores it: it is written with each execution, and read with the
 * workflow. Enough for 10,000 cards with 40 events each in Look Back.
 */
export const MAX_STATE_LENGTH = 4_000_000;

/**
 * Shortens a string to 48 bits, so that the state stays small. It is only compared with those of one
 * card, or of the last hour, so two of 2 000 have the same hash once in 10⁸ times.
 */
export const shortHash = (text: string): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);

/** What the trigger knows of a card. */
export interface KnownCard {
	/** When its newest transaction was created, in milliseconds since 1970. */
	latest: number;
	/** Hashes of its events since the horizon that are no longer new. */
	seen: Set<string>;
}

const time = z.number().finite();

const EACH_HASH = new RegExp(`.{${HASH_LENGTH}}`, 'g');

const hashes = z.string().transform((joined) => new Set(joined.match(EACH_HASH) ?? []));

const knownCard = z
	.tuple([z.string(), time, hashes])
	.transform(([cardId, latest, seen]): [string, KnownCard] => [cardId, { latest, seen }]);

const stateSchema = z.object({
	version: z.literal(1),
	/** ID of the node; n8n stores the state under its name, which another node can get. */
	nodeId: z.string(),
	/** The API that was polled; another one has other cards. */
	baseUrl: z.string(),
	/** Start From as it was typed; a change starts afresh. */
	startFrom: z.string(),
	/** Events of earlier transactions are not looked at. Never moves back. */
	horizon: time,
	/** All transactions up to here have been read, by the clock of the API. */
	cursor: time,
	/** Hashes of the transactions since shortly before the cursor that need no second look. */
	processedTransactions: hashes,
	/** Until every card has been visited once: which events are older than the trigger. */
	baseline: z
		.object({
			/** Start From; without it, what is there already is old. */
			start: time.optional(),
			/** Transactions since then are new, except the known ones, hashed. */
			since: time,
			known: hashes,
		})
		.optional(),
	/** Cards by ID, the one whose visit is longest ago first. */
	cards: z.array(knownCard).transform((cards) => new Map(cards)),
	/** Cards to visit in each poll until that succeeds, and when their failure was last reported. */
	unread: z.array(z.tuple([z.string(), time])).transform((unread) => new Map(unread)),
	/** Up to when all rechecks that were due have been made. */
	recheckedAt: time,
	/** When old transactions were last listed again, and those up to when. */
	relisted: z.object({ at: time, to: time }),
	/** Events of the newest poll that emitted some: card, hash. */
	emitted: z.array(z.tuple([z.string(), z.string()])),
});

/** What the trigger keeps between polls; all moments in milliseconds since 1970. */
export type PollingState = z.output<typeof stateSchema>;

/** The same as n8n stores it. */
export type StoredState = z.input<typeof stateSchema>;

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

const join = (set: ReadonlySet<string>): string => [...set].join('');

/** Puts a state into the form in which n8n stores it. */
export const encodeState = (state: PollingState): StoredState => ({
	...state,
	processedTransactions: join(state.processedTransactions),
	baseline: state.baseline && { ...state.baseline, known: join(state.baseline.known) },
	cards: [...state.cards].map(([cardId, { latest, seen }]) => [cardId, latest, join(seen)]),
	unread: [...state.unread],
});

/**
 * Reads the stored state; the result is a copy.
 *
 * @param stored as n8n gives it; undefined or null before the first poll
 * @returns undefined if the node has not polled yet
 * @throws UserError if it is not a state that this version wrote
 */
export function decodeState(stored: unknown, nodeId: string): PollingState | undefined {
	if (stored === undefined || stored === null) return undefined;
	const storedBy = isDataObject(stored) ? stored.nodeId : undefined;
	if (typeof storedBy === 'string' && storedBy !== nodeId) return undefined;
	const parsed = stateSchema.safeParse(stored);
	if (parsed.success) return parsed.data;
	throw new UserError(
		'What the trigger has stored cannot be read',
		'A newer version of this node may have stored it. Install that version again, or replace the trigger with a new one and set Start From to the time of the last event that you have.',
	);
}

/**
 * Checks that a state is not too long to be stored.
 *
 * @returns its share of the maximum length, at most 1
 * @throws UserError that names the option to change. The stored state is then the last one that was short
 * enough, and once Look Back is shorter, the next poll's is shorter than that.
 */
export function shareOfMaximum(state: StoredState, maximum = MAX_STATE_LENGTH): number {
	const { length } = JSON.stringify(state);
	if (length <= maximum) return length / maximum;
	throw new UserError(
		`Too many cards and events to track: ${length} characters, of at most ${maximum}`,
		'Lower "Look Back (Days)", so that the trigger tracks fewer cards and events. The next poll finds the new events of transactions within these days.',
	);
}
