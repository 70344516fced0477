/**
 * Runs tasks a few at a time and gives their results in the order of the tasks.
 *
 * @param tasks each starts when it is its turn
 * @param width tasks that may run at the same time, at least 1
 * @throws what the first failing task threw, when those already running have ended; no further
 * task is started after a failure
 */
export async function inOrder<T>(tasks: (() => Promise<T>)[], width: number): Promise<T[]> {
	const results: T[] = [];
	const failures: { index: number; error: unknown }[] = [];
	const queue = tasks.entries();

	const worker = async () => {
		for (const [index, task] of queue) {
			try {
				results[index] = await task();
			} catch (error) {
				failures.push({ index, error });
			}
			if (failures.length > 0) return;
		}
	};
	await Promise.all(Array.from({ length: width }, worker));

	const [first] = failures.sort((a, b) => a.index - b.index);
	if (first !== undefined) throw first.error;
	return results;
}
