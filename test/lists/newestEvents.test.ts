import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { CardFinancialEvent } from '../../nodes/CardPlatform/api/event';
import { newestEvents } from '../../nodes/CardPlatform/cardEvents/newestEvents';
import { FakeCardApi } from '../support/fakeCardApi';

const MINUTE = 60_000;
const matches = () => true;

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
	const events = await newestEvents(api, { ...periodOf(api), matches, limit: 4 });
	expect(events.map(({ cardId }) => cardId)).toEqual(['card-0', 'card-1', 'card-2', 'card-3']);
	// Three at a time: two more may be on their way.
	expect(api.visited.length).toBeLessThanOrEqual(6);
});

test('every card is read on demand, whatever the limit', async () => {
	const api = apiWithCards(10);
	api.unusedCards.push('unused');
	const { eventId } = api.purchase('unlisted', { isListed: false });
	const query = { ...periodOf(api), matches, limit: 2 };
	const events = await newestEvents(api, { ...query, everyCard: true });
	expect(events.map(({ id }) => id)).toEqual(['e0', eventId]);
	expect([...api.visited].sort()).toEqual(
		[...Array.from({ length: 10 }, (_, number) => `card-${number}`), 'unlisted', 'unused'].sort(),
	);
	expect((await newestEvents(api, query)).map(({ id }) => id)).toEqual(['e0', 'e1']);
});

test('a card that the list of cards lacks is found by its transactions', async () => {
	const api = apiWithCards(3);
	api.cards = async () => await Promise.resolve(['card-1', 'card-1']);
	const events = await newestEvents(api, {
		...periodOf(api),
		matches,
		limit: Infinity,
		everyCard: true,
	});
	expect(events.map(({ id }) => id)).toEqual(['e0', 'e1', 'e2']);
});

test('with a limit, the events of other cards are not kept in memory', async () => {
	setFlagsFromString('--expose-gc');
	const cards = 40;
	const perCard = 500;
	const api = apiWithCards(cards);
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
	const found = await newestEvents(api, { ...periodOf(api), matches, limit, everyCard: true });
	expect(found).toHaveLength(limit);
	expect(made).toHaveLength(cards * perCard);
	// Three cards are read at a time.
	expect(kept).toBeLessThanOrEqual(limit + 3 * perCard);
});
