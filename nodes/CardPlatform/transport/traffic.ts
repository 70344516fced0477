/**
 * The requests of one node run, for all its items and pages together: only so many at the same time;
 * and once the API has said that it is asked too often (429), one after the other, none before the
 * wait that it asked for is over.
 */
export class Traffic {
	private inFlight = 0;

	private readonly waiting: (() => void)[] = [];

	private slow = false;

	private rest: Promise<unknown> = Promise.resolve();

	private readonly maxInFlight: number;

	/** @param maxInFlight requests that may be on their way at the same time */
	constructor(maxInFlight: number) {
		this.maxInFlight = maxInFlight;
	}

	/** True once the API has said that it is asked too often. */
	get isSlow(): boolean {
		return this.slow;
	}

	/**
	 * From now on, one request after the other.
	 *
	 * @param rest over when the next may be sent
	 */
	slowDown(rest?: Promise<unknown>): void {
		this.slow = true;
		this.rest = Promise.all([this.rest, rest]);
	}

	/**
	 * Sends a request when it is its turn.
	 *
	 * @param isFirst true: before those that have not been sent yet
	 * @returns what the request gives; what it throws is thrown on
	 */
	async run<T>(request: () => Promise<T>, isFirst: boolean): Promise<T> {
		while (this.inFlight >= (this.slow ? 1 : this.maxInFlight)) {
			await new Promise<void>((resolve) =>
				isFirst ? this.waiting.unshift(resolve) : this.waiting.push(resolve),
			);
		}
		this.inFlight++;
		try {
			await this.rest;
			return await request();
		} finally {
			this.inFlight--;
			this.waiting.shift()?.();
		}
	}
}
