import { poll, type PollSettings } from '../../nodes/CardPlatform/polling/poll';
import {
	decodeState,
	encodeState,
	shareOfLongest,
	type StoredState,
} from '../../nodes/CardPlatform/polling/state';
import { FakeCardApi } from '../support/fakeCardApi';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A trigger that polls the fake API; its state goes through JSON each time, as in n8n. */
function createTrigger(api: FakeCardApi, more: Partial<PollSettings> = {}) {
	let stored: StoredState | undefined;
	const settings: PollSettings = {
		baseUrl: 'x',
		startFrom: '',
		lookBack: 30 * DAY,
		sweepInterval: HOUR,
		matches: () => true,
		repeatsLast: false,
		now: () => api.now,
		deadline: Infinity,
		portion: 500,
		enoughEvents: 1_000,
		...more,
	};
	return {
		settings,
		/** The IDs of the events of a poll, and the requests that it took. */
		async poll() {
			const before = api.requests;
			const { state, events } = await poll(decodeState(stored), api, settings);
			stored = JSON.parse(JSON.stringify(encodeState(state)));
			return { ids: events.map(({ id }) => id), requests: api.requests - before };
		},
		bytes: () => JSON.stringify(stored).length,
		stored(): StoredState {
			if (stored === undefined) throw new Error('It has not polled yet');
			return stored;
		},
	};
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
		// And old transactions are listed again, a day each 48 minutes.
		expect(requests - expected).toBeGreaterThanOrEqual(0);
		expect(requests - expected).toBeLessThanOrEqual(3);
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

test('Start From brings past events in order, a portion at a time', async () => {
	const api = createApi(40, 50);
	const trigger = createTrigger(api, {
		startFrom: 'typed',
		start: api.now - 20 * DAY,
		portion: 100,
		enoughEvents: 300,
	});
	const portions: (string | null | undefined)[][] = [];
	for (;;) {
		const { ids } = await trigger.poll();
		if (ids.length === 0) break;
		portions.push(ids);
	}
	const times = portions.flat().map((id) => api.timeOf(id ?? ''));
	expect(times).toEqual([...times].sort((a, b) => a - b));
	expect(new Set(portions.flat()).size).toBe(times.length);
	expect(times.length).toBe(api.countSince(api.now - 20 * DAY));
	expect(Math.max(...portions.map(({ length }) => length))).toBeLessThan(500);
});

test('after a day of downtime, events come in order, though they are many', async () => {
	const api = createApi(50, 2);
	const trigger = createTrigger(api, { portion: 50 });
	await trigger.poll();
	const expected: string[] = [];
	for (let number = 0; number < 300; number++) {
		api.now += DAY / 300;
		expected.push(api.purchase(`card-${number % 70}`).eventId);
	}
	expect((await trigger.poll()).ids).toEqual(expected);
});

test('a transaction with a time far ahead hides no other', async () => {
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

test('a longer Look Back brings no events that were too old before', async () => {
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

test('a state that cannot be read is not replaced', () => {
	expect(() => decodeState({ version: 2 })).toThrow('What the trigger has stored cannot be read');
});

test('a transaction that appears up to an hour late is found at once', async () => {
	const api = createApi(3, 1);
	const trigger = createTrigger(api);
	await trigger.poll();
	api.purchase('card-0');
	await trigger.poll();
	const late = api.purchase('card-new', { ago: 59 * MINUTE });
	expect((await trigger.poll()).ids).toEqual([late.eventId]);
});

describe('a state that is too long', () => {
	test('fails the poll with the option to change, and a shorter Look Back makes it shorter', async () => {
		const api = createApi(20, 30);
		const trigger = createTrigger(api);
		await trigger.poll();
		await trigger.poll();
		const stored = trigger.stored();
		const longest = trigger.bytes() - 1;
		expect(() => shareOfLongest(stored, longest)).toThrow('remember too much');
		expect(shareOfLongest(stored, 2 * longest)).toBeLessThan(0.6);

		trigger.settings.lookBack = 10 * DAY;
		api.now += 2 * HOUR;
		await trigger.poll();
		expect(shareOfLongest(trigger.stored(), longest)).toBeLessThan(0.6);
	});
});

test('of a card with 2 000 events, each comes once, in order', async () => {
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
