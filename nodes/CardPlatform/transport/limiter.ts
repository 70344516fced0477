import { sleep } from 'n8n-workflow';

/** Requests in flight at the start of a run. */
const FIRST_WINDOW = 4;
/** What each response adds to the window during slow start. */
const SLOW_START_GROWTH = 0.5;
/** The window grows at most this much per millisecond, so that only a few requests get the first 429. */
const MAX_GROWTH_PER_MS = 0.03;
/** Failures in a row that halve the window. */
const FAILURES_IN_A_ROW = 2;

/** Requests that may be sent at once if a timer was late, or if fewer were sent than the rate allows. */
const MAX_BURST = 8;
/** Requests per millisecond that are always tried: one per minute. */
const MIN_RATE = 1 / 60_000;
/** The rate doubles in this time: sooner at first, as the first 429 shows little. */
const DOUBLES_AFTER_MS = { first: 5_000, later: 45_000 };

/** Waits; a stop ends the wait at once. n8n-workflow has no such wait in every version. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
	if (signal === undefined) {
		await sleep(ms);
		return;
	}
	if (signal.aborted) return;
	let onStop = (): void => undefined;
	const stop = new Promise<void>((resolve) => (onStop = resolve));
	signal.addEventListener('abort', onStop);
	await Promise.race([sleep(ms), stop]);
	signal.removeEventListener('abort', onStop);
}

/**
 * Limits the requests of one node run: those of all items and pages together.
 *
 * The window (requests in flight) starts small and grows as in TCP (RFC 5681): with each response at first
 * (slow start), then by one per round trip. A 429, or failures in a row, halve it.
 *
 * After a 429, everything waits as the API asks. Then requests are sent at the rate that the API has accepted,
 * which grows again, as the limit may be raised.
 *
 * Times are in milliseconds, as {@link now} gives them.
 */
export class Limiter {
	private readonly maxConcurrent: number;
	private readonly patience: number;
	private readonly signal: AbortSignal | undefined;
	private readonly startedAt = this.now();

	private inFlight = 0;
	/** Requests that wait for their turn. */
	private readonly queue: (() => void)[] = [];
	private isWaiting = false;

	private window: number;
	private isSlowStart = true;
	private failuresInARow = 0;
	/** When the window was last halved: what was sent before has the same cause. */
	private halvedAt = -Infinity;

	/** Requests per millisecond at `restartsAt`; Infinity before the first 429. */
	private rate = Infinity;
	private doublesAfter = DOUBLES_AFTER_MS.first;
	/** When the pause after the last 429 is over. */
	private restartsAt = this.startedAt;
	/** When the next request may be sent. */
	private nextAt = this.startedAt;
	/** Responses other than 429 to requests sent since the restart. */
	private accepted = 0;

	/** When the first 429 of those without another response or failure in between came. */
	private rateLimitedSince: number | undefined;
	/** How many of them came after the patience was over. */
	private exhausted = 0;

	/**
	 * @param maxConcurrent requests that may ever be in flight together
	 * @param patience for how long nothing but 429s may come
	 * @param signal ends all waits
	 */
	constructor(maxConcurrent: number, patience: number, signal?: AbortSignal) {
		this.maxConcurrent = maxConcurrent;
		this.patience = patience;
		this.signal = signal;
		this.window = Math.min(FIRST_WINDOW, maxConcurrent);
	}

	/** Pages of one list that are worth fetching together: fewer where requests wait already. */
	get room(): number {
		return Math.max(1, this.capacity - this.queue.length);
	}

	private get capacity(): number {
		return Math.floor(this.window);
	}

	/** Milliseconds of a clock that is never set back. */
	now(): number {
		return performance.now();
	}

	/**
	 * Sends a request when it is its turn.
	 *
	 * @param request holds its place until it has ended, unless it calls {@link requeue}
	 * @returns what the request gives
	 * @throws what the request throws
	 */
	async run<T>(request: () => Promise<T>): Promise<T> {
		await new Promise<void>((resolve) => {
			this.queue.push(resolve);
			this.startNext();
		});
		try {
			return await request();
		} finally {
			this.inFlight--;
			this.startNext();
		}
	}

	/** Gives up the place of a running request and waits for the next one, ahead of all others. */
	async requeue(): Promise<void> {
		this.inFlight--;
		await new Promise<void>((resolve) => {
			this.queue.unshift(resolve);
			this.startNext();
		});
	}

	/**
	 * Whether to give a request up, as nothing but 429s has come for too long, e.g. as a quota is used up.
	 *
	 * @param wasSent false: the limit may be that of another resource, so one such request is tried
	 */
	givesUp(wasSent: boolean): boolean {
		return this.exhausted > (wasSent ? 0 : 1);
	}

	/** Notes a response that is neither a 429 nor a failure. */
	onSuccess(sentAt: number): void {
		this.onAccepted(sentAt);
		this.failuresInARow = 0;
		// A window that is not used says nothing about a larger one.
		if (this.inFlight < this.capacity) return;
		const growth = this.isSlowStart ? SLOW_START_GROWTH : 1 / this.window;
		const max = FIRST_WINDOW + (this.now() - this.startedAt) * MAX_GROWTH_PER_MS;
		this.window = Math.max(this.window, Math.min(this.window + growth, max, this.maxConcurrent));
	}

	/** Notes that there was no response, or one that says that the API is in trouble. */
	onFailure(sentAt: number): void {
		this.onAccepted(sentAt);
		// Not below the start: where requests fail at random, fewer of them would not fail less.
		if (++this.failuresInARow >= FAILURES_IN_A_ROW) this.halveWindow(sentAt, FIRST_WINDOW);
	}

	/** Notes a 429: nothing is sent for `wait` milliseconds. */
	onRateLimited(sentAt: number, wait: number): void {
		const now = this.now();
		this.rateLimitedSince ??= now;
		if (now - this.rateLimitedSince >= this.patience) this.exhausted++;

		const restartsAt = Math.max(this.restartsAt, now + wait);
		// A request that was sent before the last pause shows nothing new.
		if (sentAt >= this.restartsAt) this.measureRate(now, restartsAt);
		this.restartsAt = restartsAt;
		this.nextAt = restartsAt;
		this.halveWindow(sentAt, 1);
	}

	/**
	 * Processes items, as many together as there may be requests.
	 *
	 * @returns the results in the order of the items
	 * @throws what the task of the first failing item threw, when those already running have ended; no
	 * further task is started after a failure
	 */
	async mapConcurrent<T, R>(items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
		const results: Promise<R>[] = [];
		const running = new Set<Promise<unknown>>();
		let failures = 0;

		for (const item of items) {
			while (running.size >= this.capacity) await Promise.race(running);
			if (failures > 0) break;
			const result = task(item);
			results.push(result);
			const ended = result.catch(() => failures++).finally(() => running.delete(ended));
			running.add(ended);
		}
		await Promise.all(running);
		return await Promise.all(results);
	}

	private onAccepted(sentAt: number): void {
		if (sentAt >= this.restartsAt) this.accepted++;
		this.rateLimitedSince = undefined;
		this.exhausted = 0;
	}

	private halveWindow(sentAt: number, min: number): void {
		if (sentAt < this.halvedAt) return;
		this.halvedAt = this.now();
		this.isSlowStart = false;
		this.window = Math.min(this.window, Math.max(min, this.window / 2));
	}

	/**
	 * Measures the rate: what was accepted since sending last (re)started, over that time and the pause. This may be
	 * too low, and the rate so far was too high, so the new one is their geometric mean; it is halved at most.
	 */
	private measureRate(now: number, restartsAt: number): void {
		const accepted = Math.max(1, this.accepted);
		const measured = accepted / (restartsAt - this.restartsAt);
		let tooHigh = accepted / Math.max(1, now - this.restartsAt);
		if (this.rate < Infinity) {
			tooHigh = this.rateAt(now);
			this.doublesAfter = DOUBLES_AFTER_MS.later;
		}
		this.rate = Math.max(Math.sqrt(measured * tooHigh), tooHigh / 2, MIN_RATE);
		this.accepted = 0;
	}

	/** Requests per millisecond. */
	private rateAt(now: number): number {
		return this.rate * (1 + ((now - this.restartsAt) / this.doublesAfter) ** 2);
	}

	private startNext(): void {
		while (this.inFlight < this.capacity && this.queue.length > 0) {
			// Then each request fails by itself, at once.
			const isOver = this.signal?.aborted === true || this.exhausted > 0;
			const delay = isOver ? 0 : this.nextAt - this.now();
			if (delay > 0) {
				void this.startAfter(delay);
				return;
			}
			this.start();
		}
	}

	private async startAfter(delay: number): Promise<void> {
		if (this.isWaiting) return;
		this.isWaiting = true;
		await pause(Math.ceil(delay), this.signal);
		this.isWaiting = false;
		this.startNext();
	}

	private start(): void {
		const now = this.now();
		const interval = 1 / this.rateAt(now);
		this.nextAt = Math.max(this.nextAt, now - (MAX_BURST - 1) * interval) + interval;
		this.inFlight++;
		this.queue.shift()?.();
	}
}
