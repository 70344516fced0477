import type { IDataObject } from 'n8n-workflow';

import { LATE_TRANSACTION_MS } from '../api/assumptions';
import type { CardEventSource, ListedTransaction } from '../cardEvents/source';
import { list, listBatch, newestOf } from './batch';
import { byAge } from './newEvents';
import type { PollSettings } from './settings';
import { createInitialState, isContinued, type PollingState, shortHash } from './state';
import {
	baselineEnd,
	checkAccount,
	checkEventCount,
	EarlyEnd,
	type EndReason,
	type PollRun,
	visit,
	visitAll,
} from './visit';

const DAY = 86_400_000;

/** A day of old transactions is listed again in this time. */
const RELIST_INTERVAL_MS = 1_800_000;

/** What a poll came to. */
export interface PollResult {
	state: PollingState;
	/** The new events, oldest first. */
	events: IDataObject[];
	/** Cards that the API fails for, to report: each once per recheck interval. Each poll visits them. */
	failed: string[];
	/** Why it ended before everything was read. */
	endedEarly?: EndReason;
	/** True if it found out what is old; then the state must be stored. */
	isFirstRound: boolean;
}

/**
 * Finds the events that are new since the last poll (§4.6, §4.8). When the API limits the rate, the time
 * is up or there are enough events, it keeps what it has read completely, and the next poll continues.
 *
 * @param stored what the last poll came to, changed by this one; undefined before the first
 * @throws what the source throws; the stored state is then to be decoded again
 */
export async function poll(
	stored: PollingState | undefined,
	source: CardEventSource,
	settings: PollSettings,
): Promise<PollResult> {
	const state =
		stored !== undefined && isContinued(stored, settings)
			? { ...stored, startFrom: settings.startFrom }
			: await createInitialState(source, settings);
	const isFirstRound = state.baseline !== undefined;
	const run: PollRun = {
		source,
		settings,
		state,
		startedAt: settings.now(),
		found: [],
		failed: new Set(),
		failuresToReport: [],
		hasProgress: false,
		isSameAccount: false,
		step: DAY,
	};
	const endedEarly = await read(run).then(
		() => undefined,
		(error: unknown) => reasonToEnd(run, error),
	);
	const found = [...run.found].sort(byAge);
	if (found.length > 0) state.emitted = found.map(({ cardId, hash }) => [cardId, hash]);
	const events = found.map(({ event }) => event);
	return { state, events, failed: run.failuresToReport, endedEarly, isFirstRound };
}

async function read(run: PollRun): Promise<void> {
	const { state, settings, startedAt } = run;
	// The clock may have been ahead. Nothing before the horizon is looked at.
	state.cursor = Math.max(Math.min(state.cursor, startedAt), state.horizon);
	if (settings.replaysNewest) {
		makeNewAgain(state);
		// Later events come in their turn, after those of other cards.
		await visitAll(run, [...state.unread.keys()], state.cursor);
	}
	forgetOldCards(state, settings.lookBack);
	while (await readBatch(run));
	delete state.baseline;
	await relist(run);
	await recheck(run);
	// Last: a card that fails slowly must not use up the time of the others.
	await visitAll(run, [...state.unread.keys()]);
}

function reasonToEnd({ hasProgress, source }: PollRun, error: unknown): EndReason {
	if (error instanceof EarlyEnd) return error.reason;
	if (hasProgress && source.isRateLimit(error)) return 'rate limit';
	throw error;
}

/** Makes the newest poll's events new again, as n8n may not have started their execution. */
function makeNewAgain({ cards, emitted, unread, processedTransactions }: PollingState): void {
	for (const [cardId, hash] of emitted) {
		cards.get(cardId)?.seen.delete(hash);
		unread.set(cardId, 0);
		processedTransactions.clear();
	}
}

/** Moves the horizon; a card without a later transaction has no event that is looked at. */
function forgetOldCards(state: PollingState, lookBack: number): void {
	state.horizon = Math.max(state.horizon, state.cursor - lookBack);
	for (const [cardId, { latest }] of state.cards) {
		if (latest < state.horizon) state.cards.delete(cardId);
	}
}

/**
 * Reads the transactions since the last poll, or a part of them, and visits their cards.
 *
 * @returns true if there are more of them
 */
async function readBatch(run: PollRun): Promise<boolean> {
	const { state } = run;
	checkEventCount(run);
	const { transactions, end } = await listBatch(run);
	const unprocessed = groupByCard(
		transactions
			.filter((transaction) => !isProcessed(state, transaction))
			.sort((a, b) => a.createdAt - b.createdAt),
	);
	await checkAccount(run, [...unprocessed.keys()], transactions);
	// Not only until there are enough events: the others would come after newer ones of these cards.
	await run.source.mapConcurrent([...unprocessed], async ([cardId, ofCard]) => {
		await visit(run, cardId, end);
		const card = state.cards.get(cardId);
		if (card === undefined) return;
		// If the poll ends early, the next one reads this batch again, without these.
		for (const { createdAt, fingerprint } of ofCard) {
			state.processedTransactions.add(shortHash(fingerprint));
			card.latest = Math.max(card.latest, createdAt);
		}
	});
	state.cursor = Math.max(state.cursor, end ?? newestOf(transactions, run.startedAt));
	const readAgainFrom = state.cursor - LATE_TRANSACTION_MS;
	const processed = transactions
		.filter(({ createdAt }) => createdAt >= readAgainFrom)
		.map(({ fingerprint }) => shortHash(fingerprint));
	state.processedTransactions = new Set(processed);
	run.hasProgress = true;
	return end !== undefined;
}

/** Tells whether a transaction needs no visit of its card now: it had one that settled it, or gets one last. */
function isProcessed(state: PollingState, transaction: ListedTransaction): boolean {
	const { cardId, createdAt, fingerprint } = transaction;
	const latest = state.cards.get(cardId)?.latest ?? -Infinity;
	return (
		state.unread.has(cardId) ||
		state.processedTransactions.has(shortHash(fingerprint)) ||
		(createdAt < baselineEnd(state) && createdAt <= latest)
	);
}

function groupByCard(transactions: ListedTransaction[]): Map<string, ListedTransaction[]> {
	const groups = new Map<string, ListedTransaction[]>();
	for (const transaction of transactions) {
		const group = groups.get(transaction.cardId);
		if (group === undefined) groups.set(transaction.cardId, [transaction]);
		else group.push(transaction);
	}
	return groups;
}

/** Lists a day of old transactions again: one may have appeared late, of a card that is not known. */
async function relist(run: PollRun): Promise<void> {
	const { state } = run;
	const { cards, cursor, horizon, relisted } = state;
	const now = run.settings.now();
	// The clock may have been ahead.
	if (Math.abs(now - relisted.at) < RELIST_INTERVAL_MS) return;
	checkEventCount(run);
	const from = relisted.to < cursor ? Math.max(relisted.to, horizon) : horizon;
	const to = from + Math.max(DAY, now - relisted.at);
	const { transactions } = await list(run, { from, to });
	const unknown = transactions.map(({ cardId }) => cardId).filter((cardId) => !cards.has(cardId));
	await visitAll(run, [...new Set(unknown)]);
	state.relisted = { at: now, to };
}

/** Visits the cards whose turn it is, the one whose visit is longest ago first. */
async function recheck(run: PollRun): Promise<void> {
	const { state, settings } = run;
	const now = settings.now();
	const timePerCard = settings.recheckInterval / state.cards.size;
	// Each card once; and the clock may have been ahead.
	const earliest = Math.max(state.recheckedAt, now - settings.recheckInterval);
	state.recheckedAt = Math.min(earliest, now + timePerCard);
	const due = Math.max(Math.round((now - state.recheckedAt) / timePerCard), 0);
	const readable = [...state.cards.keys()].filter((cardId) => !state.unread.has(cardId));
	await run.source.mapConcurrent(readable.slice(0, due), async (cardId) => {
		checkEventCount(run);
		await visit(run, cardId);
		state.recheckedAt += timePerCard;
	});
}
