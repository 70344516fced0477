/** Lets one task of a key run at a time, in this process; others wait in order. */
export class Mutex {
	private readonly tails = new Map<string, Promise<unknown>>();

	/**
	 * Runs a task when all tasks of the key that came before have ended, well or badly.
	 *
	 * @returns what the task gives; what it throws is thrown on
	 */
	async run<T>(key: string, task: () => Promise<T>): Promise<T> {
		const before = this.tails.get(key) ?? Promise.resolve();
		const turn = before.then(task, task);
		this.tails.set(key, turn);
		try {
			return await turn;
		} finally {
			if (this.tails.get(key) === turn) this.tails.delete(key);
		}
	}
}
