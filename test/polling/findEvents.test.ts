import { MAX_CLOCK_DIFFERENCE_MS } from '../../nodes/CardPlatform/api/assumptions';
import { UserError } from '../../nodes/CardPlatform/api/userError';
import type { PollingState } from '../../nodes/CardPlatform/polling/eventMemory';
import { findEvents, type PollSettings } from '../../nodes/CardPlatform/polling/findEvents';
import { parseTriggerFilters } from '../../nodes/CardPlatform/webhook/properties';
import { FakeCardApi, idOf, POLL_SETTINGS } from '../support/fakeCardApi';
import { scripts } from '../support/scripts.ts';

const UNITS: Record<string, number> = { ms: 1, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time such as `2h` or `-5m`, in milliseconds. */
function time(text = '0ms'): number {
	const [, count, unit = ''] = /^(-?\d+)(ms|[mhd])$/.exec(text) ?? [];
	const ms = Number(count) * (UNITS[unit] ?? NaN);
	if (Number.isNaN(ms)) throw new Error(`"${text}" is no time`);
	return ms;
}

const [MINUTE, HOUR, DAY] = [time('1m'), time('1h'), time('1d')];

/** A trigger that polls a fake API. Its state goes through JSON each time, as in n8n. */
class Trigger {
	stored: unknown;

	readonly settings: PollSettings;

	/** What it polls. */
	api: FakeCardApi;

	constructor(api: FakeCardApi, more: Partial<PollSettings> = {}) {
		this.api = api;
		this.settings = {
			...POLL_SETTINGS,
			lookBack: 30 * DAY,
			replaysNewest: false,
			now: () => this.api.now,
			deadline: Infinity,
			...more,
		};
	}

	async poll() {
		const { events, state, ...more } = await findEvents(this.stored, this.api, this.settings);
		this.stored = JSON.parse(JSON.stringify(state));
		return { ids: events.map(idOf), state, ...more };
	}
}

/** Transactions of cards, spread over the last 29 days. */
function createApi(cards: number, perCard = 1): FakeCardApi {
	const api = new FakeCardApi();
	for (let number = 0; number < cards * perCard; number++) {
		const ago = 2 * HOUR + (number * 29 * DAY) / (cards * perCard);
		api.purchase(`card-${number % cards}`, { ago });
	}
	return api;
}

/** An event of an amount that is written `+10` for a refund, or `10`. */
const toEvent = (amount = '') =>
	amount === ''
		? {}
		: {
				amount: amount.replace('+', ''),
				isSuccess: true,
				amountDirection: amount.startsWith('+') ? 'credit' : 'debit',
			};

/**
 * Steps for a number of cards. The events of each from before the script are named `old0`, `old1`:
 * - `lookback 9d`, `recheck 2h`, `only 1` card's events, `approvals 5 [each]` from that amount, `max 1` events end a poll
 * - `+1h` time passes; `clock 1h` is how far n8n's is ahead
 * - `buy a 0 [2h]` an event of card 0, now or earlier; `late a 0 30m [1h]` appears later than its transaction, which is listed late
 * - `buy a 0 =10`, `step b of a [10]`, `step c of a +10` with amounts; `change a` its transaction
 * - `break 0 1`, `fix` cards whose events fail, `with` a status; `out`, `in` all cards; `fail 2 429` the second request
 * - `hide a`, `leave a`, `none`, `twice`, `show` what lists of events have; `gone 0` cards, and all transactions
 * - `archive 0` cards that are no longer listed
 * - `crash`, `ok` whether polls replay; `requests 3` are in time in the next poll, and the fourth ends late; \`slow\` four
 * - `account other`, `account own` whose API key it is
 * - `publish`, `poll a b !0 #3 ~time ? *` expects these events, failed cards, requests, an early end, a list that
 *   failed, and a card that was read for the first time, as `publish` does; `poll error` a failed poll
 * - `every 1m for 2h a@5m #9` polls, and expects events after their times, and requests
 * - `visits 12`, `days 2` cards that were read, and lists of a day, since the last such step; `knows 3` cards
 */
const check = scripts((given) => {
	const cards = Number(given);
	const own = createApi(cards);
	const trigger = new Trigger(own);
	const { settings } = trigger;
	const made = new Map<string, { id: string; eventId: string }>();
	for (let n = 0; n < cards; n++) made.set(`old${n}`, { id: `t${n}`, eventId: `e${n}` });
	const get = (name = '') => made.get(name) ?? { id: name, eventId: name };
	const nameOf = (id: string) => [...made].find(([, { eventId }]) => eventId === id)?.[0] ?? id;
	let [ahead, visits, days] = [0, 0, 0];
	let state: PollingState | undefined;
	settings.now = () => trigger.api.now + ahead;
	own.mapConcurrent = async (items, task) => {
		for (const item of items) await task(item);
	};
	const show = (change: FakeCardApi['changeEvents']) => (own.changeEvents = change);

	const pollOnce = async (wanted: string[]) => {
		const { api } = trigger;
		const before = api.requests;
		const stored = JSON.stringify(trigger.stored);
		const result = await trigger.poll().catch((error: unknown) => String(error));
		own.beforeResponse = () => undefined;
		settings.deadline = Infinity;
		if (typeof result === 'string') {
			expect([wanted, result]).toEqual([
				['error'],
				expect.stringMatching(/status|shows none of the cards/),
			]);
			expect(JSON.stringify(trigger.stored)).toBe(stored);
			return;
		}
		({ state } = result);
		expect([
			...(result.mustStore ? ['*'] : []),
			...result.ids.map(nameOf),
			...result.failed.map((cardId) => cardId.replace('card-', '!')),
			...(result.listFailure === undefined ? [] : ['?']),
			...(result.endedEarly === undefined ? [] : [`~${result.endedEarly.replace(' ', '-')}`]),
			...wanted.filter((each) => each.startsWith('#')).map(() => `#${api.requests - before}`),
		]).toEqual(wanted);
	};

	const steps: Record<string, (...args: string[]) => unknown> = {
		clock: (by) => (ahead = time(by)),
		lookback: (by) => (settings.lookBack = time(by)),
		recheck: (by) => (settings.recheckInterval = time(by)),
		only: (card) =>
			(settings.choice = {
				...settings.choice,
				matches: (event) => event.cardId === `card-${card}`,
			}),
		approvals: (minimumAmount, each) =>
			(settings.choice = parseTriggerFilters(
				{ minimumAmount },
				'approved,refunded',
				each === 'each',
			)),
		max: (events) => (settings.maxItems = Number(events)),
		buy: (name = '', card = '', option = '0m') => {
			const isAmount = option.startsWith('=');
			const event = toEvent(isAmount ? option.slice(1) : '');
			const ago = isAmount ? 0 : time(option);
			made.set(name, trigger.api.purchase(`card-${card}`, { ago }, event));
		},
		late: (name = '', card = '', by = '', listed = '0m') =>
			made.set(name, own.purchase(`card-${card}`, { eventIn: time(by), visibleIn: time(listed) })),
		step(...[name = '', , of = '', amount = '', by = '0m']) {
			const { id } = get(of);
			made.set(name, { id, eventId: own.addEvent(id, toEvent(amount), time(by)) });
		},
		change: (name) => own.change(get(name).id),
		break: (...numbers) => numbers.forEach((card) => trigger.api.brokenCards.add(`card-${card}`)),
		with: (status) => (own.brokenWith = Number(status)),
		fix: () => own.brokenCards.clear(),
		out: () => (own.isOut = true),
		in: () => (own.isOut = false),
		fail: (number, status) => own.failures.set(own.requests + Number(number) - 1, Number(status)),
		hide: (name) => show((events) => events.filter(({ id }) => id !== get(name).eventId)),
		leave: (name) => show((events) => events.filter(({ id }) => id === get(name).eventId)),
		none: () => show(() => []),
		twice: () => show((events) => events.flatMap((event) => [event, { ...event }])),
		show: () => show((events) => events),
		archive: (...numbers) => numbers.forEach((card) => own.archivedCards.add(`card-${card}`)),
		gone(...numbers) {
			for (const card of numbers) own.goneCards.add(`card-${card}`);
			own.hiddenBefore = own.now;
		},
		crash: () => (settings.replaysNewest = true),
		ok: () => (settings.replaysNewest = false),
		requests(count) {
			const last = own.requests + Number(count);
			own.beforeResponse = () => (own.now += own.requests > last ? MINUTE : 0);
			settings.deadline = settings.now() + 1;
		},
		slow() {
			own.beforeResponse = () => (own.now += MINUTE);
			settings.deadline = settings.now() + 4 * MINUTE;
		},
		account: (whose) => (trigger.api = whose === 'own' ? own : new FakeCardApi()),
		publish: async (...wanted) => await pollOnce(['*', ...wanted]),
		poll: async (...wanted) => await pollOnce(wanted),
		async every(pause, _for, length, ...wanted) {
			const [start, before] = [own.now, own.requests];
			const found: string[] = [];
			for (; own.now < start + time(length); own.now += time(pause)) {
				const at = `@${(own.now - start) / MINUTE}m`;
				found.push(...(await trigger.poll()).ids.map((id) => nameOf(id) + at));
			}
			if (wanted.at(-1)?.startsWith('#') === true) found.push(`#${own.requests - before}`);
			expect(found).toEqual(wanted);
		},
		visits(count) {
			expect(own.visited.length - visits).toBe(Number(count));
			visits = own.visited.length;
		},
		days(count) {
			const lists = own.listed.filter(({ from }) => from < own.now - 10 * HOUR).length;
			expect(lists - days).toBe(Number(count));
			days = lists;
		},
		knows(count) {
			expect(Object.keys(state?.cards ?? {})).toHaveLength(Number(count));
			const read = Object.values(state?.cards ?? {}).filter(({ readAt }) => readAt !== null);
			expect(read.filter(({ due }) => due)).toEqual([]);
		},
	};
	return async (step) => {
		const [verb = '', ...args] = step.split(/\s+/);
		if (verb.startsWith('+')) own.now += time(verb.slice(1));
		else if (steps[verb] === undefined) throw new Error('there is no such step');
		else await steps[verb](...args);
	};
});

describe('requests', () => {
	check(`
		after a day without polls, each card is read once | 10 | publish; +1d; poll #11; poll #1
		so it is by polls that come a little early | 10 | publish; +59m; poll #11; +59m; poll #11
		a new event costs one more | 10 | publish; buy a 3; poll a #2; poll #1
		10 cards, polled every minute | 10 | publish; every 1m for 1h; every 1m for 1h #70
		10 cards, polled every hour | 10 | publish; +1h; every 1h for 1h #11
		cards are still read after n8n's clock was a day ahead | 10 | clock 1d; publish; visits 10; clock 0m; every 1m for 2h; visits 30
		a card is not read again for a transaction that was found | 3 | recheck 99d; publish; buy a 0; poll a; +1h; buy b 1; poll b; poll #1
		a list of the last day makes no known card due | 3 | recheck 99d; publish; buy a 0; poll a; +2h; buy b 1; poll b; +3h; buy c 1; poll c; visits 6; days 8; every 1m for 3h; visits 0; days 3
	`);

	check(`
		if the list of a day fails, the recent one is taken, and a day is listed again after an hour | 3 | recheck 99d; publish; days 6; +1h; buy a 0; fail 1 500; poll a ? #3; days 0; every 1m for 59m #59; days 0; +1m; poll #2; days 1; every 1m for 61m #61; days 1
		so it is if its rate is limited | 3 | recheck 99d; publish; +1h; buy a 0; fail 1 429; poll a ?; poll #1
		if both fail, so does the poll | 3 | recheck 99d; publish; +1h; buy a 0; fail 1 500; fail 2 500; poll error; poll a
		if it used up the time, the next poll goes on without it | 3 | recheck 99d; publish; days 6; +1h; buy a 0; fail 1 500; requests 0; poll ? ~time #1; poll a #2; days 0
		from then on it comes after the cards, and takes them no time | 3 | recheck 99d; publish; days 6; +1h; fail 1 500; poll ?; +1h; buy a 0; requests 1; poll a ~time #2; days 0; +1h; buy b 0; fail 3 500; poll b ?; +1h; poll #2; days 1; +1h; poll #1; days 1
		then it has all since it failed | 3 | recheck 99d; publish; +1h; fail 1 500; poll ?; late a new 0m 95h; buy x 1; poll x; +1d; buy y 1; fail 3 500; poll y ?; +1d; buy z 1; fail 3 500; poll z ?; +1d; buy v 1; fail 3 500; poll v ?; +1d; buy w 1; poll a w
		so it does with a wrong key | 3 | recheck 99d; publish; +1h; fail 1 401; poll error
	`);

	test.each([
		[250, 20, 2 * 322],
		[5_000, 1, 0.05 * 60 * 5_000],
	])('%i cards, %i purchases each in 30 days: at most %i an hour', async (cards, perCard, max) => {
		const api = createApi(cards, perCard);
		const trigger = new Trigger(api);
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
		expect(api.requests).toBeLessThanOrEqual(max);
	});
});

test('after a day of downtime, events come in order, though they are many', async () => {
	const api = createApi(50, 2);
	const trigger = new Trigger(api);
	await trigger.poll();
	const expected: string[] = [];
	for (let number = 0; number < 2_000; number++) {
		api.now += DAY / 2_000;
		expected.push(api.purchase(`card-${number % 70}`).eventId);
	}
	trigger.settings.maxItems = 3_000;
	expect((await trigger.poll()).ids).toEqual(expected);
});

describe('after a long pause', () => {
	check(`
		a few lists find what happened, however long nothing did | 2 | recheck 99d; publish; buy a 0; poll a; +29d; buy b 0; buy c new; poll b c #8; poll #1
		what failed is read by the next poll, which goes on from there | 2 | recheck 99d; publish; +36h; buy a 0; +5d; buy b 1; fail 3 500; poll a ?; poll b; poll
		so it is after a 429 | 2 | recheck 99d; publish; +36h; buy a 0; +5d; buy b 1; fail 3 429; poll ~rate-limit; poll a b
		it fails if the first list does | 2 | recheck 99d; publish; +6d; buy a 0; fail 1 500; poll error; poll a
		the lists take half of the time | 2 | recheck 99d; publish; +36h; buy a 0; +5d; buy b 1; slow; poll a ~time; slow; poll b
	`);

	test('polls succeed, though no list of the whole pause is read in time', async () => {
		const api = createApi(20);
		const trigger = new Trigger(api, { maxItems: Infinity });
		const { transactions } = api;
		/** A page takes two seconds, and after its time a poll gets no more. */
		api.transactions = async (range) => {
			const rows = await transactions(range);
			api.now += (rows.length / 100) * 2_000;
			if (api.now > trigger.settings.deadline + MINUTE / 4) throw new UserError('too late', '');
			return rows;
		};
		await trigger.poll();
		const expected: string[] = [];
		for (let number = 0; number < 20_000; number++) {
			api.now += (10 * DAY) / 20_000;
			expected.push(api.purchase(`card-${number % 30}`).eventId);
		}
		const found: string[] = [];
		let polls = 0;
		for (; found.length < expected.length; polls++) {
			trigger.settings.deadline = api.now + 4 * MINUTE;
			const { ids, listFailure } = await trigger.poll();
			expect(listFailure).toBeUndefined();
			found.push(...ids);
			api.now += MINUTE;
		}
		expect([...found].sort()).toEqual([...expected].sort());
		expect(polls).toBeLessThan(6);
	});
});

test('a list of a day that is long, and does not end in time, takes the cards no time', async () => {
	const api = createApi(3, 2_000);
	const trigger = new Trigger(api);
	for (let number = 0; number < 150; number++) api.purchase('card-0');
	await trigger.poll();
	const { transactions } = api;
	api.transactions = async (range) => {
		if (range.from > api.now - DAY) return await transactions(range);
		api.now = trigger.settings.deadline + MINUTE / 4;
		throw new UserError('The API did not send its whole response in time', '');
	};
	for (let hour = 0; hour < 5; hour++) {
		api.now += HOUR;
		const made = Array.from({ length: 150 }, () => api.purchase('card-1').eventId);
		trigger.settings.deadline = api.now + 4 * MINUTE;
		const { ids, listFailure } = await trigger.poll();
		expect([new Set(ids), listFailure]).toEqual([new Set(made), expect.any(UserError)]);
	}
});

test('a card may have more events than a function takes arguments', async () => {
	const trigger = new Trigger(createApi(1), { maxItems: Infinity });
	await trigger.poll();
	const { id } = trigger.api.purchase('card-0');
	const [event] = await trigger.api.events('card-0');
	trigger.api.events = async () =>
		await Promise.resolve(
			Array.from({ length: 150_000 }, (_, n) => ({ ...event, id: `${id} ${n}` })),
		);
	expect((await trigger.poll()).ids).toHaveLength(150_000);
	trigger.settings.replaysNewest = true;
	expect((await trigger.poll()).ids).toHaveLength(150_000);
});

describe('emits', () => {
	check(`
		the events of a card in their order | 3 | publish; buy a 2; step b of a; buy c 0; step d of c; poll c d a b
		only what matches | 3 | only 1; publish; buy a 0; buy b 1; poll b
		a purchase with its first event, and each refund | 1 | approvals 1; publish; buy a 1 =5; poll a; +1h; step b of a 10; step c of a +5; step d of a +5; step e of a 20; poll c d
		a purchase with the first event that passes the filters | 1 | approvals 5; publish; buy a 1 =1; poll; +1h; step b of a 10; step c of a +5; step d of a 20; poll b c
		each approval of a purchase, if it is wanted | 1 | approvals 1 each; publish; buy a 1 =5; poll a; +1h; step b of a 10; step c of a 20; poll b c
		a purchase once if a list has its event twice | 1 | approvals 1; publish; twice; buy a 1 =5; poll a
		no purchase from before it was published | 1 | approvals 1; buy a 1 =5; publish; step b of a 10; +1h; poll
		an event with a time far ahead, which hides no other | 3 | publish; buy a 0 -2000d; poll a; +2h; buy b new; poll b; poll
		those with times ahead of the clock together, once | 3 | publish; buy a 0 -121m; buy b 1 -120m; buy c new -120m; +1h; poll b c a; poll #1; +3h; poll
		an event that is an hour late at once | 3 | publish; buy a 0; poll a; buy b 1 1h; buy c new 1h; poll b c
		one of a new card, up to a day late, within the hour | 3 | recheck 99d; publish; buy a 0; poll a; buy b new 23h; every 1m for 61m b@60m
		one of a card that is just as old as Look Back | 1 | lookback 2d; publish; buy a 1; poll a; +2d; buy b 2; poll b; +1ms; buy c 1; poll c
		one of a card whose newest transaction is within Look Back | 1 | lookback 10d; publish; buy a 1; poll a; +8d; buy b 1; poll b; +8d; buy c 2; poll c; +1h; step d of b; poll d
		one that comes within Look Back, though the card is read after it | 3 | lookback 1d; recheck 2d; publish; buy a 0; poll a; +2h; step b of a; +23h; buy c 1; poll c; +1d; poll b
		nothing that was too old before Look Back was raised | 0 | lookback 2d; publish; buy a 1; poll a; +5d; buy b 2; poll b; lookback 30d; +1h; poll; buy c 1; poll c
		nothing of a card whose last transaction is too old | 0 | publish; buy a 1; poll a; knows 1; +40d; buy b 2; poll b; poll; knows 1
		all, once n8n's clock is right again after it was ahead, as was the time of an event | 3 | recheck 99d; clock 25h; publish; buy a 1 -20h; poll a; clock 0m; buy b 1; poll b
		all, if n8n's clock is a day ahead and Look Back is short | 3 | lookback 1d; clock 25h; publish; buy a 0; poll a
	`);
});

describe('an event that appears later than its transaction', () => {
	check(`
		is found by the first poll that can | 3 | recheck 99d; publish; visits 3; late b 0 30m; every 1m for 90m b@30m; visits 31; knows 3
		so it is if its transaction changed, though that has another one | 3 | recheck 99d; publish; buy a 1; poll a; visits 4; change a; step b of a 10 5m; every 1m for 90m b@5m; visits 6; knows 3
		is waited for by the next poll, not by the same | 5 | late b 0 1m; publish #11; poll #2; +1m; poll b #2
		so it is if others of its card come in between | 3 | recheck 99d; publish; late a 0 4m; buy b 0; step c of b; poll b c; +1m; poll; +3m; poll a; knows 3
		is waited for an hour | 3 | recheck 99d; publish; visits 3; late b 0 1d; every 1m for 90m; visits 61; knows 3
	`);
});

describe('an event that is missing from a list for some time', () => {
	check(`
		is not new when it is back | 1 | publish; buy a 0; poll a; hide a; +1h; poll; show; +1h; poll
		so it is for all of a card | 2 | publish; buy a 0; poll a; none; +1h; poll; show; +1h; poll
		so it is if another was new in between | 10 | publish; buy a 0; leave a; poll a; show; +1h; poll
		is emitted again after a crash, when it is back | 2 | publish; buy a 0; poll a; hide a; crash; poll; ok; show; +1h; poll a
	`);

	test('is forgotten if the API lists only the newest', async () => {
		const api = createApi(1, 10);
		api.changeEvents = (events) => events.slice(0, 10);
		const trigger = new Trigger(api);
		let { state } = await trigger.poll();
		for (let count = 0; count < 120; count++) {
			api.now += MINUTE;
			const { eventId } = api.purchase('card-0');
			const result = await trigger.poll();
			expect(result.ids).toEqual([eventId]);
			({ state } = result);
		}
		expect(state.cards['card-0']?.seen).toHaveLength((10 + 100) * 8);
	});
});

describe('a poll that ends early', () => {
	check(`
		reads no card from its deadline on | 3 | publish; buy a 0; requests 0; poll ~time #1; poll a
		has read the cards with a new transaction first | 3 | publish; +1h; buy a 2; requests 1; poll a ~time; visits 4; poll; visits 2
		fails if the rate of the list is limited | 3 | publish; buy a 0; fail 1 429; poll error; poll a
		fails if that of the first card is | 3 | publish; buy a 0; fail 2 429; poll error; poll a
		is continued if the rate of a list of older ones is limited | 5 | fail 5 429; publish ~rate-limit; buy a 0; poll * a; poll #1
		is continued with the cards that it has not read | 3 | publish; buy a 0; +1ms; buy b 0; +1ms; buy c 1; +1ms; buy d 2; fail 4 429; poll a b c ~rate-limit; visits 5; poll d; visits 1
		leaves events to the next one if it has many, also after a crash | 2 | publish; buy a 0; buy b 1; poll a b; crash; max 1; poll a ~events; ok; poll b
	`);
});

describe('what is older than the trigger', () => {
	check(`
		is listed by the first poll, a week at a time | 5 | publish #11; poll #1; knows 5
		only back to Look Back | 5 | lookback 2d; publish #3; poll #1; knows 1
		with nothing that was there before, even if that is all in its list | 3 | lookback 1d; publish; poll
		stays old, even if the first poll read no card | 5 | requests 0; publish ~time; buy a 0; poll * a; poll #1
		is listed by later polls if there is no time, and stays old | 5 | requests 1; publish ~time; knows 1; requests 3; poll * ~time; knows 3; poll *; knows 5; poll #1; step a of old4; +1h; poll a
		stays old on a card with a new purchase, too | 5 | requests 1; publish ~time; buy a 4; step b of old4; requests 2; poll * a ~time; poll *; +1h; step c of old4; poll c
		is kept as far as it was listed if a list fails, and no new event waits | 5 | fail 5 500; publish ? #5; knows 2; buy a 0; fail 3 500; poll a ? #3; poll * #8; knows 5; poll #1
		stops the first poll if nothing can be listed | 5 | fail 1 500; poll error; publish
		stops the poll with a wrong key | 5 | fail 3 401; poll error; publish
	`);

	test('what appears during the first round is new, unless it is long past', async () => {
		const api = createApi(3);
		const made: string[] = [];
		api.beforeResponse = () => {
			// The first request lists what is old.
			if (api.requests !== 2) return;
			api.purchase('card-0', { ago: MAX_CLOCK_DIFFERENCE_MS + 1 });
			for (const ago of [MAX_CLOCK_DIFFERENCE_MS, HOUR, 0])
				made.push(api.purchase('card-0', { ago }).eventId);
		};
		const trigger = new Trigger(api);
		expect((await trigger.poll()).ids).toEqual(made);
		expect(made).toHaveLength(3);
		expect((await trigger.poll()).ids).toEqual([]);
	});
});

describe('a key for another account', () => {
	check(`
		emits no events, and changes nothing | 5 | publish; account other; buy x other 10d; buy y other; poll error; account own; buy a new; poll a
		is noticed beside a broken card | 5 | publish; break 0; buy a 0; buy b 1; poll b !0; account other; break other; buy y other; poll error
		is not suspected if there is no new card | 5 | recheck 99d; publish; account other; poll #1
		so it is if the cards are still listed | 5 | recheck 99d; publish; gone; buy a new; poll a #3
		so it is if a known transaction is listed | 5 | recheck 99d; publish; buy a new; buy b 1; poll b a #3
		so it is if known cards are gone for good | 5 | recheck 99d; publish; gone 0 1 2; buy a new; poll a; poll
		so it is if the known cards are archived, and the list leaves them out | 3 | recheck 99d; publish; gone; archive 0 1 2; buy a new; poll a #6; buy b new; poll b
		so it is if only one of three can be read | 3 | recheck 99d; publish; gone 0; archive 1 2; break 2; buy a new; poll a
		is suspected if none of three can be read, and one may be there | 3 | recheck 99d; publish; gone 0 1; archive 2; break 2; buy a new; poll error; fix; poll a
		so it is if the API has none of the newest three | 4 | recheck 99d; publish; gone 0 1 2; archive 3; buy a new; poll error
	`);

	test('is not what a poll blames if it can read none of its cards', async () => {
		const api = createApi(1);
		const trigger = new Trigger(api);
		await trigger.poll();
		for (const cards of [api.archivedCards, api.brokenCards]) cards.add('card-0');
		api.hiddenBefore = api.now;
		api.purchase('new');
		await expect(trigger.poll()).rejects.toThrow('status 500');
	});
});

describe('after a crash', () => {
	check(`
		the events of the newest poll are emitted again, once | 2 | publish; +6m; buy a 0; poll a; +6m; buy b 0; +1ms; buy c 0; poll b c; crash; poll b c; ok; poll #1
		so they are after polls without any | 2 | publish; +6m; buy a 0; poll a; +6m; buy b 0; poll b; +6m; poll; +6m; poll; crash; poll b; ok; poll
		so are those of an old transaction | 2 | publish; step r of old0; +1h; poll r; crash; buy a 0; poll r a
		so are those with a time ahead of the clock | 2 | clock -5m; publish; buy a 0; poll a; crash; poll a
		so are those of a card that cannot be read at first | 5 | recheck 99d; publish; buy a 0; poll a; break 0; +1m; buy b 0; buy c 1; crash; poll c !0; ok; +5h; buy d 2; poll d; fix; +1h; poll a b; poll
		but not those of a card that was forgotten since | 2 | lookback 2d; only 0; publish; buy a 0; poll a; +5d; buy b 1; poll; poll; knows 1; crash; poll
	`);
});

const broken = (name: string, status: string, card: string) =>
	`${name} | 5 | with ${status}; recheck 99d; publish; break ${card}; buy a ${card}; buy o 1; poll o !${card}; +2h; buy b ${card}; poll; +5h; buy l 2; poll l !${card}; fix; poll; +1h; poll a b; poll #1`;

describe('a card whose events cannot be read', () => {
	check(`
		${broken('stops no other, and loses nothing: 500', '500', '0')}
		${broken('so does a new card', '500', 'new')}
		${broken('so it is with 200', '200', '0')}
		${broken('so it is with 403', '403', '0')}
		${broken('so it is with a 404 that is not from the API', '404', '0')}
		fails the poll with 401 | 5 | publish; with 401; break 0; buy a 0; buy b 1; poll error
		is left for the next poll, if it is read alone | 5 | recheck 99d; publish; break 0; buy a 0; poll !0; fix; poll a
		so it is with a time ahead of the clock | 5 | recheck 99d; clock -5m; publish; break 0; buy a 0; poll !0; fix; poll a
		is read last | 5 | recheck 99d; publish; break 0; buy a 0; poll !0; +1m; buy b 1; requests 1; poll b ~time; fix; poll a
		is read again at once if it took all the time of one poll: all may have been out | 5 | recheck 99d; publish; break 0; buy a 0; requests 1; poll !0 #2; fix; poll a
		is read again after as long as it has failed | 5 | recheck 99d; publish; break 0; buy a 0; poll !0 #2; +5m; poll #2; +4m; buy b 1; poll b #2; +1m; poll #2; +9m; fix; poll #1; +1m; poll a
		and at least once an hour, with a report | 5 | recheck 99d; publish; break 0; buy a 0; poll !0; +5h; poll #2; +59m; poll #1; +1m; poll !0 #2; fix; +59m; poll #1; +1m; poll a
		is read once in a poll, and the others have their turn | 5 | recheck 5m; publish; break 0; +1m; buy a 0; poll !0 #2; +1m; buy b 0; poll #2; step r of old1; step s of old2; every 1m for 5m s@2m r@2m
		is read once in the first poll, however many lists it takes | 5 | break 0; publish !0 #11
		is known, though its earlier transactions are older than Look Back | 1 | lookback 10d; publish; buy x 1; poll x; +14399m; break 1; buy a 1; poll !1; +60h; buy b 2; poll b; fix; +1h; poll a
		keeps nothing from being published, and its old events stay old | 5 | recheck 1d; break 0; publish !0; buy m 0; buy o 1; poll o; step r of old1; buy n 1; poll r n; fix; poll * m; poll #1; step c of old0; +1d; poll c
		keeps a workflow from being published if it is the only one | 1 | break 0; poll error; fix; publish
		fails the poll if two fail, and none can be read | 9 | out; poll error; in; publish; out; buy a 0; buy b 1; poll error; poll error; in; poll a b
		does not, if the time is up before another is read | 5 | recheck 99d; publish; break 0 1 2; buy a 0; buy b 1; buy c 2; buy d 3; requests 3; poll !0 !1 !2 ~time; poll d; fix; +1m; poll a b c
		does not, if one that was read before can be read: the two are broken | 5 | recheck 99d; publish; break 0 1; buy a 0; buy b 1; poll !0 !1 #4; poll #3; +5m; buy c 2; poll c #4; +4m; poll #1; fix; +1m; poll a b #3
		is no reason to fail if each failed before | 5 | publish; break 0; buy a 0; poll !0; break 1; buy b 1; poll !1; poll
		is reported again once it is read once an hour | 5 | recheck 2h; publish; break 0; +1h; buy a 0; buy b 1; poll b !0; +1h; buy c 0; buy d 1; poll d; +1h; buy e 0; buy f 1; poll f !0
		is reported at once if it fails again after it was read | 5 | recheck 99d; publish; break 0; buy a 0; buy b 1; poll b !0; fix; +1ms; buy c 0; +1ms; buy d 1; poll a c d; break 0; buy e 0; buy f 1; poll f !0
		is forgotten with its transactions | 1 | lookback 2d; publish; break 1; buy a 1; poll !1; +5d; buy b 2; poll b; knows 1
	`);
});

describe('the state', () => {
	const own = { version: 4, nodeId: 'n', baseUrl: 'x' };
	const UNREAD = expect.any(UserError);

	test.each<[unknown, boolean, unknown]>([
		[{ ...own, version: 3 }, true, UNREAD],
		[{ version: 3 }, true, UNREAD],
		['text', true, UNREAD],
		[own, true, UNREAD],
		[null, false, undefined],
		[{ ...own, nodeId: 'of a deleted node with this name' }, true, undefined],
		[{ ...own, baseUrl: 'y' }, true, undefined],
	])(
		'that is %j is not used: it starts over %s, and reports %s',
		async (stored, startsOver, loss) => {
			const trigger = new Trigger(createApi(1));
			trigger.stored = stored;
			const { opened, ids, mustStore } = await trigger.poll();
			expect([opened.startsOver, opened.loss, ids, mustStore]).toEqual([
				startsOver,
				loss,
				[],
				true,
			]);
			const { eventId } = trigger.api.purchase('card-0');
			expect(await trigger.poll()).toMatchObject({ ids: [eventId], opened: { startsOver: false } });
		},
	);

	test('takes about 85 bytes for a card and 8 for an event; without events, it has none', async () => {
		const trigger = new Trigger(createApi(250, 8));
		const { state } = await trigger.poll();
		const { length } = JSON.stringify(state);
		expect(length).toBeLessThan(250 * 85 + 2_000 * 8 + 500);
		expect(length).toBeGreaterThan(2_000 * 8);
		// Of the last hour before the newest transaction.
		expect(state.listed).toHaveLength(3 * 8);
		const empty = new Trigger(createApi(1));
		empty.api.changeEvents = () => [];
		expect((await empty.poll()).state.cards['card-0']).toMatchObject({ seen: '' });
	});

	test.each([40, 45])('of 10 000 cards fits with 40 events each: %i', async (events) => {
		const trigger = new Trigger(createApi(1));
		const { state } = await trigger.poll();
		const card = {
			newestAt: trigger.api.now,
			readAt: trigger.api.now,
			seen: 'x'.repeat(8 * events),
		};
		const ids = Array.from({ length: 10_000 }, (_, number) => `${number}`.padStart(36, '0'));
		// Whatever the first round has to remember.
		const firstRound = { since: 0, known: 'x'.repeat(4_000_000), listedFrom: 0 };
		const cards = { ...state.cards, ...Object.fromEntries(ids.map((id) => [id, card])) };
		trigger.stored = { ...state, firstRound, cards };
		trigger.settings.recheckInterval = DAY;
		if (events === 40) await expect(trigger.poll()).resolves.toMatchObject({ ids: [] });
		else
			await expect(trigger.poll()).rejects.toMatchObject({
				message: expect.stringContaining('Too many cards and events to track'),
				hint: expect.stringContaining('Look Back (Days)'),
			});
	});
});

test.each(['__proto__', 'constructor'])('a card %s is one like any other', async (cardId) => {
	const api = createApi(1);
	const trigger = new Trigger(api);
	await trigger.poll();
	const { eventId } = api.purchase(cardId);
	expect((await trigger.poll()).ids).toEqual([eventId]);
	expect(Object.keys(Object.prototype)).toEqual([]);
	api.now += HOUR;
	expect((await trigger.poll()).ids).toEqual([]);
});

describe('an event without a field', () => {
	test('without a time, after old ones: it is found', async () => {
		const api = new FakeCardApi();
		api.purchase('card-0', { ago: 50 * DAY });
		api.purchase('card-1', { ago: DAY });
		const trigger = new Trigger(api);
		await trigger.poll();
		const { eventId } = api.purchase('card-0');
		api.changeEvents = (events) =>
			events.map((event) => (event.id === eventId ? { ...event, createdAt: 'unknown' } : event));
		expect((await trigger.poll()).ids).toEqual([eventId]);
		expect((await trigger.poll()).ids).toEqual([]);
	});

	test('without its transaction: it is old before the first poll, and awaited no longer after', async () => {
		const api = createApi(1, 2);
		api.purchase('card-0', { ago: HOUR });
		api.changeEvents = (events) => events.map((event) => ({ ...event, transactionId: undefined }));
		const trigger = new Trigger(api);
		expect((await trigger.poll()).ids).toEqual([]);
		const { eventId } = api.purchase('card-0');
		const { ids, state } = await trigger.poll();
		// What was there before the first poll need not be known any longer.
		expect([ids, state.cards['card-0']?.due, state.firstRound]).toEqual([
			[eventId],
			undefined,
			undefined,
		]);
	});
});
