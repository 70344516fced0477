import {
	type Failure,
	parseRetryAfter,
	retryDelay,
	shouldRetry,
} from '../../nodes/CardPlatform/transport/retry';
import type { Effect } from '../../nodes/CardPlatform/transport/types';

const now = Date.parse('2026-11-21T10:00:00Z');

describe('parseRetryAfter', () => {
	test.each<[string, unknown, number | undefined]>([
		['absent', undefined, undefined],
		['repeated, so a list', ['7'], undefined],
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

describe('shouldRetry', () => {
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
		['once', { status: 503, retryAfter: 0 }, true],
		['once', { status: 504 }, false],
		['once', { status: 500, retryAfter: 1_000 }, false],
		['once', { retryAfter: 1_000 }, false],
	])('%s after %j: sent again %p', (effect, failure, expected) => {
		expect(shouldRetry(effect, failure, 0)).toBe(expected);
	});

	test('three times, but any number of times after a 429', () => {
		const isRetried = (failure: Failure) =>
			[0, 1, 2, 3, 4].map((retries) => shouldRetry('read', failure, retries));
		expect(isRetried({})).toEqual([true, true, true, false, false]);
		expect(isRetried({ status: 429 })).toEqual([true, true, true, true, true]);
	});
});

describe('retryDelay', () => {
	test('doubles from half a second to 8 seconds', () => {
		const delays = [0, 1, 2, 3, 4, 5, 20].map((retries) => retryDelay({}, retries, 1));
		expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
	});

	test('jitter takes up to half of it away', () => {
		expect(retryDelay({}, 0, 0)).toBe(250);
	});

	test('is what the API asks for, unless that is next to nothing', () => {
		expect(retryDelay({ retryAfter: 7_000 }, 0, 0)).toBe(7_000);
		expect(retryDelay({ retryAfter: 500 }, 20, 1)).toBe(500);
		expect(retryDelay({ retryAfter: 499 }, 20, 1)).toBe(8_000);
		expect(retryDelay({ retryAfter: 0 }, 20, 1)).toBe(8_000);
	});
});
