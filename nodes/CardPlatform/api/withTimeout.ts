/** As the system reports a connection that timed out. */
class TimeoutError extends Error {
	readonly code = 'ETIMEDOUT';
}

/**
 * Runs a task, and stops waiting for it when its time is up, whatever becomes of it.
 *
 * @param task gets a signal that is aborted then
 */
export async function withTimeout<T>(
	ms: number,
	task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const signal = AbortSignal.timeout(ms);
	let onTimeout = (): void => undefined;
	const timeout = new Promise<never>((_, reject) => {
		onTimeout = () => reject(new TimeoutError(`No response within ${ms} ms`));
	});
	// Before the task starts: its own failure after an abort does not name the reason.
	signal.addEventListener('abort', onTimeout);
	try {
		return await Promise.race([timeout, task(signal)]);
	} finally {
		signal.removeEventListener('abort', onTimeout);
	}
}
