import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { LATE_TRANSACTION_MS, MAX_CLOCK_DIFFERENCE_MS, MAX_PAGE_SIZE } from '../api/assumptions';
import { DAY, MINUTE } from '../api/dates';
import { timeOf } from '../api/event';
import type { TimeRange } from '../api/recordFilter';
import { isDataObject, toText } from '../api/values';
import type { ListedTransaction } from '../events/cardEvents';
import { eventKey } from '../events/keys';
import {
	checkLength,
	hash,
	hasPassed,
	type OpenedState,
	openState,
	type StateName,
	toSet,
} from './state';

const VERSION = 4;

const HOUR = 60 * MINUTE;

/** After a pause of more than about a day, the transactions since then are listed in ranges of a day: a list may be too long to be read in one poll. */
const CATCH_UP_RANGE_MS = DAY;

/** Earlier transactions are listed in ranges of at most this length. */
const EARLIER_RANGE_MS = 7 * DAY;

/** For how long a card is read in each poll, until it has the events of its new and changed transactions. */
export const LATE_EVENT_MS = HOUR;

/** A card that fails is tried again after as long as it has failed, and at least this often. */
export const MAX_BACK_OFF_MS = HOUR;

/** Events remembered beside those that a list has, because an API may list only the newest. */
const MAX_UNLISTED = 100;

const time = z.number().finite();

const cardSchema = z.object({
	/** When its newest transaction was created. */
	newestAt: time,
	/** Null: never, and it may be older than the first poll. */
	readAt: time.nullable(),
	/** Hashes of its events. */
	seen: z.string(),
	/**
	 * Set: it is read in each poll, as it lacks events. When each transaction was listed, and its hash: it is awaited until
	 * it has a new event, for an hour at most. Empty: the card is read once.
	 */
	due: z.array(z.tuple([time, z.string()])).optional(),
	/** Set: it could not be read. */
	failed: z.object({ since: time, triedAt: time }).optional(),
});

type KnownCard = z.infer<typeof cardSchema>;

/** Cards by ID. Not a record: it would lose an ID `__proto__`, and zod 4 refuses `constructor`. */
const cardsSchema = z.preprocess(
	(cards) => (isDataObject(cards) ? Object.entries(cards) : cards),
	z
		.array(z.tuple([z.string(), cardSchema]))
		.transform((cards): Record<string, KnownCard> => Object.fromEntries(cards)),
);

const stateSchema = z.object({
	version: z.literal(VERSION),
	/** ID of the node. n8n stores the state under its name, which another node can get. */
	nodeId: z.string(),
	/** The API that was polled. Another one has other cards. */
	baseUrl: z.string(),
	/** Events of earlier transactions are ignored. Never moves back. */
	horizon: time,
	/** When the newest transaction was created: the next list begins a little earlier. */
	cursor: time,
	/** Hashes of the transactions since then. */
	listed: z.string(),
	/** When all transactions until then were listed, by n8n's clock. */
	listedAt: time,
	dayListedAt: time,
	/** What is still to be listed again, because transactions may have appeared late. */
	relist: z.object({ from: time, to: time }).optional(),
	/**
	 * There until each card from before the first poll was read: what separates its old events from new ones. New are
	 * those of transactions created since then, except the known ones (hashes). Earlier transactions are listed down to
	 * `listedFrom`.
	 */
	firstRound: z.object({ since: time, known: z.string().optional(), listedFrom: time }).optional(),
	cards: cardsSchema,
	/** Events of the newest poll that had some: card, hash. */
	emitted: z.array(z.tuple([z.string(), z.string()])),
});

/** What the trigger keeps between polls, as n8n stores it. Times are in milliseconds since 1970. */
export type PollingState = z.infer<typeof stateSchema>;

/** An event that its card did not have before. */
export interface NewEvent {
	event: IDataObject;
	cardId: string;
	hash: string;
	time: number;
}

interface MemorySettings extends Pick<StateName, 'nodeId' | 'baseUrl'> {
	lookBack: number;
	recheckInterval: number;
}

function newState({ nodeId, baseUrl, lookBack }: MemorySettings, now: number): PollingState {
	const since = now - MAX_CLOCK_DIFFERENCE_MS;
	return {
		version: VERSION,
		nodeId,
		baseUrl,
		horizon: Math.min(now - lookBack, since),
		cursor: since,
		listed: '',
		listedAt: now,
		dayListedAt: now,
		firstRound: { since, listedFrom: since - LATE_TRANSACTION_MS },
		cards: {},
		emitted: [],
	};
}

/** What the trigger knows of cards and their events, during a poll. It decides what to read; it reads nothing itself. */
export class EventMemory {
	readonly state: PollingState;

	/** By ID. Not in an object: an ID may be `__proto__`. */
	private readonly cards: Map<string, KnownCard>;

	/** Whether this is the first poll, and why. */
	readonly opened: Omit<OpenedState<PollingState>, 'state'>;

	private readonly settings: MemorySettings;

	/** When the poll began. */
	private readonly now: number;

	private readonly hadOlder: boolean;

	/** Whether a card from before the first poll was read for the first time. */
	private hasReadOld = false;

	/** Hashes of the transactions that the first poll listed. */
	private known = new Set<string>();

	/** Where the next list of recent transactions begins; undefined once all are listed. */
	private recentFrom: number | undefined;

	/** How long its range is, unless the last poll that listed all was not long ago. */
	private rangeMs = CATCH_UP_RANGE_MS;

	private readonly isBehind: boolean;

	/** Transactions that the poll has listed, from the hour before the newest. */
	private newest: ListedTransaction[] = [];

	/** Whether this poll lists what may have appeared late: it is time to. */
	private mayRelist = false;

	/** @param stored what n8n has stored of the last poll */
	constructor(stored: unknown, settings: MemorySettings, now: number) {
		const { nodeId, baseUrl } = settings;
		const begin = () => newState(settings, now);
		const own = { version: VERSION, nodeId, baseUrl };
		({ state: this.state, ...this.opened } = openState(stored, stateSchema, own, begin));
		this.cards = new Map(Object.entries(this.state.cards));
		this.settings = settings;
		this.now = now;
		this.hadOlder = this.older !== undefined;
		this.isBehind = now - this.state.listedAt > CATCH_UP_RANGE_MS + HOUR;
		this.recentFrom = this.startRecent();
	}

	/** Whether the poll found out what is old: that must be stored, even without a new event. */
	get mustStore(): boolean {
		return this.opened.isNew || this.hasReadOld || (this.hadOlder && !this.older);
	}

	/** Whether none of these cards is known, but others are. */
	knowsOnlyOthers(cardIds: string[]): boolean {
		return this.cards.size > 0 && !cardIds.some((cardId) => this.cards.has(cardId));
	}

	/** Up to so many known cards: those with the newest transactions. */
	newestCards(count: number): string[] {
		const newest = [...this.cards].sort(([, a], [, b]) => b.newestAt - a.newestAt);
		return newest.slice(0, count).map(([cardId]) => cardId);
	}

	/** Makes the newest poll's events new again, because n8n may not have started their execution. */
	replayNewest(): void {
		const emitted = new Set(this.state.emitted.map(String));
		for (const cardId of new Set(this.state.emitted.map(([each]) => each))) {
			const card = this.cards.get(cardId);
			if (card === undefined) continue;
			const isOld = (seen: string) => !emitted.has(String([cardId, seen]));
			card.seen = [...toSet(card.seen)].filter(isOld).join('');
			card.due ??= [];
		}
	}

	/** @returns where the list of recent transactions begins: an hour before the newest that is known, and hourly, a day or two */
	private startRecent(): number {
		const { state, now } = this;
		// The clock may have been ahead.
		state.cursor = Math.min(state.cursor, now);
		const recent = state.cursor - LATE_TRANSACTION_MS;
		// A corrected clock may have delayed the list of a day.
		if (!hasPassed(HOUR, state.dayListedAt, now)) return recent;
		state.dayListedAt = now;
		this.mayRelist = true;
		const from = state.cursor - DAY - MAX_CLOCK_DIFFERENCE_MS;
		// One list costs a request less than two. But one that is long, or failed before, must not hold up the other.
		const isShort = toSet(state.listed).size <= MAX_PAGE_SIZE;
		const isTogether = isShort && state.relist === undefined && !this.isBehind;
		state.relist = { from: Math.min(from, state.relist?.from ?? from), to: recent };
		return isTogether ? from : recent;
	}

	/** The next range of recent transactions to list; undefined once all are listed. */
	get recent(): TimeRange | undefined {
		const { recentFrom: from, now, isBehind } = this;
		if (from === undefined) return undefined;
		const to = from + this.rangeMs;
		return { from, to: isBehind && to < now ? to : Infinity };
	}

	/** Remembers the transactions of the range {@link recent}. */
	addRecent(transactions: ListedTransaction[], { from, to }: TimeRange): void {
		const { state } = this;
		this.addTransactions(transactions);
		if (state.firstRound) {
			state.firstRound.known ??= transactions.map(({ id }) => hash(id)).join('');
			this.known = toSet(state.firstRound.known);
		}
		if (from === state.relist?.from) delete state.relist;
		const recent = state.cursor - LATE_TRANSACTION_MS;
		const listed = [...this.newest, ...transactions];
		this.newest = listed.filter(({ createdAt }) => createdAt >= recent);
		state.listed = this.newest.map(({ fingerprint }) => hash(fingerprint)).join('');
		if (to === Infinity) state.listedAt = this.now;
		this.recentFrom = to === Infinity ? undefined : to;
		// Little happened: the next list may have a longer range.
		this.rangeMs = transactions.length > MAX_PAGE_SIZE ? CATCH_UP_RANGE_MS : 2 * this.rangeMs;
	}

	/** After a list that failed: whether a shorter one is left, because it was one with those of a day. */
	shortenRecent(): boolean {
		const { relist } = this.state;
		if (relist === undefined || relist.from !== this.recentFrom) return false;
		this.recentFrom = relist.to;
		this.mayRelist = false;
		return true;
	}

	/** The next range of earlier transactions to list: those that may have appeared late, then those from before the first poll. */
	get earlier(): TimeRange | undefined {
		return this.relistRange ?? this.older;
	}

	private get relistRange(): TimeRange | undefined {
		const { relist } = this.state;
		if (relist === undefined || !this.mayRelist) return undefined;
		return { from: relist.from, to: Math.min(relist.to, relist.from + EARLIER_RANGE_MS) };
	}

	/** Undefined if all are listed. */
	private get older(): TimeRange | undefined {
		const { firstRound, horizon } = this.state;
		if (firstRound === undefined) return undefined;
		const { known, listedFrom } = firstRound;
		const from = Math.max(listedFrom - EARLIER_RANGE_MS, horizon);
		// Before the first list, nothing is known of them.
		return known === undefined || listedFrom > horizon ? { from, to: listedFrom } : undefined;
	}

	/** Remembers the transactions of the range {@link earlier}. */
	addEarlier(transactions: ListedTransaction[], { from, to }: TimeRange): void {
		const { state, relistRange } = this;
		this.addTransactions(transactions);
		if (relistRange === undefined) {
			if (state.firstRound) state.firstRound.listedFrom = from;
		} else if (state.relist && to < state.relist.to) state.relist.from = to;
		else delete state.relist;
	}

	/** Cards with a new or changed transaction are due, and so are new cards. */
	private addTransactions(transactions: ListedTransaction[]): void {
		const { state, now } = this;
		const recent = state.cursor - LATE_TRANSACTION_MS;
		const listed = toSet(state.listed);
		// Until all older transactions are listed, any card may have been there before.
		const readAt = this.older ? null : now;
		for (const { id, cardId, createdAt, fingerprint } of transactions) {
			const isNew = createdAt >= recent && !listed.has(hash(fingerprint));
			const card = this.cards.get(cardId) ?? { newestAt: createdAt, readAt, seen: '', due: [] };
			card.newestAt = Math.max(card.newestAt, createdAt);
			if (isNew) (card.due ??= []).push([now, hash(id)]);
			this.cards.set(cardId, card);
			state.cursor = Math.max(state.cursor, Math.min(createdAt, now));
		}
	}

	/** The cards to read now, in this order: those that wait for events first, in turn, and those that fail last, as they must not use up the time of the others. */
	get dueCards(): string[] {
		const { now, settings } = this;
		const isDue = ({ readAt, due, failed }: KnownCard) =>
			(due !== undefined || hasPassed(settings.recheckInterval - MINUTE, readAt ?? 0, now)) &&
			(failed === undefined || hasPassed(backOff(failed), failed.triedAt, now));
		const isFailed = ({ failed }: KnownCard) => Number(failed !== undefined);
		const isRecheck = ({ due }: KnownCard) => Number(due === undefined);
		const order = (a: KnownCard, b: KnownCard) =>
			isFailed(a) - isFailed(b) || isRecheck(a) - isRecheck(b) || (a.readAt ?? 0) - (b.readAt ?? 0);
		return [...this.cards]
			.filter(([, card]) => isDue(card))
			.sort(([, a], [, b]) => order(a, b))
			.map(([cardId]) => cardId);
	}

	/** The card that was read last. If it can be read again, others fail for reasons of their own. */
	get readLast(): string | undefined {
		const read = [...this.cards].filter(([, { readAt, failed }]) => readAt !== null && !failed);
		read.sort(([, a], [, b]) => (b.readAt ?? 0) - (a.readAt ?? 0));
		return read[0]?.[0];
	}

	/**
	 * Remembers that a card cannot be read.
	 *
	 * @returns whether it could be read before, and whether to report it: then, and with each full back-off
	 */
	addFailure(cardId: string): { isNew: boolean; isReported: boolean } {
		const card = this.cards.get(cardId);
		const before = card?.failed;
		if (card) card.failed = { since: before?.since ?? this.now, triedAt: this.now };
		const isNew = before === undefined;
		return { isNew, isReported: isNew || backOff(before) === MAX_BACK_OFF_MS };
	}

	/**
	 * Remembers a card's events.
	 *
	 * @param events newest first (§4.6)
	 * @returns those that are new, oldest first
	 */
	addEvents(cardId: string, events: IDataObject[]): NewEvent[] {
		const { now } = this;
		const { horizon } = this.state;
		const before = this.cards.get(cardId) ?? { newestAt: horizon, readAt: now, seen: '' };
		const seen = toSet(before.seen);
		const listed = byHash(cardId, events, horizon);
		const recent = [...listed.values()].filter((each) => each.time >= horizon);
		const added = recent.filter((each) => !seen.has(each.hash));
		// The next list may again have events that this one lacks.
		const unlisted = [...seen].filter((each) => !listed.has(each));
		const length = Math.max(seen.size, recent.length + MAX_UNLISTED);
		const all = [...unlisted, ...recent.map((each) => each.hash)];
		this.cards.set(cardId, {
			newestAt: recent.reduce((newestAt, each) => Math.max(newestAt, each.time), before.newestAt),
			readAt: now,
			seen: all.slice(-length).join(''),
			due: stillDue(before, added, now),
		});
		if (before.readAt !== null) return added;
		this.hasReadOld = true;
		return added.filter((each) => !this.isOld(each));
	}

	/** Whether an event of a card that was never read was there before the first poll. */
	private isOld({ event: { transactionId }, time: created }: NewEvent): boolean {
		const { since } = this.state.firstRound ?? { since: -Infinity };
		return (
			typeof transactionId !== 'string' || created < since || this.known.has(hash(transactionId))
		);
	}

	/**
	 * Ends a poll: forgets the first round once every card was read, and cards without a transaction since the horizon.
	 *
	 * @throws UserError if there is too much for n8n to store
	 */
	end(emitted: NewEvent[]): void {
		const { state, older } = this;
		const { lookBack, recheckInterval } = this.settings;
		if (emitted.length > 0) state.emitted = emitted.map(({ cardId, hash }) => [cardId, hash]);
		const cards = [...this.cards];
		if (!older && cards.every(([, { readAt }]) => readAt !== null)) delete state.firstRound;
		// The last event within Look Back may be read a Recheck Interval later.
		state.horizon = Math.max(state.horizon, state.cursor - lookBack - recheckInterval);
		state.cards = Object.fromEntries(cards.filter(([, { newestAt }]) => newestAt >= state.horizon));
		checkLength(
			state.cards,
			'cards and events',
			'Lower "Look Back (Days)", so that the trigger tracks fewer cards and events. The next poll finds the new events of transactions within these days.',
		);
	}
}

/** How long a card that fails is left alone. */
const backOff = ({ since, triedAt }: NonNullable<KnownCard['failed']>): number =>
	Math.min(Math.abs(triedAt - since), MAX_BACK_OFF_MS);

/** The transactions whose events a card still lacks after these new ones. */
function stillDue({ due = [] }: KnownCard, added: NewEvent[], now: number): KnownCard['due'] {
	const arrived = new Set(added.map(({ event }) => hash(toText(event.transactionId) ?? '')));
	// An event that does not name its transaction may be of any.
	if (arrived.has(hash(''))) return undefined;
	const lacking = due.filter(
		([listedAt, transaction]) =>
			!arrived.has(transaction) && !hasPassed(LATE_EVENT_MS, listedAt, now),
	);
	return lacking.length > 0 ? lacking : undefined;
}

/** Gives the events of a card by their hashes, oldest first. */
function byHash(cardId: string, events: IDataObject[], horizon: number): Map<string, NewEvent> {
	const listed = new Map<string, NewEvent>();
	// An event without a readable time has that of the one before it.
	let time = horizon;
	for (const event of [...events].reverse()) {
		const own = timeOf(event);
		time = Number.isNaN(own) ? Math.max(time, horizon) : own;
		const eventHash = hash(eventKey(event));
		if (!listed.has(eventHash)) listed.set(eventHash, { event, cardId, hash: eventHash, time });
	}
	return listed;
}
