import { MAX_CLOCK_DIFFERENCE_MS } from '../../nodes/CardPlatform/api/assumptions';
import { parseEventTypes } from '../../nodes/CardPlatform/events/eventTypes';
import { parseTriggerFilters } from '../../nodes/CardPlatform/events/triggerParameters';
import { poll } from '../../nodes/CardPlatform/polling/poll';
import type { PollSettings } from '../../nodes/CardPlatform/polling/settings';
import {
	decodeState,
	encodeState,
	shareOfMaximum,
	type StoredState,
} from '../../nodes/CardPlatform/polling/state';
import { FakeCardApi, idOf } from '../support/fakeCardApi';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** All events of one card. */
const onlyOf = (cardId: string): PollSettings['choice'] => ({
	...parseEventTypes(['all'], 'Trigger On', false),
	matches: (event) => event.cardId === cardId,
});

/** A trigger that polls the fake API; its state goes through JSON each time, as in n8n. */
function createTrigger(api: FakeCardApi, more: Partial<PollSettings> = {}) {
	let stored: StoredState | undefined;
	const settings: PollSettings = {
		nodeId: 'n',
		baseUrl: 'x',
		startFrom: '',
		lookBack: 30 * DAY,
		recheckInterval: HOUR,
		choice: parseEventTypes(['all'], 'Trigger On', false),
		replaysNewest: false,
		now: () => api.now,
		deadline: Infinity,
		batchSize: 500,
		maxEvents: 1_000,
		...more,
	};
	const trigger = {
		settings,
		/** What it polls. */
		api,
		/** The IDs of the events of a poll, and the requests that it took. */
		async poll() {
			const before = trigger.api.requests;
			const known = decodeState(stored, settings.nodeId);
			const { state, events, ...more } = await poll(known, trigger.api, settings);
			stored = JSON.parse(JSON.stringify(encodeState(state)));
			const requests = trigger.api.requests - before;
			return { ids: events.map(idOf), requests, ...more };
		},
		bytes: () => JSON.stringify(stored).length,
		stored(): StoredState {
			if (stored === undefined) throw new Error('It has not polled yet');
			return stored;
		},
	};
	return trigger;
}

/** Transactions of cards, spread over the last 29 days. */
function createApi(cards: number, perCard: number): FakeCardApi {
	const api = new FakeCardApi();
	for (let number = 0; number < cards * perCard; number++) {
		api.purchase(`card-${number % cards}`, {
			ago: 2 * HOUR + (number * 29 * DAY) / (cards * perCard),
		});
	}
	return api;
}

describe('requests', () => {
	/** Polls every minute for two hours, without any event; gives the requests of the second hour. */
	async function perHour(cards: number, interval = MINUTE) {
		const api = createApi(cards, 1);
		const trigger = createTrigger(api);
		await trigger.poll();
		let requests = 0;
		for (let time = 0; time < 2 * HOUR; time += interval) {
			api.now += interval;
			const result = await trigger.poll();
			if (time >= HOUR) requests += result.requests;
		}
		return requests;
	}

	test.each([
		[10, MINUTE, 60 + 10],
		[10, HOUR, 1 + 10],
		[250, MINUTE, 60 + 250],
		[250, HOUR, 1 + 250],
	])('%i cards, polled every %i ms: %i in an hour', async (cards, interval, expected) => {
		const requests = await perHour(cards, interval);
		// And old transactions are listed again, a day each half hour.
		expect(requests - expected).toBeGreaterThanOrEqual(0);
		expect(requests - expected).toBeLessThanOrEqual(3);
	});

	test('the first round visits each card once, though it lists a part at a time', async () => {
		const api = createApi(10, 20);
		const trigger = createTrigger(api, { batchSize: 20 });
		await trigger.poll();
		expect(api.visited).toHaveLength(10);
	});

	test('after a day without polls, each card is visited once', async () => {
		const api = createApi(10, 1);
		const trigger = createTrigger(api);
		await trigger.poll();
		api.now += DAY;
		api.visited.length = 0;
		await trigger.poll();
		expect(api.visited).toHaveLength(10);
		await trigger.poll();
		expect(api.visited).toHaveLength(10);
	});

	test('polls that come a little early visit each card', async () => {
		const api = createApi(10, 1);
		const trigger = createTrigger(api);
		await trigger.poll();
		for (let count = 0; count < 3; count++) {
			api.visited.length = 0;
			api.now += HOUR - 10;
			await trigger.poll();
			expect(api.visited).toHaveLength(10);
		}
	});

	test('a rate limit after the list of transactions keeps what was read', async () => {
		const api = createApi(10, 1);
		const trigger = createTrigger(api);
		await trigger.poll();
		api.now += HOUR;
		api.failures.set(api.requests + 1, 429);
		expect(await trigger.poll()).toMatchObject({ ids: [], endedEarly: 'rate limit' });
	});

	test("after n8n's clock was a day ahead, cards are still visited", async () => {
		const api = createApi(10, 1);
		const trigger = createTrigger(api, { now: () => api.now + DAY });
		await trigger.poll();
		trigger.settings.now = () => api.now;
		api.visited.length = 0;
		for (let minute = 0; minute < 120; minute++) {
			api.now += MINUTE;
			await trigger.poll();
		}
		expect(api.visited.length).toBeGreaterThanOrEqual(10);
		expect(api.visited.length).toBeLessThanOrEqual(20);
	});

	test('a new event costs one more', async () => {
		const api = createApi(10, 1);
		const trigger = createTrigger(api);
		await trigger.poll();
		api.purchase('card-3');
		expect((await trigger.poll()).requests).toBe(2);
		expect((await trigger.poll()).requests).toBe(1);
	});
});

test('the state takes about 60 bytes for a card and 8 for an event', async () => {
	const api = createApi(250, 8);
	const trigger = createTrigger(api);
	await trigger.poll();
	expect(trigger.bytes()).toBeLessThan(250 * 60 + 2_000 * 8 + 500);
	expect(trigger.bytes()).toBeGreaterThan(2_000 * 8);
});

test('an API that ignores the end of a range is read at once', async () => {
	const api = new FakeCardApi();
	api.ignoresEnd = true;
	for (let number = 0; number < 200; number++)
		api.purchase(`c${number % 7}`, { ago: number * DAY });
	const start = api.now - 400 * DAY;
	const trigger = createTrigger(api, { startFrom: 'typed', start, batchSize: 10 });
	expect((await trigger.poll()).ids).toHaveLength(200);
	expect(api.listed).toHaveLength(3);
});

test('Start From emits past events in order, some in each poll', async () => {
	const api = createApi(40, 50);
	const trigger = createTrigger(api, {
		startFrom: 'typed',
		start: api.now - 20 * DAY,
		batchSize: 100,
		maxEvents: 300,
	});
	const portions: string[][] = [];
	for (;;) {
		const { ids } = await trigger.poll();
		if (ids.length === 0) break;
		portions.push(ids);
	}
	const times = portions.flat().map((id) => api.timeOf(id));
	expect(times).toEqual([...times].sort((a, b) => a - b));
	expect(new Set(portions.flat()).size).toBe(times.length);
	expect(times.length).toBe(api.countSince(api.now - 20 * DAY));
	expect(Math.max(...portions.map(({ length }) => length))).toBeLessThan(500);
});

test('after a day of downtime, events come in order, though they are many', async () => {
	const api = createApi(50, 2);
	const trigger = createTrigger(api, { batchSize: 50 });
	await trigger.poll();
	const expected: string[] = [];
	for (let number = 0; number < 300; number++) {
		api.now += DAY / 300;
		expected.push(api.purchase(`card-${number % 70}`).eventId);
	}
	expect((await trigger.poll()).ids).toEqual(expected);
});

test('while behind, it reads longer ranges when they have few transactions, shorter when too many', async () => {
	const api = new FakeCardApi();
	const start = api.now - 400 * DAY;
	for (const [day, count] of [
		[0.5, 1],
		[2, 2],
		[6, 3],
		[7.5, 4],
		[8.5, 5],
		[20, 4],
	] as const) {
		for (let number = 0; number < count; number++)
			api.purchase(`card-${day}-${number}`, { ago: (400 - day) * DAY });
	}
	const trigger = createTrigger(api, { startFrom: 'typed', start, batchSize: 8 });
	expect((await trigger.poll()).ids).toHaveLength(19);
	const ends = api.listed.map(({ to = Infinity }) => (to - start) / DAY);
	// Twice as long after a range with less than a quarter of a batch, half as long after one with more than a batch.
	expect(ends.filter((end) => end < Infinity)).toEqual([1, 3, 5, 9, 7, 9, 8, 9]);
});

test('cards are visited in the order of their oldest new transactions', async () => {
	const api = createApi(3, 1);
	const trigger = createTrigger(api);
	await trigger.poll();
	api.visited.length = 0;
	for (const cardId of ['card-2', 'card-0', 'card-1', 'card-2']) {
		api.now++;
		api.purchase(cardId);
	}
	await trigger.poll();
	expect(api.visited).toEqual(['card-2', 'card-0', 'card-1']);
});

test('the events of one time come by card, those of a card in the order in which they happened', async () => {
	const api = createApi(1, 5);
	const trigger = createTrigger(api);
	await trigger.poll();
	const made = ['card-3', 'card-0', 'card-2', 'card-1'].map((cardId) => {
		const { id, eventId } = api.purchase(cardId);
		return { cardId, ids: [eventId, api.addEvent(id)] };
	});
	const byCard = made.sort((a, b) => a.cardId.localeCompare(b.cardId));
	expect((await trigger.poll()).ids).toEqual(byCard.flatMap(({ ids }) => ids));
});

test('events that do not match are not emitted', async () => {
	const api = createApi(3, 1);
	const trigger = createTrigger(api, { choice: onlyOf('card-1') });
	await trigger.poll();
	api.purchase('card-0');
	const { eventId } = api.purchase('card-1');
	expect((await trigger.poll()).ids).toEqual([eventId]);
});

describe('with Approved, a purchase is emitted once', () => {
	const approval = (amount: string) => ({ amount, isSuccess: true, amountDirection: 'debit' });
	const refund = { amount: '5', isSuccess: true, amountDirection: 'credit' };

	/** Polls a purchase, and then its later events, with an amount that the filter wants. */
	async function pollTwice(first: string, minimumAmount: string, everyApproval = false) {
		const api = createApi(1, 1);
		const choice = parseTriggerFilters({ minimumAmount }, 'approved,refunded', everyApproval);
		const trigger = createTrigger(api, { choice });
		await trigger.poll();
		const { id, eventId } = api.purchase('card-1', {}, approval(first));
		const firstPoll = (await trigger.poll()).ids;
		api.now += HOUR;
		const later = [approval('10'), refund, refund, approval('20')].map((event) =>
			api.addEvent(id, event),
		);
		return { eventId, later, polls: [firstPoll, (await trigger.poll()).ids] };
	}

	test('with its first event; refunds are emitted each', async () => {
		const { eventId, later, polls } = await pollTwice('5', '1');
		expect(polls).toEqual([[eventId], [later[1], later[2]]]);
	});

	test('with the first event that passes the filters', async () => {
		const { later, polls } = await pollTwice('1', '5');
		expect(polls).toEqual([[], [later[0], later[1], later[2]]]);
	});

	test('unless each approval is wanted', async () => {
		const { eventId, later, polls } = await pollTwice('5', '1', true);
		expect(polls).toEqual([[eventId], later]);
	});

	test('not at all if it is older than the trigger', async () => {
		const api = createApi(1, 1);
		const choice = parseEventTypes('approved', 'Trigger On', false);
		const { id } = api.purchase('card-1', { ago: HOUR }, approval('5'));
		const trigger = createTrigger(api, { choice });
		await trigger.poll();
		api.addEvent(id, approval('5'));
		api.now += HOUR;
		expect((await trigger.poll()).ids).toEqual([]);
	});
});

describe('a poll that ends early', () => {
	test('as its time is up: it begins nothing from that moment on', async () => {
		const api = createApi(3, 1);
		const trigger = createTrigger(api);
		await trigger.poll();
		const { eventId } = api.purchase('card-0');
		trigger.settings.deadline = api.now;
		expect(await trigger.poll()).toMatchObject({ ids: [], endedEarly: 'time', requests: 0 });
		api.beforeResponse = () => api.now++;
		trigger.settings.deadline = api.now + 1;
		expect(await trigger.poll()).toMatchObject({ ids: [], endedEarly: 'time', requests: 1 });
		trigger.settings.deadline = Infinity;
		expect((await trigger.poll()).ids).toEqual([eventId]);
	});

	test('fails if the API limits the rate before anything was read', async () => {
		const api = createApi(3, 1);
		const trigger = createTrigger(api);
		await trigger.poll();
		api.failures.set(api.requests, 429);
		await expect(trigger.poll()).rejects.toThrow('status 429');
	});

	test('is continued with the cards that it has not visited', async () => {
		const api = createApi(3, 1);
		api.mapConcurrent = async (items, task) => {
			for (const item of items) await task(item);
		};
		const trigger = createTrigger(api);
		await trigger.poll();
		const made = ['card-0', 'card-0', 'card-0', 'card-1', 'card-2'].map((cardId) => {
			api.now++;
			return api.purchase(cardId).eventId;
		});
		// The list and two cards succeed.
		api.failures.set(api.requests + 3, 429);
		expect(await trigger.poll()).toMatchObject({ ids: made.slice(0, 4), endedEarly: 'rate limit' });
		api.visited.length = 0;
		expect((await trigger.poll()).ids).toEqual(made.slice(4));
		expect(api.visited).toEqual(['card-2']);
	});
});

test('a transaction with a time far ahead does not hide others', async () => {
	const api = createApi(3, 1);
	const trigger = createTrigger(api);
	await trigger.poll();
	const wrong = api.purchase('card-0', { ago: -2_000 * DAY });
	expect((await trigger.poll()).ids).toEqual([wrong.eventId]);
	api.now += 2 * HOUR;
	const next = api.purchase('card-new');
	expect((await trigger.poll()).ids).toEqual([next.eventId]);
	expect((await trigger.poll()).ids).toEqual([]);
});

describe('a transaction with a time ahead of the clock', () => {
	test.each([1, 2, 24, 48_000])('by %i hours delays no other', async (hours) => {
		const api = createApi(3, 1);
		const trigger = createTrigger(api);
		await trigger.poll();
		const wrong = api.purchase('card-0', { ago: -hours * HOUR });
		expect((await trigger.poll()).ids).toEqual([wrong.eventId]);
		for (let minute = 0; minute < 3; minute++) {
			api.now += MINUTE;
			const { eventId } = api.purchase(`card-new-${minute}`);
			expect((await trigger.poll()).ids).toEqual([eventId]);
		}
		expect(await trigger.poll()).toMatchObject({ ids: [], requests: 1 });
	});

	test.each([
		['the API', () => Date.UTC(2026, 0, 31)],
		['the API and n8n', undefined],
	])('as that of %s was a day ahead, and then right: delays no other', async (_, now) => {
		const api = createApi(3, 1);
		const trigger = createTrigger(api, now && { now });
		await trigger.poll();
		api.now += DAY;
		const ahead = api.purchase('card-0');
		expect((await trigger.poll()).ids).toEqual([ahead.eventId]);
		api.now -= DAY;
		const { eventId } = api.purchase('card-new');
		expect((await trigger.poll()).ids).toEqual([eventId]);
		expect((await trigger.poll()).ids).toEqual([]);
	});

	test('is read together with others like it, also if they are many and time passes', async () => {
		const api = createApi(3, 1);
		const trigger = createTrigger(api, { batchSize: 5 });
		await trigger.poll();
		const ahead = Array.from({ length: 40 }, (__, number) =>
			api.purchase(`card-${number}`, { ago: -2 * HOUR - number }),
		);
		api.now += HOUR;
		api.beforeResponse = () => api.now++;
		expect(await trigger.poll()).toMatchObject({ ids: ahead.map(({ eventId }) => eventId) });
		// And old transactions are listed again, a day each half hour.
		expect((await trigger.poll()).requests).toBeLessThan(8);
		api.now += 3 * HOUR;
		expect((await trigger.poll()).ids).toEqual([]);
	});
});

test('a longer Look Back emits no events that were too old before', async () => {
	const api = new FakeCardApi();
	const trigger = createTrigger(api, { lookBack: 2 * DAY });
	await trigger.poll();
	api.purchase('card-1');
	await trigger.poll();
	api.now += 5 * DAY;
	api.purchase('card-2');
	await trigger.poll();
	trigger.settings.lookBack = 30 * DAY;
	api.now += HOUR;
	expect((await trigger.poll()).ids).toEqual([]);
	api.purchase('card-1');
	expect((await trigger.poll()).ids).toHaveLength(1);
});

test('a card whose last transaction is too old is forgotten', async () => {
	const api = new FakeCardApi();
	const trigger = createTrigger(api);
	await trigger.poll();
	api.purchase('card-1');
	await trigger.poll();
	const withOne = trigger.bytes();
	api.now += 40 * DAY;
	api.purchase('card-2');
	await trigger.poll();
	await trigger.poll();
	expect(trigger.bytes()).toBeLessThanOrEqual(withOne);
});

test('a card whose last transaction is just as old as Look Back is not forgotten', async () => {
	const api = createApi(1, 1);
	const trigger = createTrigger(api, { lookBack: 2 * DAY });
	await trigger.poll();
	for (const [cardId, pause] of [
		['card-1', 0],
		['card-2', 2 * DAY],
		['card-1', 1],
	] as const) {
		api.now += pause;
		const { eventId } = api.purchase(cardId);
		expect((await trigger.poll()).ids).toEqual([eventId]);
	}
});

test('another API, or another Start From, starts afresh', async () => {
	const api = createApi(3, 1);
	const trigger = createTrigger(api);
	await trigger.poll();
	trigger.settings.baseUrl = 'y';
	expect((await trigger.poll()).ids).toEqual([]);
	trigger.settings.startFrom = 'typed';
	trigger.settings.start = api.now - 40 * DAY;
	expect((await trigger.poll()).ids).toHaveLength(3);
});

test('for another API, events before the first poll are old, which must be stored', async () => {
	const api = createApi(3, 1);
	const trigger = createTrigger(api);
	expect((await trigger.poll()).isFirstRound).toBe(true);
	expect((await trigger.poll()).isFirstRound).toBe(false);
	trigger.settings.baseUrl = 'y';
	expect((await trigger.poll()).isFirstRound).toBe(true);
});

describe('Start From', () => {
	test('includes the moment itself', async () => {
		const api = new FakeCardApi();
		api.purchase('card-0', { ago: 10 * DAY + 1 });
		const { eventId } = api.purchase('card-0', { ago: 10 * DAY });
		const trigger = createTrigger(api, { startFrom: 'typed', start: api.now - 10 * DAY });
		expect((await trigger.poll()).ids).toEqual([eventId]);
	});

	test('also emits what appears with that time after the first visit of its card', async () => {
		const api = new FakeCardApi();
		api.purchase('card-0', { ago: 20 * DAY });
		const made = ['card-0', 'card-1', 'card-2'].map(
			(cardId, index) => api.purchase(cardId, { ago: (10 - index) * DAY }).eventId,
		);
		const start = api.now - 10 * DAY;
		const trigger = createTrigger(api, { startFrom: 'typed', start, batchSize: 1 });
		api.beforeResponse = () => {
			if (made.length === 3 && api.visited.length > 0)
				made.splice(1, 0, api.purchase('card-0', { ago: 10 * DAY }).eventId);
		};
		expect((await trigger.poll()).ids).toEqual(made);
	});

	test('can be removed after all past events were emitted', async () => {
		const api = createApi(3, 1);
		const trigger = createTrigger(api, { startFrom: 'typed', start: api.now - 40 * DAY });
		expect((await trigger.poll()).ids).toHaveLength(3);
		const { eventId } = api.purchase('card-0');
		trigger.settings.startFrom = '';
		delete trigger.settings.start;
		expect((await trigger.poll()).ids).toEqual([eventId]);
		expect((await trigger.poll()).ids).toEqual([]);
	});

	test('ends the past events when it is removed before', async () => {
		const api = createApi(3, 20);
		const more = { startFrom: 'typed', start: api.now - 40 * DAY, batchSize: 10, maxEvents: 20 };
		const trigger = createTrigger(api, more);
		expect((await trigger.poll()).ids.length).toBeLessThan(60);
		trigger.settings.startFrom = '';
		delete trigger.settings.start;
		for (let count = 0; count < 10; count++) expect((await trigger.poll()).ids).toEqual([]);
	});

	test('long ago needs no more memory than Look Back', async () => {
		const api = new FakeCardApi();
		for (let day = 1; day < 400; day++) api.purchase(`card-${day % 40}`, { ago: day * DAY });
		const start = api.now - 400 * DAY;
		const settings = { startFrom: 'typed', start, lookBack: 10 * DAY, batchSize: 10 };
		const trigger = createTrigger(api, { ...settings, maxEvents: 20 });
		const found: unknown[] = [];
		let longest = 0;
		while (found.length < 399) {
			found.push(...(await trigger.poll()).ids);
			longest = Math.max(longest, trigger.stored().cards.length);
		}
		expect(new Set(found).size).toBe(399);
		expect(longest).toBeLessThan(40);
	});
});

test('without Start From, what appears while the first round runs is new, unless it is long past', async () => {
	const api = createApi(3, 1);
	const made: string[] = [];
	api.beforeResponse = () => {
		// The first request lists what is old.
		if (api.requests !== 2) return;
		api.purchase('card-0', { ago: MAX_CLOCK_DIFFERENCE_MS + 1 });
		for (const ago of [MAX_CLOCK_DIFFERENCE_MS, HOUR, 0])
			made.push(api.purchase('card-0', { ago }).eventId);
	};
	const trigger = createTrigger(api);
	expect((await trigger.poll()).ids).toEqual(made);
	expect(made).toHaveLength(3);
	expect((await trigger.poll()).ids).toEqual([]);
});

test('null, which n8n may give before the first poll, is no state', () => {
	expect(decodeState(null, 'n')).toBeUndefined();
});

test('for a card without events, nothing but its transaction is remembered', async () => {
	const api = createApi(1, 1);
	api.changeEvents = () => [];
	const trigger = createTrigger(api);
	for (let count = 0; count < 3; count++) {
		await trigger.poll();
		api.now += HOUR;
		expect(trigger.stored().cards).toEqual([['card-0', expect.any(Number), '']]);
	}
});

test.each([{ version: 2, nodeId: 'n' }, { version: 1 }, 'text'])(
	'a state that cannot be read is not replaced: %j',
	(stored) => {
		expect(() => decodeState(stored, 'n')).toThrow('What the trigger has stored cannot be read');
	},
);

test('a new node does not go on with the state of a deleted one whose name it has', async () => {
	const api = createApi(3, 1);
	const trigger = createTrigger(api);
	await trigger.poll();
	expect(decodeState(trigger.stored(), 'n')).toBeDefined();
	expect(decodeState(trigger.stored(), 'other')).toBeUndefined();
	expect(decodeState({ version: 2, nodeId: 'n' }, 'other')).toBeUndefined();
});

describe('a key for another account', () => {
	test('emits no events, and changes nothing', async () => {
		const api = createApi(5, 1);
		const trigger = createTrigger(api);
		await trigger.poll();
		const before = trigger.stored();
		const other = new FakeCardApi();
		other.purchase('card-of-other', { ago: 10 * DAY });
		other.purchase('card-of-other');
		trigger.api = other;
		await expect(trigger.poll()).rejects.toThrow('no longer shows the cards');
		expect(trigger.stored()).toBe(before);

		trigger.api = api;
		const { eventId } = api.purchase('card-new');
		expect((await trigger.poll()).ids).toEqual([eventId]);
	});

	test('emits no events either if it has only old ones', async () => {
		const api = createApi(5, 1);
		const trigger = createTrigger(api);
		await trigger.poll();
		trigger.api = new FakeCardApi();
		for (let day = 1; day < 29; day++) trigger.api.purchase('card-of-other', { ago: day * DAY });
		const hourly = async () => {
			for (let hour = 0; hour < 30; hour++) {
				trigger.api.now = api.now += HOUR;
				expect((await trigger.poll()).ids).toEqual([]);
			}
		};
		await expect(hourly()).rejects.toThrow('no longer shows the cards');
	});

	test('is not suspected if there is no new card', async () => {
		const api = createApi(5, 1);
		const trigger = createTrigger(api, { recheckInterval: 1_000 * DAY });
		await trigger.poll();
		trigger.api = new FakeCardApi();
		expect(await trigger.poll()).toMatchObject({ ids: [], requests: 1 });
	});

	test.each([
		['no known transaction is listed', true, ['card-1', 'card-new'], 3],
		['a known transaction is listed', false, ['card-new'], 2],
	])('is not suspected if %s', async (_, isHidden, shown, requests) => {
		const api = createApi(5, 1);
		const trigger = createTrigger(api, { recheckInterval: 1_000 * DAY });
		await trigger.poll();
		api.changeEvents = (events) => events.filter(({ cardId }) => shown.includes(cardId ?? ''));
		if (isHidden) api.hiddenBefore = api.now;
		const { eventId } = api.purchase('card-new');
		expect(await trigger.poll()).toMatchObject({ ids: [eventId], requests });
	});
});

test('the newest known cards are gone for good: a new card is still found', async () => {
	const api = createApi(5, 1);
	const trigger = createTrigger(api, { recheckInterval: 1_000 * DAY });
	await trigger.poll();
	for (const cardId of ['card-0', 'card-1', 'card-2']) api.goneCards.add(cardId);
	// Their transactions are gone, too.
	api.hiddenBefore = api.now;
	const { eventId } = api.purchase('card-new');
	expect((await trigger.poll()).ids).toEqual([eventId]);
	expect((await trigger.poll()).ids).toEqual([]);
});

describe('after a crash', () => {
	/** Polls after each number of purchases, and again after a crash. */
	async function replayAfter(numbers: number[]) {
		const api = createApi(2, 1);
		const trigger = createTrigger(api);
		await trigger.poll();
		const polls: string[][] = [];
		for (const count of numbers) {
			api.now += 6 * MINUTE;
			const made: string[] = [];
			for (; made.length < count; api.now++) made.push(api.purchase('card-0').eventId);
			expect((await trigger.poll()).ids).toEqual(made);
			if (count > 0) polls.push(made);
		}
		trigger.settings.replaysNewest = true;
		const replayed = await trigger.poll();
		trigger.settings.replaysNewest = false;
		expect(await trigger.poll()).toMatchObject({ ids: [], requests: 1 });
		return { polls, replayed: replayed.ids };
	}

	test.each([[[1, 2]], [[1, 2, 0, 0]], [[1, 600, 401]]])(
		'the events of the newest poll that had some are emitted again: %j',
		async (numbers) => {
			const { polls, replayed } = await replayAfter(numbers);
			expect(replayed).toEqual(polls.at(-1));
		},
	);

	test('those of an old transaction too, before others that have happened since', async () => {
		const api = createApi(2, 1);
		const trigger = createTrigger(api, { recheckInterval: HOUR });
		await trigger.poll();
		const refund = api.addEvent('t0');
		api.now += HOUR;
		expect((await trigger.poll()).ids).toEqual([refund]);
		trigger.settings.replaysNewest = true;
		trigger.settings.maxEvents = 1;
		const { eventId } = api.purchase('card-0');
		expect((await trigger.poll()).ids).toEqual([refund]);
		trigger.settings.replaysNewest = false;
		expect((await trigger.poll()).ids).toEqual([eventId]);
	});

	test('those with a time ahead of the clock too', async () => {
		const api = createApi(2, 1);
		const trigger = createTrigger(api, { now: () => api.now - 5 * MINUTE });
		await trigger.poll();
		const { eventId } = api.purchase('card-0');
		expect((await trigger.poll()).ids).toEqual([eventId]);
		trigger.settings.replaysNewest = true;
		expect((await trigger.poll()).ids).toEqual([eventId]);
	});

	test('but not those of a card that was forgotten since', async () => {
		const api = createApi(2, 1);
		const trigger = createTrigger(api, { lookBack: 2 * DAY });
		trigger.settings.choice = onlyOf('card-0');
		await trigger.poll();
		const { eventId } = api.purchase('card-0');
		expect((await trigger.poll()).ids).toEqual([eventId]);
		api.now += 5 * DAY;
		api.purchase('card-1');
		await trigger.poll();
		await trigger.poll();
		expect(trigger.stored().cards.map(([cardId]) => cardId)).toEqual(['card-1']);
		trigger.settings.replaysNewest = true;
		expect((await trigger.poll()).ids).toEqual([]);
	});

	test('those that were read before a rate limit', async () => {
		const api = createApi(2, 1);
		const trigger = createTrigger(api);
		await trigger.poll();
		const { eventId } = api.purchase('card-0');
		await trigger.poll();
		trigger.settings.replaysNewest = true;
		api.failures.set(api.requests + 1, 429);
		expect(await trigger.poll()).toMatchObject({ ids: [eventId], endedEarly: 'rate limit' });
	});

	test('those that a poll with Start From had passed, however short Look Back is', async () => {
		const api = new FakeCardApi();
		for (let day = 1; day < 100; day++) api.purchase(`card-${day}`, { ago: day * DAY });
		const start = api.now - 400 * DAY;
		const trigger = createTrigger(api, { startFrom: 'typed', start, lookBack: DAY, batchSize: 10 });
		const { ids } = await trigger.poll();
		expect(ids).toHaveLength(99);
		trigger.settings.replaysNewest = true;
		expect((await trigger.poll()).ids).toEqual(ids);
	});

	test('what a poll left out as its time was up is emitted by the next one', async () => {
		const api = createApi(2, 1);
		const trigger = createTrigger(api);
		await trigger.poll();
		const made = ['card-0', 'card-1'].map((cardId) => api.purchase(cardId).eventId);
		expect((await trigger.poll()).ids).toEqual(made);
		trigger.settings.replaysNewest = true;
		trigger.settings.maxEvents = 1;
		api.mapConcurrent = async (items, task) => {
			for (const item of items) await task(item);
		};
		expect(await trigger.poll()).toMatchObject({ ids: made.slice(0, 1), endedEarly: 'events' });
		trigger.settings.replaysNewest = false;
		expect((await trigger.poll()).ids).toEqual(made.slice(1));
	});
});

describe('events that are missing from a list for some time', () => {
	test.each(['old', 'new'])('are not new when they are back: %s ones', async (which) => {
		const api = createApi(1, 150);
		const trigger = createTrigger(api);
		await trigger.poll();
		api.purchase('card-0');
		expect((await trigger.poll()).ids).toHaveLength(1);
		api.changeEvents = (events) => (which === 'old' ? [] : events.slice(1));
		api.now += HOUR;
		await trigger.poll();
		api.changeEvents = (events) => events;
		api.now += HOUR;
		expect((await trigger.poll()).ids).toEqual([]);
	});

	test('are not new when they are back, though others were new when they were missing', async () => {
		const api = createApi(1, 10);
		const trigger = createTrigger(api);
		await trigger.poll();
		const { eventId } = api.purchase('card-0');
		api.changeEvents = (events) => events.filter(({ id }) => id === eventId);
		expect((await trigger.poll()).ids).toEqual([eventId]);
		api.changeEvents = (events) => events;
		api.now += HOUR;
		expect((await trigger.poll()).ids).toEqual([]);
	});

	test('after a crash: are emitted again when they are back', async () => {
		const api = createApi(2, 1);
		const trigger = createTrigger(api);
		await trigger.poll();
		const { eventId } = api.purchase('card-0');
		expect((await trigger.poll()).ids).toEqual([eventId]);
		api.changeEvents = (events) => events.filter(({ id }) => id !== eventId);
		trigger.settings.replaysNewest = true;
		expect((await trigger.poll()).ids).toEqual([]);
		trigger.settings.replaysNewest = false;
		api.changeEvents = (events) => events;
		api.now += HOUR;
		expect((await trigger.poll()).ids).toEqual([eventId]);
	});

	test('are forgotten if the API lists only the newest', async () => {
		const api = createApi(1, 10);
		api.changeEvents = (events) => events.slice(0, 10);
		const trigger = createTrigger(api);
		await trigger.poll();
		const seen = () => trigger.stored().cards.map(([, , hashes]) => hashes.length);
		for (let count = 0; count < 120; count++) {
			api.now += MINUTE;
			const { eventId } = api.purchase('card-0');
			expect((await trigger.poll()).ids).toEqual([eventId]);
		}
		expect(seen()).toEqual([(10 + 100) * 8]);
	});
});

describe('an event without a field', () => {
	test('without a time, after old ones: it is found', async () => {
		const api = new FakeCardApi();
		api.purchase('card-0', { ago: 50 * DAY });
		api.purchase('card-1', { ago: DAY });
		const trigger = createTrigger(api);
		await trigger.poll();
		const { eventId } = api.purchase('card-0');
		api.changeEvents = (events) =>
			events.map((event) => (event.id === eventId ? { ...event, createdAt: 'unknown' } : event));
		expect((await trigger.poll()).ids).toEqual([eventId]);
		expect((await trigger.poll()).ids).toEqual([]);
	});

	test('without its transaction, from before the workflow was published: it is old', async () => {
		const api = createApi(1, 2);
		api.purchase('card-0', { ago: HOUR });
		api.changeEvents = (events) => events.map((event) => ({ ...event, transactionId: undefined }));
		const trigger = createTrigger(api);
		expect((await trigger.poll()).ids).toEqual([]);
		const { eventId } = api.purchase('card-0');
		expect((await trigger.poll()).ids).toEqual([eventId]);
	});
});

describe('a clock of n8n that is wrong', () => {
	test('a day ahead: a short Look Back hides nothing', async () => {
		const api = createApi(3, 1);
		const ahead = { lookBack: DAY, now: () => api.now + 25 * HOUR };
		const trigger = createTrigger(api, ahead);
		await trigger.poll();
		const { eventId } = api.purchase('card-0');
		expect((await trigger.poll()).ids).toEqual([eventId]);
	});

	test('a year ahead for one poll: a transaction that appears late is still found', async () => {
		const api = createApi(3, 1);
		const trigger = createTrigger(api);
		await trigger.poll();
		trigger.settings.now = () => api.now + 365 * DAY;
		await trigger.poll();
		trigger.settings.now = () => api.now;
		await trigger.poll();
		api.purchase('card-0');
		await trigger.poll();
		const late = api.purchase('card-new', { ago: 5 * DAY });
		const found: unknown[] = [];
		for (let hour = 0; hour < 26; hour++) {
			api.now += HOUR;
			found.push(...(await trigger.poll()).ids);
		}
		expect(found).toEqual([late.eventId]);
	});
});

test('old transactions are listed again a day at a time, so that the rate can be limited', async () => {
	const api = createApi(10, 30);
	const trigger = createTrigger(api);
	await trigger.poll();
	for (let count = 0; count < 40; count++) {
		api.now += HOUR;
		await trigger.poll();
	}
	const ranges = api.listed.filter(({ to = Infinity }) => to < Infinity);
	expect(ranges).toHaveLength(40);
	for (const { from, to = Infinity } of ranges) expect(to - from).toBe(DAY);
	const days = ranges.map(({ from }) => Math.round((api.now - from) / DAY));
	expect(new Set(days).size).toBeGreaterThanOrEqual(30);
});

test('old transactions are listed again each half hour, the oldest again after the newest', async () => {
	const api = new FakeCardApi();
	const oldest = api.now - 2 * DAY;
	api.purchase('card-0', { ago: DAY });
	const trigger = createTrigger(api, { lookBack: 2 * DAY });
	await trigger.poll();
	const ranges = () => api.listed.filter(({ to = Infinity }) => to < Infinity);
	for (const count of [1, 2]) {
		api.now += 30 * MINUTE - 1;
		await trigger.poll();
		expect(ranges()).toHaveLength(count - 1);
		api.now++;
		await trigger.poll();
		expect(ranges()).toHaveLength(count);
	}
	expect(ranges().map(({ from }) => from)).toEqual([oldest, oldest]);
});

test('a transaction that appears late, before its events do, is found when it is listed again', async () => {
	const api = createApi(3, 1);
	const trigger = createTrigger(api);
	await trigger.poll();
	const { eventId } = api.purchase('card-new', { ago: 5 * DAY });
	api.changeEvents = (events) => events.filter(({ id }) => id !== eventId);
	const pollEachHour = async () => {
		const found: unknown[] = [];
		for (let hour = 0; hour < 31; hour++) {
			api.now += HOUR;
			found.push(...(await trigger.poll()).ids);
		}
		return found;
	};
	expect(await pollEachHour()).toEqual([]);
	api.changeEvents = (events) => events;
	expect(await pollEachHour()).toEqual([eventId]);
});

test.each([
	['weekly', 28 * DAY, {}, () => 7 * DAY],
	['each weekday', 28 * DAY, {}, (count: number) => (count % 5 === 4 ? 3 * DAY : DAY)],
	['daily, but for three days', 28 * DAY, {}, (count: number) => (count === 3 ? 4 * DAY : DAY)],
	[
		'hourly, from a past start',
		31 * HOUR,
		{ startFrom: 'x', start: Date.UTC(2025, 0, 31) },
		() => HOUR,
	],
])(
	'a transaction that appears days late is found: polled %s',
	async (_name, within, settings, pause) => {
		const api = createApi(3, 1);
		const trigger = createTrigger(api, settings);
		let count = 0;
		const pollNext = async () => {
			api.now += pause(count++);
			api.purchase('card-0');
			return (await trigger.poll()).ids;
		};
		await trigger.poll();
		for (let warmUp = 0; warmUp < 10; warmUp++) await pollNext();
		const late = api.purchase('card-late', { ago: 3 * DAY });
		const end = api.now + within;
		const found: string[] = [];
		while (api.now < end) found.push(...(await pollNext()));
		expect(found).toContain(late.eventId);
	},
);

test('a transaction that appears up to an hour late is found at once', async () => {
	const api = createApi(3, 1);
	const trigger = createTrigger(api);
	await trigger.poll();
	api.purchase('card-0');
	await trigger.poll();
	const late = api.purchase('card-new', { ago: 59 * MINUTE });
	expect((await trigger.poll()).ids).toEqual([late.eventId]);
});

test('a card is not visited again for a transaction that was found up to an hour ago', async () => {
	const api = createApi(3, 1);
	const trigger = createTrigger(api, { recheckInterval: 1_000 * DAY });
	await trigger.poll();
	api.purchase('card-0');
	await trigger.poll();
	api.now += HOUR;
	api.purchase('card-1');
	await trigger.poll();
	expect((await trigger.poll()).requests).toBe(1);
});

describe('a state that is too long', () => {
	test('fails the poll and names the option to change, and a shorter Look Back makes it shorter', async () => {
		const api = createApi(20, 30);
		const trigger = createTrigger(api);
		await trigger.poll();
		await trigger.poll();
		const stored = trigger.stored();
		const longest = trigger.bytes() - 1;
		expect(() => shareOfMaximum(stored, longest)).toThrow('Too many cards and events to track');
		expect(shareOfMaximum(stored, longest + 1)).toBe(1);
		expect(shareOfMaximum(stored, 2 * longest)).toBeLessThan(0.6);

		trigger.settings.lookBack = 10 * DAY;
		api.now += 2 * HOUR;
		await trigger.poll();
		expect(shareOfMaximum(trigger.stored(), longest)).toBeLessThan(0.6);
	});
});

test('of a card with 2 000 events, each is emitted once, in order', async () => {
	const api = new FakeCardApi();
	const trigger = createTrigger(api);
	await trigger.poll();
	for (let number = 0; number < 2_000; number++) {
		api.now += 10;
		api.purchase('card-1');
	}
	const found: unknown[] = [];
	for (let count = 0; count < 5; count++) found.push(...(await trigger.poll()).ids);
	const listed = (await api.events('card-1')).map(({ id }) => id);
	expect(found).toEqual(listed.reverse());
	expect(found).toHaveLength(2_000);
});

describe('a card whose events cannot be read', () => {
	/** Published with five cards; one that visits no card unless it must. */
	async function publish(more: Partial<PollSettings> = {}) {
		const api = createApi(5, 1);
		const trigger = createTrigger(api, { recheckInterval: 1_000 * DAY, ...more });
		await trigger.poll();
		return { api, trigger };
	}

	test.each(['card-0', 'card-new'])(
		'does not stop the others, and loses nothing: %s',
		async (cardId) => {
			const { api, trigger } = await publish();
			api.brokenCards.add(cardId);
			const missed = [api.purchase(cardId).eventId];
			const other = api.purchase('card-1').eventId;
			expect(await trigger.poll()).toMatchObject({ ids: [other], failed: [cardId] });

			api.now += 2 * HOUR;
			missed.push(api.purchase(cardId).eventId);
			expect(await trigger.poll()).toMatchObject({ ids: [], failed: [] });
			// So that its first transaction is no longer read again.
			api.now += 5 * HOUR;
			const later = api.purchase('card-2').eventId;
			expect(await trigger.poll()).toMatchObject({ ids: [later], failed: [] });

			api.brokenCards.clear();
			expect(await trigger.poll()).toMatchObject({ ids: missed, failed: [] });
			expect(await trigger.poll()).toMatchObject({ ids: [], requests: 1 });
		},
	);

	test('is visited last, so that the others have time however slowly it fails', async () => {
		const { api, trigger } = await publish();
		const events = api.events;
		api.events = async (cardId) => {
			if (api.brokenCards.has(cardId)) api.now += 30_000;
			return await events(cardId);
		};
		api.brokenCards.add('card-0');
		for (const cardId of ['card-0', 'card-1', 'card-0', 'card-2']) {
			api.now += MINUTE;
			const { eventId } = api.purchase(cardId);
			trigger.settings.deadline = api.now + 29_000;
			expect((await trigger.poll()).ids).toEqual(cardId === 'card-0' ? [] : [eventId]);
		}
	});

	test('does not delay others, with more transactions than are read together, oldest first', async () => {
		const { api, trigger } = await publish({ batchSize: 20 });
		api.listsOldestFirst = true;
		api.brokenCards.add('card-0');
		for (let count = 0; count < 25; count++) {
			api.now += MINUTE;
			api.purchase('card-0');
		}
		const { eventId } = api.purchase('card-1');
		expect(await trigger.poll()).toMatchObject({ ids: [eventId], endedEarly: undefined });
	});

	test('is requested once in a poll, and the others have their turn', async () => {
		const { api, trigger } = await publish({ recheckInterval: 5 * MINUTE });
		api.brokenCards.add('card-0');
		for (let minute = 0; minute < 6; minute++) {
			api.visited.length = 0;
			api.now += MINUTE;
			api.purchase('card-0');
			await trigger.poll().catch(() => undefined);
			expect(api.visited.filter((cardId) => cardId === 'card-0').length).toBeLessThanOrEqual(1);
		}
		const refunds = ['t1', 't2', 't3', 't4'].map((id) => api.addEvent(id));
		const found: string[] = [];
		for (let minute = 0; minute < 5; minute++) {
			api.now += MINUTE;
			found.push(...(await trigger.poll()).ids);
		}
		expect(found.sort()).toEqual(refunds.sort());
	});

	test('is emitted by the next poll that can read it, also with a time ahead of the clock', async () => {
		const { api, trigger } = await publish({ recheckInterval: 1_000 * DAY });
		trigger.settings.now = () => api.now - 5 * MINUTE;
		api.brokenCards.add('card-0');
		const { eventId } = api.purchase('card-0');
		expect((await trigger.poll()).ids).toEqual([]);
		api.brokenCards.clear();
		expect((await trigger.poll()).ids).toEqual([eventId]);
	});

	test('is left for the next poll also if no other card is read', async () => {
		const { api, trigger } = await publish();
		api.brokenCards.add('card-0');
		const { eventId } = api.purchase('card-0');
		expect(await trigger.poll()).toMatchObject({ ids: [], failed: ['card-0'] });
		api.brokenCards.clear();
		expect((await trigger.poll()).ids).toEqual([eventId]);
	});

	test('fails the first round', async () => {
		const api = createApi(5, 1);
		api.brokenCards.add('card-0');
		const trigger = createTrigger(api);
		await expect(trigger.poll()).rejects.toThrow('status 500');
	});

	test('fails the poll if there are more than ten', async () => {
		const api = createApi(20, 1);
		const trigger = createTrigger(api);
		await trigger.poll();
		const purchaseOf = (count: number) => {
			for (let number = 0; number < count; number++) {
				api.brokenCards.add(`card-${number}`);
				api.purchase(`card-${number}`);
			}
			api.purchase('card-19');
		};
		purchaseOf(10);
		expect((await trigger.poll()).failed).toHaveLength(10);
		purchaseOf(11);
		await expect(trigger.poll()).rejects.toThrow('status 500');
	});

	test('is reported at once, and then once in each recheck interval', async () => {
		const { api, trigger } = await publish({ recheckInterval: 2 * HOUR });
		api.brokenCards.add('card-0');
		const reported: string[][] = [];
		for (let hour = 0; hour < 7; hour++) {
			api.now += HOUR;
			api.purchase('card-0');
			api.purchase('card-1');
			reported.push((await trigger.poll()).failed);
		}
		expect(reported).toEqual([['card-0'], [], ['card-0'], [], ['card-0'], [], ['card-0']]);
	});

	test('does not hide a key for another account', async () => {
		const { api, trigger } = await publish();
		api.brokenCards.add('card-0');
		api.purchase('card-0');
		api.purchase('card-1');
		await trigger.poll();
		trigger.api = new FakeCardApi();
		trigger.api.now = api.now;
		trigger.api.brokenCards.add('card-0');
		trigger.api.purchase('card-of-other');
		await expect(trigger.poll()).rejects.toThrow('no longer shows the cards');
	});

	test('is not mistaken for one without events, with a key for another account', async () => {
		const { api, trigger } = await publish();
		api.brokenCards.add('card-new');
		const { eventId } = api.purchase('card-new');
		api.purchase('card-0');
		expect((await trigger.poll()).failed).toEqual(['card-new']);
		trigger.api = new FakeCardApi();
		await expect(trigger.poll()).rejects.toThrow('no longer shows the cards');
		trigger.api = api;
		api.brokenCards.clear();
		expect((await trigger.poll()).ids).toEqual([eventId]);
	});

	test('does not show whether the account is the same; other cards do', async () => {
		const { api, trigger } = await publish();
		for (const cardId of ['card-0', 'card-1', 'card-2']) {
			api.brokenCards.add(cardId);
			api.purchase(cardId);
		}
		api.purchase('card-3');
		expect((await trigger.poll()).failed).toHaveLength(3);

		api.hiddenBefore = ++api.now;
		const { eventId } = api.purchase('card-new');
		expect((await trigger.poll()).ids).toEqual([eventId]);
		for (const cardId of ['card-3', 'card-4', 'card-new']) api.brokenCards.add(cardId);
		api.hiddenBefore = ++api.now;
		const newer = api.purchase('card-newer').eventId;
		expect((await trigger.poll()).ids).toEqual([newer]);
	});

	test('after a crash: is emitted again when it can be read', async () => {
		const { api, trigger } = await publish();
		const { eventId } = api.purchase('card-0');
		expect((await trigger.poll()).ids).toEqual([eventId]);
		api.brokenCards.add('card-0');
		api.now += MINUTE;
		const missed = api.purchase('card-0').eventId;
		const other = api.purchase('card-1').eventId;
		trigger.settings.replaysNewest = true;
		api.visited.length = 0;
		expect((await trigger.poll()).ids).toEqual([other]);
		expect(api.visited.filter((cardId) => cardId === 'card-0')).toHaveLength(1);
		trigger.settings.replaysNewest = false;
		api.now += 5 * HOUR;
		const later = api.purchase('card-2').eventId;
		expect((await trigger.poll()).ids).toEqual([later]);
		api.brokenCards.clear();
		expect((await trigger.poll()).ids).toEqual([eventId, missed]);
		expect((await trigger.poll()).ids).toEqual([]);
	});
});
