import {
	type Effect,
	type Failure,
	parseRetryAfter,
	retryDelay,
} from '../../nodes/CardPlatform/transport/retry';

const now = Date.parse('2026-11-21T10:00:00Z');

describe('parseRetryAfter', () => {
	test.each<[string, string | undefined, number | undefined]>([
		['absent', undefined, undefined],
		['blank', '  ', undefined],
		['seconds', '7', 7_000],
		['zero', '0', 0],
		['blanks round it', ' 7 ', 7_000],
		['a quarter of a second', '0.25', 250],
		['a date that is not of HTTP', '2026-11-21T10:00:30Z', undefined],
		['fraction of a second', '0.5', 500],
		['an HTTP date ahead', 'Sat, 21 Nov 2026 10:00:30 GMT', 30_000],
		['an HTTP date gone by', 'Sat, 21 Nov 2026 09:00:00 GMT', 0],
		['negative', '-5', undefined],
		['garbage', 'soon', undefined],
		['huge', '86400', 60_000],
		['a date far ahead', 'Sun, 21 Nov 2027 10:00:00 GMT', 60_000],
		['an exponent', '1e3', undefined],
	])('%s', (_name, header, expected) => {
		expect(parseRetryAfter(header, now)).toBe(expected);
	});
});

describe('retryDelay', () => {
	const clock = { now, random: 1 };

	test.each<[Effect, Failure, boolean]>([
		['read', {}, true],
		['read', { status: 408 }, true],
		['read', { status: 429 }, true],
		['read', { status: 500 }, true],
		['read', { status: 502 }, true],
		['read', { status: 503 }, true],
		['read', { status: 504 }, true],
		['read', { status: 400 }, false],
		['read', { status: 401 }, false],
		['read', { status: 403 }, false],
		['read', { status: 404 }, false],
		['read', { status: 501 }, false],
		['repeatable', {}, true],
		['repeatable', { status: 500 }, true],
		['repeatable', { status: 400 }, false],
		['once', {}, false],
		['once', { status: 408 }, false],
		['once', { status: 429 }, true],
		['once', { status: 500 }, false],
		['once', { status: 502 }, false],
		['once', { status: 503 }, false],
		['once', { status: 503, retryAfter: '1' }, true],
		['once', { status: 504 }, false],
		['once', { status: 500, retryAfter: '1' }, false],
		['once', { retryAfter: '1' }, false],
	])('%s after %j: sent again %p', (effect, failure, expected) => {
		expect(retryDelay(effect, failure, 0, clock) !== undefined).toBe(expected);
	});

	test('gives up after three retries', () => {
		const delays = [0, 1, 2, 3, 4].map((retries) => retryDelay('read', {}, retries, clock));
		expect(delays.map((delay) => delay !== undefined)).toEqual([true, true, true, false, false]);
	});

	test('doubles the wait from half a second', () => {
		expect([0, 1, 2].map((retries) => retryDelay('read', {}, retries, clock))).toEqual([
			500, 1_000, 2_000,
		]);
	});

	test('jitter takes up to half of the wait away', () => {
		expect(retryDelay('read', {}, 0, { now, random: 0 })).toBe(250);
	});

	test('waits as the API asks, if it does so in a form that is known', () => {
		expect(retryDelay('read', { status: 429, retryAfter: '7' }, 0, clock)).toBe(7_000);
		expect(retryDelay('read', { status: 429, retryAfter: '-1' }, 0, clock)).toBe(500);
		expect(retryDelay('read', { status: 429, retryAfter: '1' }, 20, clock)).toBe(1_000);
		for (const retryAfter of ['0', '0.01', new Date(now - 1_000).toUTCString()]) {
			expect(retryDelay('read', { status: 429, retryAfter }, 20, clock)).toBe(8_000);
		}
	});
});
