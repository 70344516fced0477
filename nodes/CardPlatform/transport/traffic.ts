/**
 * The requests of one node run, for all its items and pages together: only so many at the same time,
 * and one after the other once the API has said that it is asked too often (429).
 */
export class Traffic {
	private inFlight = 0;

	private readonly waiting: (() => void)[] = [];

	private slow = false;

	private readonly maxInFlight: number;

	/** @param maxInFlight requests that may be on their way at the same time */
	constructor(maxInFlight: number) {
		this.maxInFlight = maxInFlight;
	}

	/** True once the API has said that it is asked too often. */
	get isSlow(): boolean {
		return this.slow;
	}

	/** From now on, one request after the other. */
	slowDown(): void {
		this.slow = true;
	}

	/**
	 * Sends a request when it is its turn; a request that waits to be sent again keeps its place.
	 *
	 * @returns what the request gives; what it throws is thrown on
	 */
	async run<T>(request: () => Promise<T>): Promise<T> {
		while (this.inFlight >= (this.slow ? 1 : this.maxInFlight)) {
			await new Promise<void>((resolve) => this.waiting.push(resolve));
		}
		this.inFlight++;
		try {
			return await request();
		} finally {
			this.inFlight--;
			this.waiting.shift()?.();
		}
	}
}
