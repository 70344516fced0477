import type { IDataObject } from 'n8n-workflow';

import { timeOf } from '../api/event';
import { eventKey } from '../events/deduplicate';
import { toItem } from '../events/item';
import { type KnownCard, shortHash } from './state';

/** Events remembered beside those that a list has: an API may list only the newest. */
const MAX_UNLISTED = 100;

/** Which of a card's events are new. */
interface Rule {
	/** Events of earlier transactions are neither new nor remembered. */
	horizon: number;
	/** Events of later transactions are left for another visit. */
	until: number;
	/** Tells whether an event that was not seen before is new; otherwise it is only remembered. */
	isNew: (event: IDataObject, time: number) => boolean;
}

/** An event that is new, and what orders it among those of other cards. */
export interface NewEvent {
	event: IDataObject;
	cardId: string;
	hash: string;
	time: number;
	/** Position among the card's events, the oldest first. */
	index: number;
}

/** Sorts events: oldest first; those of one time by card, and then in the order of the API. */
export const byAge = (a: NewEvent, b: NewEvent): number =>
	a.time - b.time || Number(a.cardId > b.cardId) - Number(a.cardId < b.cardId) || a.index - b.index;

/**
 * Finds what is new among a card's events. Only their IDs can tell: an event has the time of its
 * transaction (§2), even if it is a clearing that comes weeks later.
 *
 * @param known the card as it was; undefined on its first visit
 * @param events all of the card, newest first (§4.6)
 * @returns the card as it is now, and the new events
 */
export function findNewEvents(
	cardId: string,
	known: KnownCard | undefined,
	events: IDataObject[],
	{ horizon, until, isNew }: Rule,
): { card: KnownCard; newEvents: NewEvent[] } {
	const newEvents: NewEvent[] = [];
	const before: ReadonlySet<string> = known?.seen ?? new Set();
	const listed = new Set<string>();
	const seen = new Set<string>();
	let latest = known?.latest ?? 0;
	// An event without a readable time has that of the one before it.
	let time = horizon;
	for (const [index, event] of [...events].reverse().entries()) {
		const created = timeOf(event);
		time = Number.isNaN(created) ? Math.max(time, horizon) : created;
		const hash = shortHash(eventKey(toItem(event, { source: 'polling' })));
		listed.add(hash);
		const wasSeen = before.has(hash) || seen.has(hash);
		if (time < horizon || (time > until && !wasSeen)) continue;
		if (!wasSeen && isNew(event, time)) newEvents.push({ event, cardId, hash, time, index });
		seen.add(hash);
		latest = Math.max(latest, time);
	}
	// The next list may have those again that this one lacks.
	const unlisted = [...before].filter((hash) => !listed.has(hash));
	const length = Math.max(before.size, seen.size + MAX_UNLISTED);
	return { card: { latest, seen: new Set([...unlisted, ...seen].slice(-length)) }, newEvents };
}
