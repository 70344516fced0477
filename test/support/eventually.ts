import { setTimeout } from 'node:timers/promises';

/**
 * Repeats a check until it passes, gives its result; fails with its last error when it does not within
 * so many milliseconds.
 */
export async function eventually<T>(
	check: () => T | Promise<T>,
	withinMs = 30_000,
	everyMs = 5,
): Promise<T> {
	const end = Date.now() + withinMs;
	for (;;) {
		try {
			return await check();
		} catch (error) {
			if (Date.now() > end) throw error;
			await setTimeout(everyMs);
		}
	}
}
