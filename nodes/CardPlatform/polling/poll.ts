import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { LATE_TRANSACTION_MS, MAX_CLOCK_DIFFERENCE_MS } from '../api/assumptions';
import { timeOf } from '../api/event';
import { UserError } from '../api/userError';
import { toText } from '../api/values';
import type { CardEventSource, ListedTransaction } from '../events/cardEvents';
import { eventKey } from '../events/deduplicate';
import { type EventChoice, selectEvents } from '../events/eventTypes';
import { checkLength, hash, otherAccount, readState, toSet } from './state';
import type { PollCircumstances } from './watched';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How often the last day is listed again. */
const DAY_LIST_INTERVAL_MS = HOUR;

/** Transactions from before the first poll are listed in ranges of this length. */
const OLDER_RANGE_MS = 7 * DAY;

/** A card stays due for this time, until it has an event of its new or changed transaction. */
const LATE_EVENT_MS = HOUR;

/** How often a card is read whose response never ends: it delays the poll to its deadline. */
const HUNG_CARD_INTERVAL_MS = HOUR;

/** Events remembered beside those that a list has, because an API may list only the newest. */
const MAX_UNLISTED = 100;

/** In place of a time: the card is older than the first poll, and was never read. */
const NEVER = 0;
/** In place of a time: the card must be read. */
const DUE = 1;

const time = z.number().finite();

/** When its newest transaction was created, when the card was last read, and the hashes of its events. */
const knownCardSchema = z.object({ latest: time, readAt: time, seen: z.string() });

type KnownCard = z.infer<typeof knownCardSchema>;

const stateSchema = z.object({
	version: z.literal(2),
	/** ID of the node. n8n stores the state under its name, which another node can get. */
	nodeId: z.string(),
	/** The API that was polled. Another one has other cards. */
	baseUrl: z.string(),
	/** Events of earlier transactions are ignored. Never moves back. */
	horizon: time,
	/** When the newest transaction was created. */
	newest: time,
	/** Hashes of the transactions since shortly before the newest one. */
	listed: z.string(),
	dayListedAt: time,
	/**
	 * What separates old events from new ones on a card that was never read. New: those of transactions
	 * created since then, except the known ones (hashes). Earlier transactions are listed down to `listedFrom`.
	 */
	baseline: z.object({ since: time, known: z.string(), listedFrom: time }).optional(),
	cards: z.record(z.string(), knownCardSchema),
	/** New and changed transactions without an event yet, by card: hash, and when it was listed. */
	awaited: z.record(z.string(), z.record(z.string(), time)).default({}),
	/** Cards that could not be read: when that was last reported, and when one last took a whole poll. */
	failed: z.record(z.string(), z.object({ reportedAt: time, hungAt: time.optional() })),
	/** Events of the newest poll that had some: card, hash. */
	emitted: z.array(z.tuple([z.string(), z.string()])),
});

/** What the trigger keeps between polls, as n8n stores it. Times are in milliseconds since 1970. */
export type PollingState = z.infer<typeof stateSchema>;

/** What a person chose, and the circumstances of a poll. Times are in milliseconds. */
export interface PollSettings extends PollCircumstances {
	lookBack: number;
	/** Each card is read at least once in this time. */
	recheckInterval: number;
	/** The events to emit. */
	choice: EventChoice;
	/** New events after which no further card is read. */
	maxEvents: number;
}

/** The result of a poll. */
interface PollResult {
	state: PollingState;
	/** The new events, oldest first. */
	events: IDataObject[];
	/** Cards that cannot be read, to be reported: each once per recheck interval. */
	failed: string[];
	/** Why older transactions could not be listed. */
	listFailure?: UserError;
	/** Why the poll ended before everything was read. */
	endedEarly?: 'rate limit' | 'time' | 'events';
	/** True if the poll found out what is old, on a card or in the whole list: that must be stored. */
	isFirstRound: boolean;
}

interface NewEvent {
	event: IDataObject;
	cardId: string;
	hash: string;
	time: number;
}

/**
 * Finds the events that are new since the last poll (§4.6, §4.8). Only its ID shows that an event is new: it has the
 * time of its transaction (§2), even if it is a clearing that comes weeks later. So a poll reads the cards whose
 * listed transactions changed, and each card once per recheck interval. The next poll reads what is left over.
 *
 * @param stored what n8n has stored of the last poll; undefined or null before the first
 * @throws what the source throws for recent transactions, for all cards, or for a wrong key; then nothing is to be stored
 */
export async function poll(
	stored: unknown,
	source: CardEventSource,
	settings: PollSettings,
): Promise<PollResult> {
	const startedAt = settings.now();
	const { nodeId, baseUrl } = settings;
	const before = readState(stored, stateSchema, { nodeId, baseUrl, watched: undefined });
	const state = before ?? newState(settings, startedAt);
	if (settings.replaysNewest) forgetNewest(state);
	await listRecent(state, source, startedAt);

	const isOld = wasThereBefore(state.baseline);
	const hadOlder = hasOlder(state);
	let isFirstRound = before === undefined;
	const found: NewEvent[] = [];
	const read = new Set<string>();
	const failures = new Map<string, UserError>();
	const hung = new Set<string>();
	let endedEarly: PollResult['endedEarly'];
	const isTimeUp = () => settings.now() >= settings.deadline;
	const readDue = async () => {
		const due = Object.entries(state.cards).filter(
			([cardId, { readAt }]) =>
				!read.has(cardId) &&
				!failures.has(cardId) &&
				Math.abs(startedAt - readAt) >= settings.recheckInterval - MINUTE &&
				Math.abs(startedAt - (state.failed[cardId]?.hungAt ?? 0)) >= HUNG_CARD_INTERVAL_MS,
		);
		// Failed cards last: one that fails slowly must not use up the time of the others.
		const isFailed = (cardId: string) => Number(cardId in state.failed);
		due.sort(([a, one], [b, other]) => isFailed(a) - isFailed(b) || one.readAt - other.readAt);
		await source.mapConcurrent(due, async (entry) => {
			const [cardId, { readAt }] = entry;
			if (isTimeUp()) endedEarly ??= 'time';
			if (found.length >= settings.maxEvents) endedEarly ??= 'events';
			if (endedEarly !== undefined) return;
			const events = await source.events(cardId).catch((error: unknown) => {
				if (!(error instanceof UserError) || error.httpCode === '401') throw error;
				if (error.httpCode !== '429') failures.set(cardId, error);
				else if (read.size > 0) endedEarly = 'rate limit';
				else throw error;
				// The first time, the whole API may have been out.
				if (isTimeUp() && cardId in state.failed) hung.add(cardId);
			});
			if (events === undefined) return;
			read.add(cardId);
			const newEvents = readCard(state, entry, events, settings.choice, startedAt);
			found.push(...(readAt === NEVER ? newEvents.filter((each) => !isOld(each)) : newEvents));
			isFirstRound ||= readAt === NEVER;
		});
	};
	await readDue();
	let listFailure: UserError | undefined;
	while (endedEarly === undefined && listFailure === undefined && hasOlder(state)) {
		if (isTimeUp()) endedEarly = 'time';
		else {
			await listOlder(state, source).catch((error: unknown) => {
				if (!(error instanceof UserError) || error.httpCode === '401') throw error;
				listFailure = error;
			});
			await readDue();
		}
	}

	const [first, ...others] = [...failures].filter(([cardId]) => !(cardId in state.failed));
	// A card that is tried alone may be the only one that cannot be read. If the time is up, the next poll tries others.
	const areAll = read.size === 0 && (others.length > 0 || before === undefined);
	if (first !== undefined && areAll && endedEarly === undefined) throw first[1];
	const failed = [...failures.keys()].filter((cardId) => {
		const { reportedAt = 0 } = state.failed[cardId] ?? {};
		return Math.abs(startedAt - reportedAt) >= settings.recheckInterval;
	});
	const stillFailed = Object.entries(state.failed).filter(([cardId]) => !read.has(cardId));
	state.failed = Object.fromEntries(stillFailed);
	for (const cardId of failures.keys()) {
		const { reportedAt } = failed.includes(cardId) ? {} : (state.failed[cardId] ?? {});
		const hungAt = hung.has(cardId) ? startedAt : undefined;
		state.failed[cardId] = { reportedAt: reportedAt ?? startedAt, hungAt };
	}
	found.sort((a, b) => a.time - b.time);
	if (found.length > 0) state.emitted = found.map(({ cardId, hash }) => [cardId, hash]);
	finish(state, settings);
	isFirstRound ||= hadOlder && !hasOlder(state);
	const events = found.map(({ event }) => event);
	return { state, events, failed, listFailure, endedEarly, isFirstRound };
}

function newState({ nodeId, baseUrl, lookBack }: PollSettings, now: number): PollingState {
	const since = now - MAX_CLOCK_DIFFERENCE_MS;
	const horizon = Math.min(now - lookBack, since);
	return {
		version: 2,
		nodeId,
		baseUrl,
		horizon,
		newest: since,
		listed: '',
		dayListedAt: 0,
		baseline: { since, known: '', listedFrom: since },
		cards: {},
		awaited: {},
		failed: {},
		emitted: [],
	};
}

/** Makes the newest poll's events new again, because n8n may not have started their execution. */
function forgetNewest({ cards, emitted }: PollingState): void {
	for (const [cardId, emittedHash] of emitted) {
		const card = cards[cardId];
		if (card === undefined) continue;
		const others = [...toSet(card.seen)].filter((each) => each !== emittedHash);
		cards[cardId] = { ...card, readAt: DUE, seen: others.join('') };
	}
}

/** Lists the transactions since the last poll, and those that may have appeared late. Marks the cards to read. */
async function listRecent(
	state: PollingState,
	source: CardEventSource,
	startedAt: number,
): Promise<void> {
	const { cards, awaited, baseline, dayListedAt } = state;
	const first = dayListedAt === 0 ? baseline : undefined;
	// The clock may have been ahead.
	state.newest = Math.min(state.newest, startedAt);
	let recent = state.newest - LATE_TRANSACTION_MS;
	const isDayDue = Math.abs(startedAt - dayListedAt) >= DAY_LIST_INTERVAL_MS;
	// A corrected clock may have delayed the list.
	const day = DAY + MAX_CLOCK_DIFFERENCE_MS;
	const from = first?.since ?? (isDayDue ? state.newest - day : recent);
	const transactions = await source.transactions({ from, to: Infinity });
	if (isDayDue) state.dayListedAt = startedAt;

	await checkAccount(cards, transactions, source);
	for (const { createdAt } of transactions)
		state.newest = Math.max(state.newest, Math.min(createdAt, startedAt));
	if (first !== undefined) {
		recent = state.newest - LATE_TRANSACTION_MS;
		first.known = transactions.map(({ id }) => hash(id)).join('');
	}
	// Until all older transactions are listed, any card may have been there before.
	const readAt = hasOlder(state) || first !== undefined ? NEVER : DUE;
	const listed = toSet(state.listed);
	for (const { id, cardId, createdAt, fingerprint } of transactions) {
		const card = cards[cardId] ?? { latest: createdAt, readAt, seen: '' };
		const isNew = createdAt >= recent && !listed.has(hash(fingerprint));
		if (isNew) awaited[cardId] = { ...awaited[cardId], [hash(id)]: startedAt };
		cards[cardId] = {
			...card,
			latest: Math.max(card.latest, createdAt),
			readAt: isNew ? Math.min(card.readAt, DUE) : card.readAt,
		};
	}
	const again = transactions.filter(
		({ createdAt }) => createdAt >= state.newest - LATE_TRANSACTION_MS,
	);
	state.listed = again.map(({ fingerprint }) => hash(fingerprint)).join('');
}

type WithBaseline = PollingState & Required<Pick<PollingState, 'baseline'>>;

/** Whether transactions from before the first poll have not been listed yet. */
const hasOlder = (state: PollingState): state is WithBaseline =>
	state.baseline !== undefined && state.baseline.listedFrom > state.horizon;

/** Lists the next range of transactions from before the first poll, for their cards. What was listed is kept. */
async function listOlder(
	{ cards, baseline, horizon }: WithBaseline,
	source: CardEventSource,
): Promise<void> {
	const from = Math.max(baseline.listedFrom - OLDER_RANGE_MS, horizon);
	const transactions = await source.transactions({ from, to: baseline.listedFrom });
	for (const { cardId, createdAt } of transactions)
		cards[cardId] ??= { latest: createdAt, readAt: NEVER, seen: '' };
	baseline.listedFrom = from;
}

/** A key for another account cannot see the known cards, and all of its events would be new. */
async function checkAccount(
	cards: PollingState['cards'],
	transactions: ListedTransaction[],
	source: CardEventSource,
): Promise<void> {
	const isKnown = (cardId: string) => cardId in cards;
	if (transactions.length === 0 || Object.keys(cards).length === 0) return;
	if (transactions.some(({ cardId }) => isKnown(cardId))) return;
	if ((await source.cards()).some(isKnown)) return;
	throw otherAccount('cards');
}

/**
 * Remembers a card's events.
 *
 * @param events newest first (§4.6)
 * @returns those that are new and were chosen, oldest first
 */
function readCard(
	{ cards, awaited, horizon }: PollingState,
	[cardId, { latest, seen: stored }]: [string, KnownCard],
	events: IDataObject[],
	choice: EventChoice,
	readAt: number,
): NewEvent[] {
	const listed = new Map<string, NewEvent>();
	// An event without a readable time has that of the one before it.
	let time = horizon;
	for (const event of [...events].reverse()) {
		const own = timeOf(event);
		time = Number.isNaN(own) ? Math.max(time, horizon) : own;
		const eventHash = hash(eventKey(event));
		if (!listed.has(eventHash)) listed.set(eventHash, { event, cardId, hash: eventHash, time });
	}
	const before = toSet(stored);
	const recent = [...listed.values()].filter((each) => each.time >= horizon);
	// The next list may again have events that this one lacks.
	const unlisted = [...before].filter((each) => !listed.has(each));
	const seen = [...unlisted, ...recent.map((each) => each.hash)];
	const length = Math.max(before.size, recent.length + MAX_UNLISTED);
	const added = recent.filter((each) => !before.has(each.hash));
	// An event may lack the ID of its transaction.
	const unknown = hash('');
	const arrived = new Set(added.map(({ event }) => hash(toText(event.transactionId) ?? '')));
	const late = Object.entries(awaited[cardId] ?? {}).filter(
		([id, listedAt]) =>
			!arrived.has(id) && !arrived.has(unknown) && Math.abs(readAt - listedAt) < LATE_EVENT_MS,
	);
	awaited[cardId] = Object.fromEntries(late);
	cards[cardId] = {
		latest: Math.max(latest, ...recent.map((each) => each.time)),
		readAt: late.length > 0 ? DUE : readAt,
		seen: seen.slice(-length).join(''),
	};
	const selected = new Set(selectEvents(events, choice));
	return added.filter(({ event }) => selected.has(event));
}

/** Returns a check for a card that was never read: was this event there before the first poll? */
function wasThereBefore(baseline: PollingState['baseline']): (event: NewEvent) => boolean {
	if (baseline === undefined) return () => false;
	const known = toSet(baseline.known);
	return ({ event: { transactionId }, time: created }) =>
		typeof transactionId !== 'string' || created < baseline.since || known.has(hash(transactionId));
}

/** Forgets the baseline once every card was read, and the cards without a transaction since the horizon. */
function finish(state: PollingState, { lookBack, recheckInterval }: PollSettings): void {
	const cards = Object.entries(state.cards);
	if (!hasOlder(state) && cards.every(([, { readAt }]) => readAt !== NEVER)) delete state.baseline;
	// The last event within Look Back may be read a Recheck Interval later.
	state.horizon = Math.max(state.horizon, state.newest - lookBack - recheckInterval);
	state.cards = Object.fromEntries(cards.filter(([, { latest }]) => latest >= state.horizon));
	state.failed = Object.fromEntries(
		Object.entries(state.failed).filter(([cardId]) => cardId in state.cards),
	);
	const awaited = Object.entries(state.awaited);
	const isAwaited = ([cardId, late]: [string, object]) =>
		cardId in state.cards && Object.keys(late).length > 0;
	state.awaited = Object.fromEntries(awaited.filter(isAwaited));
	checkLength(
		state.cards,
		'cards and events',
		'Lower "Look Back (Days)", so that the trigger tracks fewer cards and events. The next poll finds the new events of transactions within these days.',
	);
}
