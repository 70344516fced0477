import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { CardFinancialEvent } from '../../nodes/CardPlatform/api/event';
import { newestEvents } from '../../nodes/CardPlatform/events/cardEvents';
import { parseEventTypes } from '../../nodes/CardPlatform/events/eventTypes';
import { FakeCardApi } from '../support/fakeCardApi';

const MINUTE = 60_000;
const choice = parseEventTypes(['all'], 'Event Types', false);

/** An API with a purchase per minute, the newest now, each with another card. */
function apiWithCards(count: number): FakeCardApi {
	const api = new FakeCardApi();
	for (let number = 0; number < count; number++) {
		api.purchase(`card-${number}`, { ago: number * MINUTE });
	}
	return api;
}

const periodOf = ({ now }: FakeCardApi, minutes = 1_000) => ({
	from: now - minutes * MINUTE,
	to: now + 1,
});

test('the cards with the newest transactions are read first, and no more than needed', async () => {
	const api = apiWithCards(100);
	const events = await newestEvents(api, { ...periodOf(api), choice, limit: 4 });
	expect(events.map(({ cardId }) => cardId)).toEqual(['card-0', 'card-1', 'card-2', 'card-3']);
	// Three at a time: two more may be on their way.
	expect(api.visited.length).toBeLessThanOrEqual(6);
});

test('the newest transaction of a card counts, not the one that is listed last', async () => {
	const api = apiWithCards(10);
	api.purchase('card-0', { ago: 100 * MINUTE });
	const events = await newestEvents(api, { ...periodOf(api), choice, limit: 1 });
	expect(events.map(({ id }) => id)).toEqual(['e0']);
	expect(api.visited[0]).toBe('card-0');
});

test('the events of one time come by card, those of a card newest first', async () => {
	const api = new FakeCardApi();
	const made = ['card-c', 'card-a', 'card-d', 'card-b'].map((cardId) => {
		const { id, eventId } = api.purchase(cardId);
		return { cardId, ids: [api.addEvent(id), eventId] };
	});
	const { events: read } = api;
	api.events = async (cardId) => {
		// The answer for the first card comes last.
		if (cardId === 'card-a') await new Promise(setImmediate);
		return await read(cardId);
	};
	const events = await newestEvents(api, { ...periodOf(api), choice, limit: Infinity });
	const byCard = made.sort((a, b) => a.cardId.localeCompare(b.cardId));
	expect(events.map(({ id }) => id)).toEqual(byCard.flatMap(({ ids }) => ids));
});

test('only the cards with a transaction before the end of the period are read', async () => {
	const api = apiWithCards(3);
	const events = await newestEvents(api, { ...periodOf(api), to: api.now, choice, limit: 10 });
	expect(events.map(({ id }) => id)).toEqual(['e1', 'e2']);
	expect(api.visited).toEqual(['card-1', 'card-2']);
});

test('with a limit, the events of other cards are not kept in memory', async () => {
	setFlagsFromString('--expose-gc');
	const cards = 40;
	const perCard = 500;
	const api = new FakeCardApi();
	for (let number = 0; number < cards; number++) api.purchase(`card-${number}`);
	const made: WeakRef<CardFinancialEvent>[] = [];
	let reads = 0;
	let kept = Infinity;
	api.events = async (cardId) => {
		reads++;
		// Only at the last card: after many tests, a collection takes seconds.
		if (reads === cards) {
			// What has been dropped is collected only in another turn of the event loop.
			await new Promise(setImmediate);
			runInNewContext('gc()');
			kept = made.filter((each) => each.deref() !== undefined).length;
		}
		const createdAt = new Date(api.now).toISOString();
		const list = Array.from({ length: perCard }, (_, number) => ({
			id: `${cardId} ${number}`,
			cardId,
			createdAt,
		}));
		for (const event of list) made.push(new WeakRef(event));
		return list;
	};
	const limit = 10;
	const found = await newestEvents(api, { ...periodOf(api), choice, limit });
	expect(found).toHaveLength(limit);
	expect(made).toHaveLength(cards * perCard);
	// Three cards are read at a time.
	expect(kept).toBeLessThanOrEqual(limit + 3 * perCard);
});
