import { setTimeout } from 'node:timers/promises';

/** Repeats a check until it passes, gives its result; fails with its last error when it never does. */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
	const end = Date.now() + 30_000;
	for (;;) {
		try {
			return await check();
		} catch (error) {
			if (Date.now() > end) throw error;
			await setTimeout(5);
		}
	}
}
