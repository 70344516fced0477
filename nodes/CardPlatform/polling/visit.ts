import type { IDataObject } from 'n8n-workflow';

import { UserError } from '../api/userError';
import type { CardEventSource } from '../cardEvents/source';
import { selectEvents } from '../events/eventTypes';
import { findNewEvents, type NewEvent } from './newEvents';
import type { PollSettings } from './settings';
import { type PollingState, shortHash } from './state';

/** If the API fails for more cards than that, the poll fails. */
const MAX_FAILED = 10;

/** A poll while it runs. */
export interface PollRun {
	readonly source: CardEventSource;
	readonly settings: PollSettings;
	readonly state: PollingState;
	/** By n8n's clock. */
	readonly startedAt: number;
	readonly found: NewEvent[];
	/** Cards that the API failed for in this poll. */
	readonly failed: Set<string>;
	readonly failuresToReport: string[];
	/** True once something was read completely. */
	hasProgress: boolean;
	/** True once the API has shown something of a card that was known before. */
	isSameAccount: boolean;
	/** Length of the range that is read together while behind, in milliseconds. */
	step: number;
}

/** Why a poll ended before everything was read. */
export type EndReason = 'rate limit' | 'time' | 'events';

/** Ends a poll before everything was read. */
export class EarlyEnd extends Error {
	readonly reason: EndReason;

	constructor(reason: EndReason) {
		super(reason);
		this.reason = reason;
	}
}

/** Is called before each request. */
export function checkTime({ settings }: PollRun): void {
	if (settings.now() >= settings.deadline) throw new EarlyEnd('time');
}

/** Is called where the next poll can go on without a change of the order of events. */
export function checkEventCount({ found, settings }: PollRun): void {
	if (found.length >= settings.maxEvents) throw new EarlyEnd('events');
}

/** Visits cards until there are enough events, see {@link visit}. */
export async function visitAll(run: PollRun, cardIds: string[], until?: number): Promise<void> {
	await checkAccount(run, cardIds);
	await run.source.mapConcurrent(cardIds, async (cardId) => {
		checkEventCount(run);
		await visit(run, cardId, until);
	});
}

/**
 * Reads a card's events and keeps what is new; the card then moves to the end of the line. If the API
 * fails for it, it is left for the next poll.
 *
 * @param until events of later transactions are left for another visit
 */
export async function visit(run: PollRun, cardId: string, until = Infinity): Promise<void> {
	if (run.failed.has(cardId)) return;
	checkTime(run);
	const events = await run.source.events(cardId).catch((error: unknown) => {
		skip(run, cardId, error);
	});
	if (!events) return;
	const { state, settings } = run;
	const { card, newEvents } = findNewEvents(cardId, state.cards.get(cardId), events, {
		horizon: state.horizon,
		until: Math.max(until, baselineEnd(state)),
		isNew: (event, time) => isAfterBaseline(state, event, time),
	});
	state.cards.delete(cardId);
	state.cards.set(cardId, card);
	state.unread.delete(cardId);
	const selected = new Set(selectEvents(events, settings.choice));
	run.found.push(...newEvents.filter(({ event }) => selected.has(event)));
	run.hasProgress = true;
}

/** Leaves a card for the next poll if the API failed for it, so that it does not block the others. */
function skip({ state, settings, source, ...run }: PollRun, cardId: string, error: unknown): void {
	const isOneOfFew = state.baseline === undefined && run.failed.size < MAX_FAILED;
	if (!isOneOfFew || !source.isServerError(error)) throw error;
	run.failed.add(cardId);
	const now = settings.now();
	const reportedAt = state.unread.get(cardId) ?? 0;
	const isReported = Math.abs(now - reportedAt) < settings.recheckInterval;
	if (!isReported) run.failuresToReport.push(cardId);
	state.unread.set(cardId, isReported ? reportedAt : now);
}

/** In the first round, a card's first visit settles all its events up to then. */
export const baselineEnd = ({ baseline }: PollingState): number =>
	baseline === undefined ? -Infinity : (baseline.start ?? Infinity);

function isAfterBaseline({ baseline }: PollingState, event: IDataObject, time: number): boolean {
	if (baseline === undefined) return true;
	if (baseline.start !== undefined) return time >= baseline.start;
	const { transactionId } = event;
	if (typeof transactionId !== 'string') return false;
	return time >= baseline.since && !baseline.known.has(shortHash(transactionId));
}

/**
 * Checks that the account is still the same before unknown cards are visited: a key for another
 * one cannot see the known cards, and all of its events would be new.
 *
 * @param cardIds the cards to visit
 * @param listed cards that the API has just shown
 */
export async function checkAccount(
	run: PollRun,
	cardIds: string[],
	listed: { cardId: string }[] = [],
): Promise<void> {
	const { cards } = run.state;
	const isKnown = (cardId: string) => cards.has(cardId);
	run.isSameAccount ||= listed.some(({ cardId }) => isKnown(cardId));
	if (run.isSameAccount || cards.size === 0 || cardIds.every(isKnown)) return;
	checkTime(run);
	run.isSameAccount = (await run.source.cards()).some(isKnown);
	if (run.isSameAccount) return;
	throw new UserError(
		'The API no longer shows the cards that the trigger knows',
		'The API key is probably one for another account. Correct it in the Card Platform API credential. To poll the other account, replace the trigger with a new one.',
	);
}
