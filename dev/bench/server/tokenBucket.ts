/** Requests that an API accepts: `burst` at once, `perSecond` in the long run. */
export interface Rate {
	perSecond: number;
	burst: number;
}

/** A token bucket: full at the start, a token per request, refilled steadily. */
export class TokenBucket {
	readonly #rate: Rate;
	#tokens: number;
	#filledAt: number;

	/** Takes the time in milliseconds. */
	constructor(rate: Rate, now: number) {
		this.#rate = rate;
		this.#tokens = rate.burst;
		this.#filledAt = now;
	}

	/** Takes a token if there is one; gives the milliseconds until there is one, 0 if one was taken. */
	take(now: number): number {
		const { perSecond, burst } = this.#rate;
		const refilled = ((now - this.#filledAt) * perSecond) / 1000;
		this.#tokens = Math.min(burst, this.#tokens + refilled);
		this.#filledAt = now;
		if (this.#tokens < 1) return ((1 - this.#tokens) * 1000) / perSecond;
		this.#tokens--;
		return 0;
	}
}
