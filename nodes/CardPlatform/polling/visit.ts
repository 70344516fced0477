import type { IDataObject } from 'n8n-workflow';

import { timeOf } from '../api/event';
import { toItem } from '../events/item';
import { eventKey } from '../events/seenEvents';
import { hash, type KnownCard } from './state';

/** Which of a card's events are new. */
export interface Rule {
	/** Events of earlier transactions are neither new nor remembered. */
	horizon: number;
	/** Events of later transactions are left for another visit. */
	until: number;
	/** Tells whether an event that was not seen before is new; otherwise it is only remembered. */
	isNew: (event: IDataObject, time: number) => boolean;
	/** Hashes of events that are emitted again, because it is not certain that they arrived. */
	again: ReadonlySet<string>;
}

/** An event that is new, and what orders it among those of other cards. */
export interface NewEvent {
	event: IDataObject;
	cardId: string;
	hash: string;
	time: number;
	/** Place among the card's events, the oldest first. */
	place: number;
}

/** Sorts events: oldest first; those of one time by card, and then in the order of the API. */
export const byAge = (a: NewEvent, b: NewEvent): number =>
	a.time - b.time || Number(a.cardId > b.cardId) - Number(a.cardId < b.cardId) || a.place - b.place;

/**
 * Finds what is new among a card's events. Only their IDs can tell: an event has the time of its
 * transaction (§2), even if it is a refund that comes weeks later.
 *
 * @param known the card as it was; undefined on its first visit
 * @param events all of the card, newest first (§4.6)
 * @returns the card as it is now, and the new events
 */
export function visitCard(
	cardId: string,
	known: KnownCard | undefined,
	events: IDataObject[],
	{ horizon, until, isNew, again }: Rule,
): { card: KnownCard; newEvents: NewEvent[] } {
	const newEvents: NewEvent[] = [];
	const listed = new Set<string>();
	const seen = new Set<string>();
	let latest = known?.latest ?? -Infinity;
	// An event without a readable time has that of the one before it.
	let time = horizon;
	for (const [place, event] of [...events].reverse().entries()) {
		const created = timeOf(event);
		time = Number.isNaN(created) ? Math.max(time, horizon) : created;

		const key = hash(eventKey(toItem(event, { source: 'polling' })));
		const wasSeen = known?.seen.has(key) === true || seen.has(key);
		const isInRange = time >= horizon && time <= until;
		const isAgain = again.has(key) && !listed.has(key);
		if (isAgain || (isInRange && !wasSeen && isNew(event, time))) {
			newEvents.push({ event, cardId, hash: key, time, place });
		}
		listed.add(key);
		if (time >= horizon && (wasSeen || isInRange)) {
			seen.add(key);
			latest = Math.max(latest, time);
		}
	}
	return { card: { latest, seen: withUnlisted(known, listed, seen) }, newEvents };
}

/**
 * Adds the events that were seen before and are missing from the list: the next one may have them
 * again. An API that lists only the newest events replaces old ones with new ones, so as many are
 * forgotten as are new.
 */
function withUnlisted(
	known: KnownCard | undefined,
	listed: ReadonlySet<string>,
	seen: Set<string>,
): Set<string> {
	if (known === undefined) return seen;
	const unlisted = [...known.seen].filter((key) => !listed.has(key));
	const length = Math.max(known.seen.size, seen.size);
	return new Set([...unlisted, ...seen].slice(-length));
}
