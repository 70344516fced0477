import {
	LATE_TRANSACTION_MS,
	MAX_CLOCK_DIFFERENCE_MS,
} from '../../nodes/CardPlatform/api/assumptions';
import type { TimeRange } from '../../nodes/CardPlatform/api/recordFilter';
import { EventMemory } from '../../nodes/CardPlatform/polling/eventMemory';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-11-20T10:00:00Z');
const SETTINGS = {
	nodeId: 'n',
	baseUrl: 'https://api.example',
	lookBack: 30 * DAY,
	recheckInterval: HOUR,
};

/** A transaction, with the name of its card. */
const on = (cardId: string, createdAt = NOW) => ({
	id: cardId,
	cardId,
	createdAt,
	fingerprint: cardId,
});

test('cards that wait for events take turns, so that an overload delays each, and none for ever', () => {
	const memory = new EventMemory(undefined, SETTINGS, NOW);
	const cards = ['a', 'b', 'c'];
	memory.addRecent(
		cards.map((cardId) => on(cardId)),
		{ from: 0, to: Infinity },
	);
	expect(memory.dueCards).toEqual(cards);
	// Its event has not come yet.
	memory.addEvents('a', []);
	expect(memory.dueCards).toEqual(['b', 'c', 'a']);
});

test('of the cards that can be read, the one that was read last is known', () => {
	const memory = new EventMemory(undefined, SETTINGS, NOW);
	memory.addRecent(
		['a', 'b', 'c', 'd'].map((cardId) => on(cardId)),
		{ from: 0, to: Infinity },
	);
	expect(memory.readLast).toBeUndefined();
	for (const [at, cardId] of ['b', 'c', 'a'].entries()) {
		const later = new EventMemory(memory.state, SETTINGS, NOW + at);
		later.addEvents(cardId, []);
		later.end([]);
		Object.assign(memory.state, later.state);
	}
	const last = new EventMemory(memory.state, SETTINGS, NOW + HOUR);
	expect(last.readLast).toBe('a');
	last.addFailure('a');
	expect(last.readLast).toBe('c');
});

test('an event that is missing from a list of 102 for a while is no news when it is back', () => {
	const memory = new EventMemory(undefined, SETTINGS, NOW);
	const createdAt = new Date(NOW).toISOString();
	const events = Array.from({ length: 102 }, (_, id) => ({ id: String(id), createdAt }));
	expect(memory.addEvents('a', events)).toHaveLength(102);
	expect(memory.addEvents('a', events.slice(0, -1))).toEqual([]);
	expect(memory.addEvents('a', events)).toEqual([]);
});

test('the newest cards are those with the newest transactions', () => {
	const memory = new EventMemory(undefined, SETTINGS, NOW);
	const listed = [on('a', NOW - 2), on('b', NOW), on('c', NOW - 3), on('d', NOW - 1)];
	memory.addRecent(listed, { from: 0, to: Infinity });
	expect(memory.newestCards(3)).toEqual(['b', 'd', 'a']);
});

describe('what is listed leaves no gap', () => {
	/** The ranges that a poll lists, none of which has a transaction. */
	function rangesOf(memory: EventMemory) {
		const recent: TimeRange[] = [];
		const earlier: TimeRange[] = [];
		for (let range = memory.recent; range; range = memory.recent) {
			recent.push(range);
			memory.addRecent([], range);
		}
		for (let range = memory.earlier; range; range = memory.earlier) {
			earlier.push(range);
			memory.addEarlier([], range);
		}
		return { recent, earlier };
	}
	const startsOf = (ranges: TimeRange[]) => ranges.map(({ from }) => from);
	const endsOf = (ranges: TimeRange[]) => ranges.map(({ to }) => to);

	/** What a first poll stores. */
	function firstPoll() {
		const memory = new EventMemory(undefined, SETTINGS, NOW);
		rangesOf(memory);
		memory.end([]);
		return memory.state;
	}

	test('what finds out the last of the old must be stored', () => {
		const first = new EventMemory(undefined, SETTINGS, NOW);
		first.addRecent([], { from: 0, to: Infinity });
		first.end([]);
		const next = new EventMemory(first.state, SETTINGS, NOW + HOUR);
		expect(next.mustStore).toBe(false);
		rangesOf(next);
		expect(next.mustStore).toBe(true);
	});

	test('the first poll lists all of Look Back, from the newest, and nothing twice', () => {
		const { recent, earlier } = rangesOf(new EventMemory(undefined, SETTINGS, NOW));
		expect(endsOf(earlier)).toEqual([recent[0]?.from, ...startsOf(earlier).slice(0, -1)]);
		expect(startsOf(earlier).at(-1)).toBe(NOW - SETTINGS.lookBack);
	});

	test('a day and an hour without polls are no pause', () => {
		const state = firstPoll();
		const memory = new EventMemory(state, SETTINGS, NOW + DAY + HOUR);
		expect(memory.recent?.to).toBe(Infinity);
	});

	test.each([
		[100, 2],
		[101, 1],
	])('after a day with %d transactions, the next range has %d', (count, days) => {
		const memory = new EventMemory(firstPoll(), SETTINGS, NOW + 20 * DAY);
		const range = memory.recent ?? { from: 0, to: 0 };
		const listed = Array.from({ length: count }, (_, each) => on(String(each), range.from));
		memory.addRecent(listed, range);
		expect(memory.recent).toEqual({ from: range.to, to: range.to + days * DAY });
	});

	test('after a list of a day that has failed for weeks', () => {
		const state = firstPoll();
		const relist = { from: NOW - 20 * DAY, to: NOW - DAY };
		const memory = new EventMemory({ ...state, relist }, SETTINGS, NOW + HOUR);
		const { recent, earlier } = rangesOf(memory);
		expect(endsOf(earlier)).toEqual([...startsOf(earlier).slice(1), recent[0]?.from]);
		expect(startsOf(earlier)[0]).toBe(relist.from);
		expect(earlier.map(({ from, to }) => Math.ceil((to - from) / DAY))).toEqual([7, 7, 5]);
		expect(memory.state.relist).toBeUndefined();
	});

	test('a range that is cut short by a poll goes on from there', () => {
		const state = firstPoll();
		const memory = new EventMemory(structuredClone(state), SETTINGS, NOW + 20 * DAY);
		const range = memory.recent;
		if (range === undefined) throw new Error('There is nothing to list');
		const newest = range.to - HOUR / 2;
		memory.addRecent([on('a', newest)], range);
		memory.end([]);
		const next = new EventMemory(structuredClone(memory.state), SETTINGS, NOW + 20 * DAY + HOUR);
		expect(next.recent?.from).toBe(newest - LATE_TRANSACTION_MS);
		expect(next.recent?.to).toBe(newest - LATE_TRANSACTION_MS + DAY);
	});

	test.each([
		[100, 'the hour before the newest together with those of a day', DAY + MAX_CLOCK_DIFFERENCE_MS],
		[101, 'them apart', LATE_TRANSACTION_MS],
	])('%d transactions of the last hour: once an hour %s', (count, _what, back) => {
		const memory = new EventMemory(undefined, SETTINGS, NOW);
		const listed = Array.from({ length: count }, (_, each) => on(String(each)));
		memory.addRecent(listed, { from: 0, to: Infinity });
		memory.end([]);
		const next = new EventMemory(memory.state, SETTINGS, NOW + HOUR);
		expect(next.recent?.from).toBe(NOW - back);
		expect(next.state.relist?.from).toBe(NOW - DAY - MAX_CLOCK_DIFFERENCE_MS);
	});

	test('events count from Look Back and a Recheck Interval before the newest transaction', () => {
		const state = firstPoll();
		const newest = NOW + 19 * DAY;
		const memory = new EventMemory(state, SETTINGS, NOW + 20 * DAY);
		memory.addRecent([on('a', newest)], { from: 0, to: Infinity });
		memory.end([]);
		expect(memory.state.horizon).toBe(newest - SETTINGS.lookBack - SETTINGS.recheckInterval);
	});
});
