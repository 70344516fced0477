import { EventMemory } from '../../nodes/CardPlatform/polling/eventMemory';

test('cards that wait for events take turns, so that an overload delays each, and none for ever', () => {
	const now = Date.parse('2026-11-20T10:00:00Z');
	const settings = {
		nodeId: 'n',
		baseUrl: 'https://api.example',
		lookBack: 864e5,
		recheckInterval: 36e5,
	};
	const memory = new EventMemory(undefined, settings, now);
	const cards = ['a', 'b', 'c'];
	const listed = cards.map((cardId) => ({
		id: cardId,
		cardId,
		createdAt: now,
		fingerprint: cardId,
	}));
	memory.addRecent(listed, { from: 0, to: Infinity });
	expect(memory.dueCards).toEqual(cards);
	// Its event has not come yet.
	memory.addEvents('a', []);
	expect(memory.dueCards).toEqual(['b', 'c', 'a']);
});
