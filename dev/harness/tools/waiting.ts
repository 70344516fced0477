import { setTimeout as pause } from 'node:timers/promises';

interface WaitOptions {
	/** What is waited for, in words that complete "Gave up waiting for …". */
	what: string;
	withinMs: number;
	everyMs?: number;
}

/**
 * Looks again and again until `probe` gives something other than undefined or false, and gives that.
 * Throws when the deadline passes, and at once when `probe` throws.
 */
export async function waitUntil<T>(
	probe: () => Promise<T | undefined | false> | T | undefined | false,
	{ what, withinMs, everyMs = 50 }: WaitOptions,
): Promise<T> {
	const deadline = performance.now() + withinMs;
	for (;;) {
		const found = await probe();
		if (found !== undefined && found !== false) return found;
		if (performance.now() > deadline) {
			throw new Error(`Gave up waiting for ${what} after ${Math.round(withinMs / 1000)} s`);
		}
		await pause(everyMs);
	}
}

/**
 * Repeats a check until it passes, and returns its result; after the deadline, in milliseconds, throws
 * the check's last error: for assertions.
 */
export async function eventually<T>(
	check: () => T | Promise<T>,
	withinMs = 30_000,
	everyMs = 5,
): Promise<T> {
	const deadline = performance.now() + withinMs;
	for (;;) {
		try {
			return await check();
		} catch (error) {
			if (performance.now() > deadline) throw error;
			await pause(everyMs);
		}
	}
}
