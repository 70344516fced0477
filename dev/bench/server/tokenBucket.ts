/** Requests that an API accepts: `burst` at once, `perSecond` in the long run. */
export interface Rate {
	perSecond: number;
	burst: number;
}

/**
 * A token bucket, full at the start. Takes a token at a time in milliseconds if there is one; gives the milliseconds
 * until there is one, 0 if one was taken.
 */
export function createTokenBucket({ perSecond, burst }: Rate): (now: number) => number {
	const refillMs = 1000 / perSecond;
	// When the bucket will be full again.
	let fullAt = -Infinity;
	return (now) => {
		const next = Math.max(fullAt, now) + refillMs;
		const waitMs = next - now - burst * refillMs;
		if (waitMs > 0) return waitMs;
		fullAt = next;
		return 0;
	};
}
