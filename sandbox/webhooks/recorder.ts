import { setTimeout } from 'node:timers/promises';

import { reasonOf } from '../database/failure.ts';

/** Does the delivery worker's work on the database, which may fail: a disk can be full. */
export interface Recorder {
	/** Whether something waits until it can be recorded. */
	isWaiting(): boolean;
	/** Does some work; gives false if it failed. Reports the first failure of a series, and its end. */
	attempt(work: () => void): boolean;
	/** Repeats some work until it succeeds; gives false if `signal` aborts first. */
	persist(work: () => void, signal: AbortSignal): Promise<boolean>;
}

/**
 * Makes a recorder that repeats failed work every `interval` milliseconds; `log` receives a line when work
 * starts to fail and when it succeeds again.
 */
export function createRecorder(interval: number, log: (line: string) => void): Recorder {
	let isFailing = false;
	let waiting = 0;

	const attempt = (work: () => void): boolean => {
		try {
			work();
		} catch (error) {
			if (!isFailing) log(describe(error));
			isFailing = true;
			return false;
		}
		if (isFailing) log('webhook deliveries have resumed');
		isFailing = false;
		return true;
	};

	return {
		isWaiting: () => waiting > 0,
		attempt,
		persist: async (work, signal) => {
			if (attempt(work)) return true;
			waiting += 1;
			try {
				do await setTimeout(interval, undefined, { signal });
				while (!attempt(work));
				return true;
			} catch {
				return false;
			} finally {
				waiting -= 1;
			}
		},
	};
}

const describe = (error: unknown): string =>
	`webhook deliveries are paused, as they cannot be recorded: ${reasonOf(error)}. They stay pending and resume when the database can be written again`;
