import { sleep } from 'n8n-workflow';

/** Requests in flight at the start of a run, and at least after failures. */
const FIRST_CONCURRENT = 4;
/**
 * Each response allows one more request in flight, up to FIRST_CONCURRENT + (time since the start / GROWTH_MS)²: 32
 * after 0.4 s. The slow start lets few requests get the first 429.
 */
const GROWTH_MS = 80;

/** What a 429 leaves of the rate, and what each response adds to it, in requests per millisecond. */
const DECREASE = 0.7;
const INCREASE = 0.04 / 1_000;
/** Requests per millisecond that are always tried: one per minute. */
const MIN_RATE = 1 / 60_000;

/** A timer may be late by this much, in milliseconds: what it delayed is sent at once. */
const LATE_TIMER_MS = 50;

/** Waits for something; a stop ends the wait at once, without a result. */
export async function untilStop<T>(
	wanted: () => Promise<T>,
	signal: AbortSignal | undefined,
): Promise<T | undefined> {
	if (signal?.aborted) return undefined;
	let onStop = (): void => undefined;
	const stop = new Promise<undefined>((resolve) => (onStop = () => resolve(undefined)));
	signal?.addEventListener('abort', onStop);
	return await Promise.race([wanted(), stop]).finally(() =>
		signal?.removeEventListener('abort', onStop),
	);
}

/** Waits for a time, or for a stop. n8n-workflow has no such wait in every version. */
export const pause = async (ms: number, signal: AbortSignal | undefined): Promise<void> =>
	await untilStop(async () => await sleep(ms), signal);

/**
 * Limits the requests of one node run: those of all items and pages together. After a 429, everything waits as the
 * API asks. From then on requests are sent at a rate: additive increase, multiplicative decrease (as in TCP, RFC 5681).
 * Times are in milliseconds.
 */
export class Limiter {
	/** Ends all waits. */
	readonly signal: AbortSignal | undefined;

	/** 429s received after patience ran out, e.g. because a quota is used up. Then nothing waits. */
	rateLimitsPastPatience = 0;

	/** For how long nothing but 429s may come. */
	readonly patience: number;

	private readonly maxConcurrent: number;
	private readonly createdAt = this.now();
	private concurrent: number;
	private inFlight = 0;
	private readonly queue: (() => void)[] = [];
	private isWaiting = false;
	private hasFailed = false;
	/** Requests per millisecond; Infinity before the first 429. */
	private rate = Infinity;
	/** When sending began, or will begin again after a 429; and what was accepted since then. */
	private startsAt = this.createdAt;
	private accepted = 0;
	private nextAt = this.createdAt;
	/** When the current series of 429s began. */
	private rateLimitedSince: number | undefined;

	constructor(maxConcurrent: number, patience: number, signal?: AbortSignal) {
		this.maxConcurrent = maxConcurrent;
		this.patience = patience;
		this.signal = signal;
		this.concurrent = Math.min(FIRST_CONCURRENT, maxConcurrent);
	}

	/** A clock that is never set back. */
	now(): number {
		return performance.now();
	}

	/** Sends a request when it is its turn. It holds its place until it has ended. */
	async run<T>(request: () => Promise<T>): Promise<T> {
		await this.turn('push');
		try {
			return await request();
		} finally {
			this.inFlight--;
			this.startNext();
		}
	}

	/** Gives up the place of a running request, and waits ahead of all others for the next place. */
	async requeue(): Promise<void> {
		this.inFlight--;
		await this.turn('unshift');
	}

	/** Notes a response that is neither a 429 nor a failure. */
	onSuccess(sentAt: number): void {
		this.onAccepted(sentAt);
		this.hasFailed = false;
		// As long as places are free, more of them would not help.
		if (this.inFlight < Math.floor(this.concurrent)) return;
		const inTime = FIRST_CONCURRENT + ((this.now() - this.createdAt) / GROWTH_MS) ** 2;
		const more = Math.min(this.concurrent + 1, inTime, this.maxConcurrent);
		this.concurrent = Math.max(this.concurrent, more);
	}

	/** Notes that there was no response, or one that says that the API is in trouble: two in a row are too many. */
	onFailure(sentAt: number): void {
		this.onAccepted(sentAt);
		if (this.hasFailed) {
			this.concurrent = Math.max(this.concurrent / 2, Math.min(this.concurrent, FIRST_CONCURRENT));
		}
		this.hasFailed = !this.hasFailed;
	}

	/** Notes a 429: nothing is sent for `wait` milliseconds. */
	onRateLimited(sentAt: number, wait: number): void {
		const now = this.now();
		this.rateLimitedSince ??= now;
		if (now - this.rateLimitedSince >= this.patience) this.rateLimitsPastPatience++;
		const giveUpAt = this.rateLimitedSince + this.patience;
		const startsAt = Math.max(this.startsAt, now, Math.min(now + wait, giveUpAt));
		// A request that was sent before the last pause shows nothing new.
		if (sentAt >= this.startsAt) {
			// A tenth of the pause counts: the first requests may have used up a saved burst.
			const elapsed = now - this.startsAt + (startsAt - now) / 10;
			const first = Math.max(1, this.accepted) / Math.max(1, elapsed);
			const decrease = this.accepted > 0 ? DECREASE : DECREASE ** 2;
			this.rate = Math.max(MIN_RATE, decrease * (this.rate === Infinity ? first : this.rate));
			this.accepted = 0;
		}
		this.startsAt = startsAt;
		this.nextAt = startsAt;
	}

	/**
	 * Processes items, as many together as there may be requests, and gives the results in their order. After a
	 * failure, it starts no further one, and throws that of the first item when those already running have ended.
	 */
	async mapConcurrent<T, R>(items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
		const results: Promise<R>[] = [];
		const running = new Set<Promise<unknown>>();
		let failures = 0;
		for (const item of items) {
			while (running.size >= Math.floor(this.concurrent)) await Promise.race(running);
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
		this.rateLimitedSince = undefined;
		this.rateLimitsPastPatience = 0;
		if (sentAt < this.startsAt) return;
		this.accepted++;
		this.rate += INCREASE;
	}

	private async turn(enqueue: 'push' | 'unshift'): Promise<void> {
		const started = new Promise<void>((start) => this.queue[enqueue](start));
		this.startNext();
		await started;
	}

	private startNext(): void {
		while (this.inFlight < Math.floor(this.concurrent) && this.queue.length > 0) {
			const now = this.now();
			// After a stop, or once patience ran out, each request fails immediately.
			const isOver = this.signal?.aborted === true || this.rateLimitsPastPatience > 0;
			if (!isOver && now < this.nextAt) return void this.startLater(this.nextAt - now);
			this.nextAt = Math.max(this.nextAt, now - LATE_TIMER_MS) + 1 / this.rate;
			this.inFlight++;
			this.queue.shift()?.();
		}
	}

	private async startLater(delay: number): Promise<void> {
		if (this.isWaiting) return;
		this.isWaiting = true;
		await pause(Math.ceil(delay), this.signal);
		this.isWaiting = false;
		this.startNext();
	}
}
