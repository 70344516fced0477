import { sleep } from 'n8n-workflow';

import { MAX_RETRY_AFTER_MS } from '../api/assumptions';
import { Pacer } from './pacer';

/** Requests in flight at the start of a run. */
const FIRST_WINDOW = 4;
/** What each response adds while the window grows quickly (slow start). */
const QUICK_GROWTH = 0.5;
/**
 * The most that the window has grown per millisecond of the run. So only a few requests get a 429 where a
 * fast API has a limit.
 */
const GROWTH_PER_MS = 0.03;
/** Failures in a row, without a success in between, that halve the window. */
const FAILURES_IN_A_ROW = 2;
/** A response that takes longer than the fastest of late, by this factor, is slow: the window does not grow. */
const SLOWER = 2;
/** With each response, the fastest of late counts as this much slower. */
const FORGETTING = 1.005;
/** Responses are not slow below this time, in milliseconds. */
const FAST_MS = 10;

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

/** n8n's clock in milliseconds; where that is set back, this one goes on from where it was. */
class SteadyClock {
	private last = -Infinity;

	private behind = 0;

	now(): number {
		const now = Date.now();
		this.behind = Math.max(this.behind, this.last - now);
		this.last = now + this.behind;
		return this.last;
	}
}

/**
 * Decides how many requests one node run has in flight: those of all items and pages together. The
 * window starts small and grows with every fast response, quickly at first, then by one per round trip
 * (slow start and additive increase, as in TCP: RFC 5681). It is halved after a 429, and after failures in a
 * row. A 429 also makes all requests wait until its pause is over, and paces them from then on.
 *
 * Times are in milliseconds, as {@link now} gives them.
 */
export class Limiter {
	private inFlight = 0;

	/** Requests that wait for their turn. */
	private readonly queue: (() => void)[] = [];

	private readonly maxConcurrent: number;

	private readonly patience: number;

	private readonly signal: AbortSignal | undefined;

	private window: number;

	private growsQuickly = true;

	private readonly clock = new SteadyClock();

	private readonly startedAt = this.clock.now();

	/** The fastest of late, by kind of request: a list may be faster than what it lists. */
	private readonly fastest = new Map<string, number>();

	private failuresInARow = 0;

	/** When the window was last halved: what was sent before has the same cause. */
	private halvedAt = -Infinity;

	private readonly pacer = new Pacer(this.startedAt);

	/** When the last 429 came; undefined if another response, or a failure, has come since. */
	private refusedAt: number | undefined;

	/** For how long nothing but 429s had come by then, in milliseconds. */
	private refusedFor = 0;

	/** True once another request than the one that was given up got a 429, too. */
	private isBlockedForAll = false;

	private isWaiting = false;

	/**
	 * @param maxConcurrent requests that may ever be in flight together
	 * @param patience for how long nothing but 429s may come, in milliseconds
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

	/**
	 * Whether to give a request up, as nothing but 429s has come for too long, e.g. as a quota is used up.
	 *
	 * @param wasSent false: the limit may be that of another resource, so one such request is tried
	 */
	givesUp(wasSent: boolean): boolean {
		return this.isBlocked && (wasSent || this.isBlockedForAll);
	}

	private get isBlocked(): boolean {
		return this.refusedFor >= this.patience;
	}

	private get capacity(): number {
		return Math.floor(this.window);
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
			this.leave();
		}
	}

	/** Milliseconds of a clock that is never set back. */
	now(): number {
		return this.clock.now();
	}

	/**
	 * Notes a response that is neither a 429 nor a failure. If it came fast, there may be more requests.
	 *
	 * @param kind of the request; durations are compared with those of the same kind
	 */
	succeeded(sentAt: number, kind: string): void {
		const now = this.now();
		const duration = now - sentAt;
		this.pacer.responded(sentAt);
		this.failuresInARow = 0;
		this.endRefusals();
		const before = this.fastest.get(kind) ?? Infinity;
		const fastest = Math.min(before * FORGETTING, Math.max(duration, FAST_MS));
		this.fastest.set(kind, fastest);
		const isFast = duration <= fastest * SLOWER;
		// A window that is not used says nothing about a larger one.
		if (!isFast || this.inFlight < this.capacity) return;
		const growth = this.growsQuickly ? QUICK_GROWTH : 1 / this.window;
		const most = FIRST_WINDOW + (now - this.startedAt) * GROWTH_PER_MS;
		this.window = Math.max(this.window, Math.min(this.window + growth, most, this.maxConcurrent));
	}

	/** Notes that there was no response, or one that says that the API is in trouble. */
	failed(sentAt: number): void {
		this.pacer.responded(sentAt);
		this.endRefusals();
		// Not below the start: where requests fail at random, fewer of them would not fail less.
		if (++this.failuresInARow >= FAILURES_IN_A_ROW) this.halve(sentAt, FIRST_WINDOW);
	}

	/**
	 * Notes a 429: nothing is sent for `wait` milliseconds, and the requests after that are paced.
	 */
	refused(sentAt: number, wait: number): void {
		const now = this.now();
		this.isBlockedForAll ||= this.isBlocked;
		// It was longer only if the machine slept or the clock was set forward.
		this.refusedFor += Math.min(now - (this.refusedAt ?? now), MAX_RETRY_AFTER_MS);
		this.refusedAt = now;
		this.pacer.refused(sentAt, now, now + wait);
		this.halve(sentAt, 1);
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

	private endRefusals(): void {
		this.refusedAt = undefined;
		this.refusedFor = 0;
		this.isBlockedForAll = false;
	}

	private halve(sentAt: number, least: number): void {
		if (sentAt < this.halvedAt) return;
		this.halvedAt = this.now();
		this.growsQuickly = false;
		this.window = Math.min(this.window, Math.max(least, this.window / 2));
	}

	private leave(): void {
		this.inFlight--;
		this.startNext();
	}

	private startNext(): void {
		while (this.mayStart()) {
			// Then each request fails by itself, at once.
			const isOver = this.signal?.aborted === true || this.isBlocked;
			const delay = isOver ? 0 : this.pacer.delay(this.now());
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
		const { resumeAt } = this.pacer;
		await pause(delay, this.signal);
		this.isWaiting = false;
		// Only another 429 makes the next request wait longer.
		if (this.pacer.resumeAt === resumeAt) {
			this.pacer.waited(this.now());
			if (this.mayStart()) this.start();
		}
		this.startNext();
	}

	private mayStart(): boolean {
		return this.inFlight < this.capacity && this.queue.length > 0;
	}

	private start(): void {
		this.inFlight++;
		this.pacer.sent();
		this.queue.shift()?.();
	}
}
