import type { CardFinancialEvent } from '../api/event';
import type { CardEventSource } from './source';

interface Dated {
	event: CardFinancialEvent;
	time: number;
	/** Place of its card among the cards. */
	place: number;
}

/**
 * Gets events of all cards, of transactions in a period: newest first; those of one time by card, in
 * the order of the API (§4.6). Reads the cards with the newest transactions first, and only as many
 * as it needs. Keeps no more events than the limit, and those of the cards being read.
 *
 * @param range from, included, and to, not included; milliseconds since 1970
 * @param limit of events; Infinity for all
 */
export async function newestEvents(
	source: Pick<CardEventSource, 'transactions' | 'events' | 'mapConcurrent'>,
	{ from, to }: { from: number; to: number },
	matches: (event: CardFinancialEvent) => boolean,
	limit: number,
): Promise<CardFinancialEvent[]> {
	const { transactions } = await source.transactions({ from, to }, Infinity);
	const newest = new Map<string, number>();
	for (const { cardId, createdAt } of transactions) {
		if (createdAt < to) newest.set(cardId, Math.max(newest.get(cardId) ?? createdAt, createdAt));
	}
	const cards = [...newest].sort(([a, x], [b, y]) => y - x || Number(a > b) - Number(a < b));
	let kept: Dated[] = [];
	await source.mapConcurrent([...cards.entries()], async ([place, [cardId, latest]]) => {
		const oldestKept = kept.length >= limit ? kept.at(-1) : undefined;
		if (oldestKept !== undefined && latest < oldestKept.time) return;
		const events = await source.events(cardId);
		const found = events
			.map((event) => ({ event, time: Date.parse(event.createdAt ?? ''), place }))
			.filter(({ event, time }) => time >= from && time < to && matches(event));
		// Stable: the events of a card keep their order.
		kept = [...kept, ...found].sort((a, b) => b.time - a.time || a.place - b.place).slice(0, limit);
	});
	return kept.map(({ event }) => event);
}
