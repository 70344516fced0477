import type { IDataObject } from 'n8n-workflow';

import { timeOf } from '../api/event';
import { type EventChoice, selectEvents } from '../events/eventTypes';
import type { CardEventSource } from './source';

interface Dated {
	event: IDataObject;
	time: number;
	/** Of its card among the cards. */
	cardIndex: number;
}

/** Which events to get. */
export interface EventQuery {
	/** Start of the period, included; milliseconds since 1970. */
	from: number;
	/** End of the period, not included. */
	to: number;
	choice: EventChoice;
	/** Infinity for all. */
	limit: number;
	/** True: also reads the cards that have no transaction in the period. */
	everyCard?: boolean;
}

/**
 * Gets events of all cards, of transactions in a period: newest first; those of one time by card, in
 * the order of the API (§4.6). Finds the cards by their transactions (§4.8), reads those with the
 * newest ones first, and only as many as it needs. An event whose transaction is not listed is only
 * sure to be found with `everyCard`, which reads every card of the list of cards (§4.3) too.
 *
 * Keeps no more events than the limit, and those of the cards being read.
 */
export async function newestEvents(
	source: Pick<CardEventSource, 'transactions' | 'cards' | 'events' | 'mapConcurrent'>,
	{ from, to, choice, limit, everyCard = false }: EventQuery,
): Promise<IDataObject[]> {
	const listed = everyCard ? await source.cards() : [];
	const newest = new Map(listed.map((cardId) => [cardId, from]));
	const { transactions } = await source.transactions({ from, to }, Infinity);
	for (const { cardId, createdAt } of transactions) {
		if (createdAt < to) newest.set(cardId, Math.max(newest.get(cardId) ?? createdAt, createdAt));
	}
	const cards = [...newest].sort(([a, x], [b, y]) => y - x || (a > b ? 1 : -1));

	let kept: Dated[] = [];
	const dropOldest = () => {
		// Stable: the events of a card keep their order.
		kept.sort((a, b) => b.time - a.time || a.cardIndex - b.cardIndex);
		kept = kept.slice(0, limit);
	};
	await source.mapConcurrent([...cards.entries()], async ([cardIndex, [cardId, latest]]) => {
		const oldestKept = kept.length >= limit ? kept.at(-1) : undefined;
		if (!everyCard && oldestKept !== undefined && latest < oldestKept.time) return;
		for (const event of selectEvents(await source.events(cardId), choice)) {
			const time = timeOf(event);
			if (time >= from && time < to) kept.push({ event, time, cardIndex });
		}
		if (kept.length >= limit) dropOldest();
	});
	dropOldest();
	return kept.map(({ event }) => event);
}
