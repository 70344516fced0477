/** How fast the rate grows until a second 429 shows the limit: by this power of e per millisecond. */
const PROBE_PER_MS = 0.0015;
/** How far below the measured limit requests are sent. */
const SAFETY = 0.97;
/** Time after which the rate has doubled, if no 429 comes: the limit may have been raised. */
const DOUBLES_AFTER_MS = 45_000;
/** The rate grows no longer than this, so that it remains a number. */
const LONGEST_GROWTH_MS = 400_000;
/** Requests that may be sent together after a pause, however many the API accepted at the start. */
const MOST_AT_ONCE = 8;
/** Requests per millisecond that are always tried: one per minute. */
const LEAST_RATE = 1 / 60_000;

/** Responses between two pauses: how many were no 429, and how long it took, in milliseconds. */
interface Stretch {
	accepted: number;
	duration: number;
}

/**
 * Spaces requests once the API has answered 429, at the rate that it accepts. The limit is taken to be a
 * token bucket of unknown size, the usual kind. Before the first 429, nothing is known and nothing waits.
 *
 * The rate is measured, as the AWS SDKs do in their adaptive retry mode, instead of being halved
 * again and again: between two 429s, the API has accepted what was in its bucket at the start, and what
 * came into it during that time. Two such stretches give both.
 *
 * Times are in milliseconds, of one clock that is never set back.
 */
export class Pacer {
	/** Requests per millisecond, `from` on. */
	private base = Infinity;
	/** When sending (again) starts. */
	private from: number;
	/** When the last 429 came; those of requests that had been sent before it say the same again. */
	private refusedAt: number;
	private accepted = 0;
	private first: Stretch | undefined;
	private isMeasured = false;

	/** Requests that may be sent at once. */
	private tokens = 0;
	private capacity = 1;
	private filledAt = 0;

	constructor(now: number) {
		this.from = now;
		this.refusedAt = now;
	}

	/** When the pause that the last 429 asked for is over. */
	get resumeAt(): number {
		return this.from;
	}

	/** Milliseconds until the next request may be sent; 0: now. */
	delay(now: number): number {
		if (this.base === Infinity) return 0;
		if (now < this.from) return this.from - now;
		this.tokens = Math.min(this.capacity, this.tokens + this.between(this.filledAt, now));
		this.filledAt = now;
		return this.tokens >= 1 ? 0 : this.timeFor(1 - this.tokens, now);
	}

	/** Notes that a wait is over, though its timer may have been early. */
	waited(now: number): void {
		this.from = Math.min(this.from, now);
		this.delay(now);
	}

	/** Notes that a request is sent. */
	sent(): void {
		this.tokens--;
	}

	/** Notes a response other than 429. */
	responded(sentAt: number): void {
		// Those sent before the pause came out of an earlier stretch.
		if (sentAt >= this.from) this.accepted++;
	}

	/**
	 * Notes a 429.
	 *
	 * @param sentAt when its request was sent
	 * @param resumeAt when the next request may be sent, at the earliest
	 */
	refused(sentAt: number, now: number, resumeAt: number): void {
		const resume = Math.max(this.from, resumeAt);
		// Those sent before the pause only say the same again.
		if (sentAt >= this.from) this.measure(now, resume);
		this.from = resume;
		this.filledAt = resume;
		this.tokens = this.capacity;
	}

	private measure(now: number, resume: number): void {
		const stretch = { accepted: this.accepted, duration: Math.max(1, now - this.from) };
		if (this.first === undefined) {
			// Not too high, whatever the bucket holds: what was accepted, over the pause too.
			this.base = Math.max(1, stretch.accepted) / Math.max(1, resume - this.from);
			this.capacity = Math.max(1, Math.min(MOST_AT_ONCE, Math.floor(stretch.accepted / 2)));
			this.first = stretch;
		} else {
			const solved = this.solve(stretch, this.first, now);
			const half = this.rateAt(now) / 2;
			// Halved at most, but where the rate was only guessed so far.
			this.base =
				SAFETY * (solved === undefined || this.isMeasured ? Math.max(half, solved ?? 0) : solved);
			this.isMeasured ||= solved !== undefined;
			this.capacity = Math.max(1, Math.min(this.capacity, stretch.accepted));
		}
		this.base = Math.max(this.base, LEAST_RATE);
		this.refusedAt = now;
		this.accepted = 0;
	}

	/** Gives the rate of the limit; undefined where the stretch does not show it. */
	private solve(stretch: Stretch, first: Stretch, now: number): number | undefined {
		if (stretch.accepted === 0) return undefined;
		// The bucket was empty at the last 429 and is empty now: all that was accepted came in between,
		// and more came where the bucket overflowed.
		const least = stretch.accepted / Math.max(1, now - this.refusedAt);
		const bucket = first.accepted - least * first.duration;
		if (stretch.accepted < bucket) return least;
		const longer = stretch.duration - first.duration;
		if (longer <= first.duration / 2) return undefined;
		const most = stretch.accepted / stretch.duration;
		return Math.min(most, Math.max(least, (stretch.accepted - first.accepted) / longer));
	}

	/** Requests per millisecond. */
	private rateAt(now: number): number {
		const time = Math.min(Math.max(0, now - this.from), LONGEST_GROWTH_MS);
		return this.isMeasured
			? this.base * (1 + (time / DOUBLES_AFTER_MS) ** 2)
			: this.base * Math.exp(PROBE_PER_MS * time);
	}

	/** Requests that the rate allows between two times. */
	private between(start: number, end: number): number {
		const [before, after] = [this.rateAt(start), this.rateAt(end)];
		const mean = after > before ? (after - before) / Math.log(after / before) : before;
		return mean * Math.max(0, end - start);
	}

	/** Milliseconds in which the rate allows this many requests. */
	private timeFor(requests: number, now: number): number {
		const time = requests / this.rateAt(now);
		const grown = Math.log(1 + PROBE_PER_MS * time) / PROBE_PER_MS;
		return Math.ceil(this.isMeasured ? time : grown);
	}
}
