/** A clock that can be set; it goes on from there at its own pace. */
export interface Clock {
	now: () => Date;
	/** The time by the clock that it is based on. */
	base: () => Date;
	/** Whether it differs from the clock that it is based on. */
	adjusted: () => boolean;
	/** Sets it to a time. */
	set: (time: Date) => void;
	/** Takes it back to the clock that it is based on. */
	reset: () => void;
}

/** Makes a clock that shows what `base` shows until it is set. */
export function createClock(base: () => Date): Clock {
	let ahead = 0;
	return {
		now: () => new Date(base().getTime() + ahead),
		base,
		adjusted: () => ahead !== 0,
		set: (time) => (ahead = time.getTime() - base().getTime()),
		reset: () => (ahead = 0),
	};
}
