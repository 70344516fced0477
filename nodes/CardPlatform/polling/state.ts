import { createHash } from 'node:crypto';

import { z } from 'zod';

import { isDataObject } from '../api/json';
import { UserError } from '../api/userError';

/** Characters of a {@link hash}. */
const HASH_LENGTH = 8;

/**
 * Shortens a name to 48 bits, so that the state stays small. Names are only compared with those of
 * one card, or of the last hour, so two of 2 000 have the same hash once in 10⁸ times.
 */
export const hash = (name: string): string =>
	createHash('sha256').update(name).digest('base64url').slice(0, HASH_LENGTH);

/** Reads hashes that were written one after the other. */
export const toHashes = (text: string): Set<string> =>
	new Set(text.match(new RegExp(`.{${HASH_LENGTH}}`, 'g')) ?? []);

/**
 * Longest state, in characters as n8n stores it: it is written with each execution, and read with the
 * workflow. Enough for 10,000 cards with 40 events each in Look Back.
 */
export const MAX_STATE_LENGTH = 4_000_000;

/**
 * Checks that a state does not grow too long to be stored.
 *
 * @returns its share of the longest state, at most 1
 * @throws UserError that names the option to change. The stored state is then the last one that was short
 * enough, and once Look Back is shorter, the next poll's is shorter than that.
 */
export function shareOfLongest(state: StoredState, longest = MAX_STATE_LENGTH): number {
	const { length } = JSON.stringify(state);
	if (length <= longest) return length / longest;
	throw new UserError(
		`The trigger would have to remember too much: ${length} characters, of at most ${longest}`,
		'Lower "Look Back (Days)": the trigger then remembers fewer cards and events. No event has been lost; the next poll after the change finds them.',
	);
}

/** What the trigger knows of a card. */
export interface KnownCard {
	/** When its newest transaction was created, in milliseconds since 1970. */
	latest: number;
	/** Hashes of its events since the horizon that are no longer new. */
	seen: Set<string>;
}

const encodeCard = ({ latest, seen }: KnownCard): string => `${latest} ${[...seen].join('')}`;

function decodeCard(text: string): KnownCard {
	const [latest, seen = ''] = text.split(' ');
	return { latest: Number(latest), seen: toHashes(seen) };
}

const time = z.number().finite();

const stateSchema = z.object({
	version: z.literal(1),
	/** ID of the node; n8n stores the state under its name, which another node can get. */
	node: z.string(),
	/** The API that was polled; another one has other cards. */
	baseUrl: z.string(),
	/** Start From as it was typed; a change starts afresh. */
	startFrom: z.string(),
	/** Events of earlier transactions are not looked at. Never moves back. */
	horizon: time,
	/** All transactions up to here have been read, by the clock of the API. */
	cursor: time,
	/** Length of the range that is read together while behind, in milliseconds. */
	step: time,
	/** Fingerprints of the newest transactions, hashed: those that need no second look. */
	recent: z.string(),
	/** Until every card has been visited once: which events are older than the trigger. */
	first: z
		.object({
			/** Start From; without it, what is there already is old. */
			start: time.optional(),
			/** Transactions since then are new, except the known ones, hashed. */
			since: time,
			known: z.string(),
		})
		.optional(),
	/** Cards by ID, the one whose visit is longest ago first. */
	cards: z.record(z.string(), z.string()),
	/** Cards that the API failed for, and since when; or when that was reported. */
	failing: z.record(z.string(), time),
	/** Visits that are due; below 1 after a visit too many. */
	sweep: z.object({ at: time, due: time }),
	/** Where old transactions are listed again, in case one appeared late. */
	review: z.object({ at: time, from: time }),
	/** Events that were emitted of late, poll by poll: when, and their hashes by card. */
	emitted: z.array(z.object({ at: time, cards: z.record(z.string(), z.string()) })),
	/** The same of events that are still to be emitted again, as they may not have arrived. */
	repeating: z.record(z.string(), z.string()),
});

/** What the trigger keeps between polls, as n8n stores it; all moments in milliseconds since 1970. */
export type StoredState = z.infer<typeof stateSchema>;

/** The events that one poll has emitted. */
export interface Emission {
	/** When, in milliseconds since 1970. */
	at: number;
	/** Hashes of the events, by card. */
	cards: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The same while a poll works with it. */
export type PollingState = Omit<
	StoredState,
	'cards' | 'recent' | 'first' | 'emitted' | 'failing' | 'repeating'
> & {
	recent: Set<string>;
	first?: { start?: number; since: number; known: ReadonlySet<string> };
	cards: Map<string, KnownCard>;
	emitted: Emission[];
	failing: Map<string, number>;
	repeating: Map<string, ReadonlySet<string>>;
};

const mapValues = <A, B>(entries: Iterable<[string, A]>, change: (value: A) => B) =>
	[...entries].map(([key, value]): [string, B] => [key, change(value)]);

const join = (hashes: Iterable<string>): string => [...hashes].join('');

const encodeHashes = (cards: ReadonlyMap<string, ReadonlySet<string>>): Record<string, string> =>
	Object.fromEntries(mapValues(cards, join));

const decodeHashes = (cards: Record<string, string>): Map<string, Set<string>> =>
	new Map(mapValues(Object.entries(cards), toHashes));

/** Puts a state into the form in which n8n stores it. */
export const encodeState = (state: PollingState): StoredState => ({
	...state,
	recent: join(state.recent),
	first: state.first && { ...state.first, known: join(state.first.known) },
	cards: Object.fromEntries(mapValues(state.cards, encodeCard)),
	emitted: state.emitted.map(({ at, cards }) => ({ at, cards: encodeHashes(cards) })),
	failing: Object.fromEntries(state.failing),
	repeating: encodeHashes(state.repeating),
});

/**
 * Reads the stored state; the result is a copy.
 *
 * @param stored as n8n gives it; undefined or null before the first poll
 * @param node ID of the node
 * @returns undefined if the node has not polled yet
 * @throws UserError if it is not a state that this version wrote
 */
export function decodeState(stored: unknown, node: string): PollingState | undefined {
	if (stored === undefined || stored === null) return undefined;
	const isOfOther = isDataObject(stored) && typeof stored.node === 'string' && stored.node !== node;
	if (isOfOther) return undefined;
	const parsed = stateSchema.safeParse(stored);
	if (!parsed.success) {
		throw new UserError(
			'What the trigger has stored cannot be read',
			'A newer version of this node may have stored it. Install that version again, or replace the trigger with a new one and set Start From to the time of the last event that you have.',
		);
	}
	const { recent, first, cards, emitted, failing, repeating } = parsed.data;
	return {
		...parsed.data,
		recent: toHashes(recent),
		first: first && { ...first, known: toHashes(first.known) },
		cards: new Map(mapValues(Object.entries(cards), decodeCard)),
		emitted: emitted.map(({ at, cards: hashes }) => ({ at, cards: decodeHashes(hashes) })),
		failing: new Map(Object.entries(failing)),
		repeating: decodeHashes(repeating),
	};
}
