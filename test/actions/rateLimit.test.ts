import fc from 'fast-check';
import { sleep } from 'n8n-workflow';

import { Limiter } from '../../nodes/CardPlatform/transport/limiter';
import { retryDelay } from '../../nodes/CardPlatform/transport/retry';

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

const PATIENCE_MS = 240_000;

/** An API that accepts `rate` requests per second, and `burst` at once. */
interface Limits {
	rate: number;
	burst: number;
	/** Milliseconds per request. */
	latency: number;
	/** Whether a 429 has a Retry-After, in whole seconds. */
	hasRetryAfter: boolean;
	/** What of the burst is left at the start; absent: all. */
	left?: number;
}

/** The milliseconds in which the API accepts these requests, at best. */
const idealTime = (count: number, { rate, burst, left = burst }: Limits) =>
	(Math.max(0, count - left) / rate) * 1000;

/** Milliseconds until the API accepts a request; 0 if it accepted this one. */
type Take = (now: number) => number;

/** An API that accepts this many requests in each window, the first of which began some time ago. */
function createWindow(most: number, length: number, age: number): Take {
	let current = 0;
	let accepted = 0;
	return (now) => {
		const window = Math.floor((now + age) / length);
		if (window !== current) [current, accepted] = [window, 0];
		if (accepted === most) return (window + 1) * length - age - now;
		accepted++;
		return 0;
	};
}

/** The token bucket of such an API. */
function createBucket({ rate, burst, left = burst }: Limits): Take {
	const refillMs = 1000 / rate;
	// When the bucket will be full again.
	let fullAt = performance.now() + (burst - left) * refillMs;
	return (now) => {
		const next = Math.max(fullAt, now) + refillMs;
		const waitMs = next - now - burst * refillMs;
		if (waitMs <= 0) fullAt = next;
		return Math.max(0, waitMs);
	};
}

/**
 * Sends requests as a node run does, against the clock of the test.
 *
 * @param change limits that apply later on
 */
async function send(count: number, first: Limits, change?: { at: number; limits: Limits }) {
	let bucket = createBucket(first);
	if (change) setTimeout(() => (bucket = createBucket(change.limits)), change.at);
	return await sendTo((now) => bucket(now), count, first);
}

async function sendTo(take: Take, count: number, api: Pick<Limits, 'latency' | 'hasRetryAfter'>) {
	const start = performance.now();
	const limiter = new Limiter(32, PATIENCE_MS);
	let refused = 0;
	let failed = 0;

	const sendOne = async () => {
		for (let retries = 0; ; retries++) {
			const sentAt = limiter.now();
			await sleep(api.latency / 2);
			const missing = take(performance.now());
			await sleep(api.latency / 2);
			if (missing === 0) {
				limiter.onSuccess(sentAt);
				return;
			}
			refused++;
			const retryAfter = api.hasRetryAfter ? Math.ceil(missing / 1000) * 1000 : undefined;
			limiter.onRateLimited(sentAt, retryDelay({ retryAfter }, retries, (refused % 10) / 10));
			if (limiter.rateLimitsPastPatience > 0) {
				failed++;
				return;
			}
			await limiter.requeue();
		}
	};
	const all = Array.from({ length: count }, async () => {
		await limiter.run(sendOne);
	});
	await jest.runAllTimersAsync();
	await Promise.all(all);
	return { took: performance.now() - start, refused, failed };
}

test.each<Limits>([
	{ rate: 50, burst: 20, latency: 25, hasRetryAfter: false },
	{ rate: 50, burst: 20, latency: 100, hasRetryAfter: true },
	{ rate: 10, burst: 5, latency: 110, hasRetryAfter: true },
	{ rate: 20, burst: 100, latency: 60, hasRetryAfter: false },
	{ rate: 10, burst: 10, latency: 25, hasRetryAfter: true, left: 0 },
	// A run of ten seconds, and each 429 takes one of them, in which few requests are saved up.
	{ rate: 100, burst: 10, latency: 25, hasRetryAfter: true },
	{ rate: 5, burst: 1, latency: 25, hasRetryAfter: true },
	{ rate: 5, burst: 1, latency: 25, hasRetryAfter: false },
])('1,000 requests, %p: at most 1.5 times the ideal time, 10 %% refused', async (limits) => {
	const { took, refused, failed } = await send(1_000, limits);
	expect(took / idealTime(1_000, limits)).toBeLessThanOrEqual(1.5);
	expect(took / idealTime(1_000, limits)).toBeGreaterThanOrEqual(1);
	expect(refused / (1_000 + refused)).toBeLessThanOrEqual(0.1);
	expect(failed).toBe(0);
});

test('a limit that is raised during the run: the rate follows', async () => {
	const limitsOf = (rate: number) => ({ rate, burst: 5, latency: 25, hasRetryAfter: true });
	const [slow, quick] = [limitsOf(5), limitsOf(100)];
	const run = await send(3_000, slow, { at: 60_000, limits: quick });
	expect(run.took).toBeLessThan(idealTime(3_000, slow) / 3);
});

test('whatever the fixed window: no request fails, and the run ends soon enough', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.record({
				most: fc.integer({ min: 10, max: 200 }),
				length: fc.integer({ min: 1_000, max: 120_000 }),
				age: fc.integer({ min: 0, max: 120_000 }),
				latency: fc.integer({ min: 2, max: 300 }),
				hasRetryAfter: fc.boolean(),
			}),
			async ({ most, length, age, ...api }) => {
				const start = performance.now();
				const take = createWindow(most, length, age - start);
				const { took, failed } = await sendTo(take, 300, api);
				expect(failed).toBe(0);
				const windows = Math.ceil(300 / most);
				expect(took).toBeLessThan(3 * windows * length + 300 * api.latency + 30_000);
			},
		),
	);
});

describe('after a 429', () => {
	/** Sends this many requests, which the API accepts at once, and gives how many it has sent by now. */
	function sendAll(limiter: Limiter, count: number): () => number {
		let sent = 0;
		for (let index = 0; index < count; index++) {
			void limiter.run(async () => {
				sent++;
				await Promise.resolve();
			});
		}
		return () => sent;
	}

	test('a later one does not shorten the pause, and may prolong it', async () => {
		const limiter = new Limiter(32, PATIENCE_MS);
		limiter.onRateLimited(limiter.now(), 10_000);
		await jest.advanceTimersByTimeAsync(1_000);
		limiter.onRateLimited(limiter.now(), 500);
		const sent = sendAll(limiter, 1);
		await jest.advanceTimersByTimeAsync(8_999);
		expect(sent()).toBe(0);
		limiter.onRateLimited(limiter.now(), 500);
		await jest.advanceTimersByTimeAsync(499);
		expect(sent()).toBe(0);
		await jest.advanceTimersByTimeAsync(1);
		expect(sent()).toBe(1);
	});

	test('the rate is 0.7 of what was accepted in the time before and a tenth of the pause; late timers do not lower it', async () => {
		const limiter = new Limiter(32, PATIENCE_MS);
		for (let count = 0; count < 100; count++) limiter.onSuccess(limiter.now());
		const sentAt = limiter.now();
		await jest.advanceTimersByTimeAsync(100);
		limiter.onRateLimited(sentAt, 1_000);
		const sent = sendAll(limiter, 1_000);
		await jest.advanceTimersByTimeAsync(1_000);
		// 0.7 of 100 in 200 ms: 350 a second, although timers count whole milliseconds.
		await jest.advanceTimersByTimeAsync(1_000);
		expect(sent()).toBe(350);
	});

	test.each([
		['a response since: 0.7 of the rate', 1, 50],
		['no response since: 0.49 of it', 0, 35],
	])('another one, %s', async (_name, accepted, most) => {
		const limiter = new Limiter(32, PATIENCE_MS);
		for (let count = 0; count < 100; count++) limiter.onSuccess(limiter.now());
		await jest.advanceTimersByTimeAsync(900);
		// A rate of 0.7 of 100 in 1,000 ms.
		limiter.onRateLimited(limiter.now() - 900, 1_000);
		limiter.onSuccess(limiter.now() - 1);
		await jest.advanceTimersByTimeAsync(1_000);
		for (let count = 0; count < accepted; count++) limiter.onSuccess(limiter.now());
		limiter.onRateLimited(limiter.now(), 1_000);
		const sent = sendAll(limiter, 200);
		await jest.advanceTimersByTimeAsync(2_000);
		expect(sent()).toBe(most);
	});
});

describe('requests in flight', () => {
	/** Sends requests that take this long and succeed, and ends once all have. */
	async function succeed(limiter: Limiter, count: number, latency: number) {
		const send = async () => {
			await limiter.run(async () => {
				const sentAt = limiter.now();
				await sleep(latency);
				limiter.onSuccess(sentAt);
			});
		};
		await Promise.all([...Array.from({ length: count }, send), jest.runAllTimersAsync()]);
	}

	/** How many requests the limiter sends together. */
	async function inFlightOf(limiter: Limiter): Promise<number> {
		let inFlight = 0;
		const all = Array.from({ length: 40 }, async () => {
			await limiter.run(async () => {
				inFlight++;
				await sleep(100);
			});
		});
		await jest.advanceTimersByTimeAsync(1);
		const found = inFlight;
		await Promise.all([...all, jest.runAllTimersAsync()]);
		return found;
	}

	test('two failures in a row halve them, down to those of the start', async () => {
		const limiter = new Limiter(32, PATIENCE_MS);
		await succeed(limiter, 500, 100);
		expect(await inFlightOf(limiter)).toBe(32);
		const fail = () => limiter.onFailure(limiter.now());
		fail();
		limiter.onSuccess(limiter.now());
		fail();
		expect(await inFlightOf(limiter)).toBe(32);
		fail();
		expect(await inFlightOf(limiter)).toBe(16);
		for (let count = 0; count < 8; count++) fail();
		expect(await inFlightOf(limiter)).toBe(4);
	});

	test('requests sent one by one do not allow a burst later', async () => {
		const limiter = new Limiter(32, PATIENCE_MS);
		for (let count = 0; count < 20; count++) await succeed(limiter, 1, 100);
		expect(await inFlightOf(limiter)).toBe(4);
	});

	test('quick responses let them grow no faster than the time allows', async () => {
		jest.advanceTimersByTime(3_600_000);
		const limiter = new Limiter(32, PATIENCE_MS);
		await succeed(limiter, 100, 1);
		expect(await inFlightOf(limiter)).toBe(4);
	});

	test('a request is given up once nothing but 429s has come for the whole patience', async () => {
		const limiter = new Limiter(32, PATIENCE_MS);
		limiter.onRateLimited(limiter.now(), 1_000);
		jest.advanceTimersByTime(PATIENCE_MS - 1);
		limiter.onRateLimited(limiter.now(), 1_000);
		expect(limiter.rateLimitsPastPatience).toBe(0);
		jest.advanceTimersByTime(1);
		limiter.onRateLimited(limiter.now(), 1_000);
		expect(limiter.rateLimitsPastPatience).toBe(1);
		// The others need not wait for their turn.
		expect(await inFlightOf(limiter)).toBe(4);
	});
});
