/** Pages of one list that are fetched together. */
const MAX_PAGES_AHEAD = 6;

/**
 * Decides how much one node run does at a time: its requests, of all items and pages together, the
 * items that are processed together, and the pages that a list fetches ahead. Once the API has
 * answered 429, its requests go one by one, and none before the wait that it asked for is over.
 */
export class Limiter {
	private inFlight = 0;

	/** Requests that have not been sent yet. */
	private readonly queue: (() => void)[] = [];

	/** Requests that were answered with 429: ahead of those, in turn among themselves. */
	private readonly requeued: (() => void)[] = [];

	private isThrottled = false;

	private resumeAfter: Promise<unknown> = Promise.resolve();

	private readonly maxConcurrent: number;

	/** @param maxConcurrent requests that may be in flight together */
	constructor(maxConcurrent: number) {
		this.maxConcurrent = maxConcurrent;
	}

	/** True once the API has answered 429. */
	get throttled(): boolean {
		return this.isThrottled;
	}

	/** Requests that may be in flight together now. */
	private get capacity(): number {
		return this.throttled ? 1 : this.maxConcurrent;
	}

	/** Pages that one list may have in flight now; 1: none is fetched ahead. */
	get pagesAhead(): number {
		return this.throttled ? 1 : MAX_PAGES_AHEAD;
	}

	/**
	 * Sends a request when it is its turn.
	 *
	 * @param request holds its place until it has ended, unless it calls {@link requeue}
	 * @returns what the request gives
	 * @throws what the request throws
	 */
	async run<T>(request: () => Promise<T>): Promise<T> {
		await this.enter(this.queue);
		try {
			return await request();
		} finally {
			this.leave();
		}
	}

	/**
	 * Notes a 429: from now on, one request at a time.
	 *
	 * @param resumeAfter over when the next request may be sent
	 */
	throttle(resumeAfter?: Promise<unknown>): void {
		this.isThrottled = true;
		this.resumeAfter = Promise.all([this.resumeAfter, resumeAfter]);
	}

	/**
	 * Gives up the place of a running request and waits for another, ahead of requests that have not
	 * been sent yet and behind others that were requeued: no request uses up its retries alone.
	 */
	async requeue(): Promise<void> {
		this.inFlight--;
		await this.enter(this.requeued);
	}

	/**
	 * Processes items, as many together as there may be requests.
	 *
	 * @param task each starts when it is its turn
	 * @returns the results in the order of the items
	 * @throws what the first failing task threw, when those already running have ended; no further
	 * task is started after a failure
	 */
	async mapConcurrent<T, R>(items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
		const outcomes: PromiseSettledResult<R>[] = [];
		const entries = items.entries();
		let hasFailed = false;

		const worker = async () => {
			for (const [index, item] of entries) {
				const [outcome] = await Promise.allSettled([task(item)]);
				outcomes[index] = outcome;
				hasFailed ||= outcome.status === 'rejected';
				if (hasFailed) return;
			}
		};
		await Promise.all(Array.from({ length: this.maxConcurrent }, worker));

		return outcomes.map((outcome) => {
			if (outcome.status === 'rejected') throw outcome.reason;
			return outcome.value;
		});
	}

	private async enter(queue: (() => void)[]): Promise<void> {
		await new Promise<void>((resolve) => {
			queue.push(resolve);
			this.startNext();
		});
		await this.resumeAfter;
	}

	private leave(): void {
		this.inFlight--;
		this.startNext();
	}

	private startNext(): void {
		while (this.inFlight < this.capacity) {
			const start = this.requeued.shift() ?? this.queue.shift();
			if (start === undefined) return;
			this.inFlight++;
			start();
		}
	}
}
