import { MAX_CLOCK_DIFFERENCE_MS } from '../../nodes/CardPlatform/api/assumptions';
import { UserError } from '../../nodes/CardPlatform/api/userError';
import { parseEventTypes } from '../../nodes/CardPlatform/events/eventTypes';
import { parseTriggerFilters } from '../../nodes/CardPlatform/events/triggerParameters';
import { poll, type PollingState, type PollSettings } from '../../nodes/CardPlatform/polling/poll';
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
	let stored: PollingState | undefined;
	const settings: PollSettings = {
		nodeId: 'n',
		baseUrl: 'x',
		lookBack: 30 * DAY,
		recheckInterval: HOUR,
		choice: parseEventTypes(['all'], 'Trigger On', false),
		replaysNewest: false,
		now: () => api.now,
		deadline: Infinity,
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
			const { state, events, ...more } = await poll(stored, trigger.api, settings);
			stored = JSON.parse(JSON.stringify(state));
			const requests = trigger.api.requests - before;
			return { ids: events.map(idOf), requests, ...more };
		},
		bytes: () => JSON.stringify(stored).length,
		stored(): PollingState {
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
	])('%i cards, polled every %i ms: %i in an hour', async (cards, interval, expected) => {
		const requests = await perHour(cards, interval);
		// And old transactions are listed again, a day each half hour.
		expect(requests - expected).toBeGreaterThanOrEqual(0);
		expect(requests - expected).toBeLessThanOrEqual(3);
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
			api.now += HOUR - MINUTE;
			await trigger.poll();
			expect(api.visited).toHaveLength(10);
		}
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
		expect(api.visited.length).toBeLessThanOrEqual(30);
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

test('the state takes about 85 bytes for a card and 8 for an event', async () => {
	const api = createApi(250, 8);
	const trigger = createTrigger(api);
	for (let count = 0; count < 2; count++) {
		await trigger.poll();
		expect(trigger.bytes()).toBeLessThan(250 * 85 + 2_000 * 8 + 500);
		expect(trigger.bytes()).toBeGreaterThan(2_000 * 8);
		api.now += HOUR;
	}
});

test('after a day of downtime, events come in order, though they are many', async () => {
	const api = createApi(50, 2);
	const trigger = createTrigger(api);
	await trigger.poll();
	const expected: string[] = [];
	for (let number = 0; number < 300; number++) {
		api.now += DAY / 300;
		expected.push(api.purchase(`card-${number % 70}`).eventId);
	}
	expect((await trigger.poll()).ids).toEqual(expected);
});

test('the events of a card come in the order in which they happened', async () => {
	const api = createApi(1, 5);
	const trigger = createTrigger(api);
	await trigger.poll();
	const made = ['card-3', 'card-0', 'card-2', 'card-1'].map((cardId) => {
		const { id, eventId } = api.purchase(cardId);
		return [eventId, api.addEvent(id)];
	});
	const { ids } = await trigger.poll();
	for (const each of made) expect(ids.filter((id) => each.includes(id))).toEqual(each);
	expect(ids).toHaveLength(8);
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

	test('also if a list has its event twice', async () => {
		const api = createApi(1, 1);
		const trigger = createTrigger(api, {
			choice: parseEventTypes('approved', 'Trigger On', false),
		});
		await trigger.poll();
		api.changeEvents = (events) => events.flatMap((event) => [event, { ...event }]);
		const { eventId } = api.purchase('card-1', {}, approval('5'));
		expect((await trigger.poll()).ids).toEqual([eventId]);
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
	test('as its time is up: it begins no card from that moment on', async () => {
		const api = createApi(3, 1);
		const trigger = createTrigger(api);
		await trigger.poll();
		const { eventId } = api.purchase('card-0');
		trigger.settings.deadline = api.now;
		expect(await trigger.poll()).toMatchObject({ ids: [], endedEarly: 'time', requests: 1 });
		trigger.settings.deadline = api.now + 1;
		expect(await trigger.poll()).toMatchObject({ ids: [eventId], endedEarly: undefined });
	});

	test('has read the cards with a new transaction before those to check again', async () => {
		const api = createApi(3, 1);
		const trigger = createTrigger(api);
		await trigger.poll();
		api.now += HOUR;
		const { eventId } = api.purchase('card-2');
		api.visited.length = 0;
		api.mapConcurrent = async (items, task) => {
			for (const item of items) await task(item);
		};
		api.beforeResponse = () => api.now++;
		trigger.settings.deadline = api.now + 2;
		expect(await trigger.poll()).toMatchObject({ ids: [eventId], endedEarly: 'time' });
		expect(api.visited).toEqual(['card-2']);
	});

	test.each([0, 1])('fails if the API limits the rate before a card was read: %i', async (list) => {
		const api = createApi(3, 1);
		const trigger = createTrigger(api);
		await trigger.poll();
		api.purchase('card-0');
		api.failures.set(api.requests + list, 429);
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
	test('is read together with others like it, also if they are many and time passes', async () => {
		const api = createApi(3, 1);
		const trigger = createTrigger(api);
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

test('a card is known as long as its newest transaction is within Look Back', async () => {
	const api = createApi(1, 1);
	const trigger = createTrigger(api, { lookBack: 10 * DAY });
	await trigger.poll();
	api.purchase('card-1');
	await trigger.poll();
	api.now += 8 * DAY;
	const { id } = api.purchase('card-1');
	await trigger.poll();
	api.now += 8 * DAY;
	api.purchase('card-2');
	await trigger.poll();
	api.now += HOUR;
	const clearing = api.addEvent(id);
	expect((await trigger.poll()).ids).toEqual([clearing]);
});

test('the last day is listed once an hour, which makes no card due that is known', async () => {
	const api = createApi(3, 1);
	const trigger = createTrigger(api, { recheckInterval: 1_000 * DAY });
	await trigger.poll();
	api.purchase('card-0');
	await trigger.poll();
	for (const hours of [2, 3]) {
		api.now += hours * HOUR;
		api.purchase('card-1');
		await trigger.poll();
	}
	[api.visited.length, api.listed.length] = [0, 0];
	for (let minute = 0; minute < 180; minute++) {
		api.now += MINUTE;
		await trigger.poll();
	}
	expect(api.visited).toEqual([]);
	expect(api.listed.filter(({ from }) => from < api.now - 10 * HOUR)).toHaveLength(3);
});

test('for another API, events before the first poll are old, which must be stored', async () => {
	const api = createApi(3, 1);
	const trigger = createTrigger(api);
	expect((await trigger.poll()).isFirstRound).toBe(true);
	expect((await trigger.poll()).isFirstRound).toBe(false);
	trigger.settings.baseUrl = 'y';
	expect((await trigger.poll()).isFirstRound).toBe(true);
});

test('what appears while the first round runs is new, unless it is long past', async () => {
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

test('for a card without events, nothing but its transaction is remembered', async () => {
	const api = createApi(1, 1);
	api.changeEvents = () => [];
	const trigger = createTrigger(api);
	for (let count = 0; count < 3; count++) {
		await trigger.poll();
		api.now += HOUR;
		expect(trigger.stored().cards).toEqual({
			'card-0': { latest: expect.any(Number), readAt: expect.any(Number), seen: '' },
		});
	}
});

test.each([{ version: 1, nodeId: 'n', baseUrl: 'x' }, { version: 2 }, 'text'])(
	'a state that cannot be read is not replaced: %j',
	async (stored) => {
		const { settings, api } = createTrigger(createApi(1, 1));
		await expect(poll(stored, api, settings)).rejects.toThrow(
			'What the trigger has stored cannot be read',
		);
	},
);

test('10 000 cards with 40 events fit, whatever the first round has to remember', async () => {
	const api = createApi(1, 1);
	const trigger = createTrigger(api);
	await trigger.poll();
	const seen = 'x'.repeat(8 * 40);
	const cards = Array.from({ length: 10_000 }, (_, number) => [
		`${number}`.padStart(36, '0'),
		{ latest: api.now, readAt: api.now, seen },
	]);
	const baseline = { since: api.now, known: 'x'.repeat(4_000_000) };
	const stored = { ...trigger.stored(), cards: Object.fromEntries(cards), baseline };
	api.unusedCards.push('0'.repeat(36));
	const { state } = await poll(stored, api, trigger.settings);
	expect(Object.keys(state.cards)).toHaveLength(10_001);
});

test('a state that is too long fails the poll, and names the option to change', async () => {
	const api = createApi(1, 1);
	const trigger = createTrigger(api);
	await trigger.poll();
	const { cards, ...state } = trigger.stored();
	const stored = {
		...state,
		cards: { 'card-0': { ...cards['card-0'], seen: 'x'.repeat(4_200_000) } },
	};
	const polled = poll(stored, api, trigger.settings);
	await expect(polled).rejects.toMatchObject({
		message: expect.stringContaining('Too many cards and events to track'),
		hint: expect.stringContaining('Look Back (Days)'),
	});
});

test('null is no state, nor is that of a deleted node whose name a new one has', async () => {
	const api = createApi(3, 1);
	const trigger = createTrigger(api);
	await trigger.poll();
	const isFirst = async (stored: unknown) =>
		(await poll(stored, api, trigger.settings)).isFirstRound;
	expect(await isFirst(trigger.stored())).toBe(false);
	for (const other of [null, { ...trigger.stored(), nodeId: 'other' }, { nodeId: 'other' }])
		expect(await isFirst(other)).toBe(true);
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
		const visited = api.visited.length;
		expect((await trigger.poll()).ids).toEqual([]);
		expect(api.visited).toHaveLength(visited);
		return { polls, replayed: replayed.ids };
	}

	test.each([[[1, 2]], [[1, 2, 0, 0]], [[1, 600, 401]]])(
		'the events of the newest poll that had some are emitted again: %j',
		async (numbers) => {
			const { polls, replayed } = await replayAfter(numbers);
			expect(replayed).toEqual(polls.at(-1));
		},
	);

	test('those of an old transaction too', async () => {
		const api = createApi(2, 1);
		const trigger = createTrigger(api, { recheckInterval: HOUR });
		await trigger.poll();
		const refund = api.addEvent('t0');
		api.now += HOUR;
		expect((await trigger.poll()).ids).toEqual([refund]);
		trigger.settings.replaysNewest = true;
		const { eventId } = api.purchase('card-0');
		expect((await trigger.poll()).ids).toEqual([refund, eventId]);
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
		expect(Object.keys(trigger.stored().cards)).toEqual(['card-1']);
		trigger.settings.replaysNewest = true;
		expect((await trigger.poll()).ids).toEqual([]);
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
		const seen = () =>
			Object.values(trigger.stored().cards).map(({ seen: hashes }) => hashes.length);
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
});

test('a transaction of a new card that appears up to a day late is found within the hour', async () => {
	const api = createApi(3, 1);
	const trigger = createTrigger(api, { recheckInterval: 1_000 * DAY });
	await trigger.poll();
	api.purchase('card-0');
	await trigger.poll();
	const late = api.purchase('card-new', { ago: 23 * HOUR });
	const found: string[] = [];
	for (let minute = 0; minute < 60; minute++) {
		api.now += MINUTE;
		found.push(...(await trigger.poll()).ids);
	}
	expect(found).toEqual([late.eventId]);
});

test.each([
	[250, 20, 2 * 322],
	[5_000, 1, 0.05 * 60 * 5_000],
])(
	'%i cards with %i purchases each in 30 days, polled each minute, cost at most %i requests an hour',
	async (cards, perCard, most) => {
		const api = createApi(cards, perCard);
		const trigger = createTrigger(api);
		await trigger.poll();
		api.requests = 0;
		const pause = (30 * DAY) / (cards * perCard);
		let next = api.now;
		for (let minute = 0; minute < 60; minute++) {
			api.now += MINUTE;
			for (; next < api.now; next += pause)
				api.purchase(`card-${api.requests % cards}`, { ago: api.now - next });
			await trigger.poll();
		}
		expect(api.requests).toBeLessThanOrEqual(most);
	},
);

test('a transaction that appears up to an hour late is found at once', async () => {
	const api = createApi(3, 1);
	const trigger = createTrigger(api);
	await trigger.poll();
	api.purchase('card-0');
	await trigger.poll();
	const late = ['card-1', 'card-new'].map((cardId) => api.purchase(cardId, { ago: HOUR }).eventId);
	expect((await trigger.poll()).ids).toEqual(late);
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

describe('an event that appears later than its transaction', () => {
	const late = async (change: (api: FakeCardApi) => string) => {
		const api = createApi(3, 1);
		const trigger = createTrigger(api, { recheckInterval: DAY });
		await trigger.poll();
		api.purchase('card-1');
		await trigger.poll();
		const eventId = change(api);
		api.visited.length = 0;
		const found: string[] = [];
		for (let minute = 0; minute < 90; minute++) {
			const { ids } = await trigger.poll();
			if (ids.length > 0) found.push(...ids, `after ${minute} minutes`);
			api.now += MINUTE;
		}
		return { eventId, found, visited: api.visited.length, awaited: trigger.stored().awaited };
	};

	test('is found by the first poll that can', async () => {
		const { eventId, found, visited, awaited } = await late(
			(api) => api.purchase('card-0', { eventIn: 30 * MINUTE }).eventId,
		);
		expect(found).toEqual([eventId, 'after 30 minutes']);
		expect([visited, awaited]).toEqual([31, {}]);
	});

	test('is found if its transaction changed, though that has another one', async () => {
		const { eventId, found, visited } = await late((api) => {
			api.change('t3');
			return api.addEvent('t3', {}, 5 * MINUTE);
		});
		expect(found).toEqual([eventId, 'after 5 minutes']);
		expect(visited).toBe(6);
	});

	test('is waited for an hour', async () => {
		const { found, visited, awaited } = await late(
			(api) => api.purchase('card-0', { eventIn: DAY }).eventId,
		);
		expect(found).toEqual([]);
		expect([visited, awaited]).toEqual([61, {}]);
	});
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

	test.each([
		['400', [['card-0'], 1]],
		[undefined, [['card-0'], 1]],
		['200', [['card-0'], 1]],
		['401', 'thrown'],
		['403', [['card-0'], 1]],
		['404', [['card-0'], 1]],
	])('does not stop the others, if the failure may be its own: %s', async (status, outcome) => {
		const { api, trigger } = await publish();
		const events = api.events;
		api.events = async (cardId) => {
			if (cardId === 'card-0') throw new UserError('It failed', 'Try again.', status);
			return await events(cardId);
		};
		api.purchase('card-0');
		api.purchase('card-1');
		const result = await trigger.poll().catch(() => 'thrown' as const);
		expect(result === 'thrown' ? result : [result.failed, result.ids.length]).toEqual(outcome);
	});

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

	test('is not forgotten, though its earlier transactions are older than Look Back', async () => {
		const api = createApi(1, 1);
		const trigger = createTrigger(api, { lookBack: 10 * DAY });
		await trigger.poll();
		api.purchase('card-1');
		await trigger.poll();
		api.now += 10 * DAY - MINUTE;
		api.brokenCards.add('card-1');
		const { eventId } = api.purchase('card-1');
		expect((await trigger.poll()).failed).toEqual(['card-1']);
		// The next poll no longer lists it.
		api.now += 60 * HOUR;
		api.purchase('card-2');
		await trigger.poll();
		api.brokenCards.clear();
		expect((await trigger.poll()).ids).toEqual([eventId]);
	});

	test('keeps nothing from being published, and its old events stay old', async () => {
		const api = createApi(5, 2);
		api.brokenCards.add('card-0');
		const trigger = createTrigger(api, { recheckInterval: DAY });
		expect(await trigger.poll()).toMatchObject({ failed: ['card-0'], isFirstRound: true });
		const [missed, other] = ['card-0', 'card-1'].map((cardId) => api.purchase(cardId).eventId);
		expect(await trigger.poll()).toMatchObject({ ids: [other], failed: [], isFirstRound: false });
		// What is new of a transaction that was there before is found on cards that were read.
		const refund = api.addEvent('t6');
		const added = api.purchase('card-1').eventId;
		expect((await trigger.poll()).ids).toEqual([refund, added]);
		api.brokenCards.clear();
		expect(await trigger.poll()).toMatchObject({ ids: [missed], isFirstRound: true });
		expect(await trigger.poll()).toMatchObject({ ids: [], requests: 1, isFirstRound: false });
		expect(trigger.stored().baseline).toBeUndefined();
		const clearing = api.addEvent('t0');
		api.now += DAY;
		expect((await trigger.poll()).ids).toEqual([clearing]);
	});

	test('fails the poll if each card that is tried fails', async () => {
		const api = createApi(20, 1);
		for (let number = 0; number < 20; number++) api.brokenCards.add(`card-${number}`);
		const trigger = createTrigger(api);
		await expect(trigger.poll()).rejects.toThrow('status 500');
		api.brokenCards.clear();
		await trigger.poll();
		api.isOut = true;
		const bought = ['card-0', 'card-1'].map((cardId) => api.purchase(cardId).eventId);
		await expect(trigger.poll()).rejects.toThrow('status 500');
		await expect(trigger.poll()).rejects.toThrow('status 500');
		api.isOut = false;
		expect((await trigger.poll()).ids).toEqual(bought);
	});

	test('is tried after the others by the next poll, also if the time is up before one was read', async () => {
		const api = createApi(5, 1);
		for (const cardId of ['card-0', 'card-1', 'card-2']) api.brokenCards.add(cardId);
		const trigger = createTrigger(api);
		const ended: unknown[] = [];
		for (let count = 0; count < 2; count++) {
			const last = api.requests + 3;
			api.beforeResponse = () => (api.now += api.requests > last ? 1_000 : 0);
			trigger.settings.deadline = api.now + 1;
			ended.push((await trigger.poll()).failed.length);
		}
		expect(ended).toEqual([3, 0]);
		expect(trigger.stored().cards['card-4']?.readAt).toBeGreaterThan(1);
	});

	test('is reported instead if it is tried alone, and each that failed before is no reason either', async () => {
		const { api, trigger } = await publish();
		for (const cardId of ['card-0', 'card-1']) {
			api.brokenCards.add(cardId);
			api.purchase(cardId);
			expect((await trigger.poll()).failed).toEqual([cardId]);
		}
		expect(await trigger.poll()).toMatchObject({ ids: [], failed: [] });
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

	test('is reported at once if it fails again after it was read', async () => {
		const { api, trigger } = await publish({ recheckInterval: 1_000 * DAY });
		for (const isBroken of [true, false, true]) {
			if (isBroken) api.brokenCards.add('card-0');
			else api.brokenCards.clear();
			api.purchase('card-0');
			api.purchase('card-1');
			expect((await trigger.poll()).failed).toEqual(isBroken ? ['card-0'] : []);
		}
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
