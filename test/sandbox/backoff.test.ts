import fc from 'fast-check';

import { retryDelay } from '../../sandbox/webhooks/backoff.ts';

const settings = { baseDelay: 1_000, maxDelay: 300_000 };

test('without jitter the delay doubles up to the maximum', () => {
	const delays = [1, 2, 3, 4, 9, 10, 50].map((attempt) => retryDelay(attempt, settings, 0));
	expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 256_000, 300_000, 300_000]);
});

test('jitter takes off at most half', () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 60 }),
			fc.double({ min: 0, max: 1, noNaN: true }),
			(attempt, random) => {
				const full = retryDelay(attempt, settings, 0);
				const delay = retryDelay(attempt, settings, random);
				expect(delay).toBeGreaterThanOrEqual(full / 2);
				expect(delay).toBeLessThanOrEqual(full);
			},
		),
	);
	expect(retryDelay(1, settings, 1)).toBe(500);
});
