/** Things to undo, newest first: what was started last leans on what was started before it. */
export class Cleanup {
	readonly #tasks: (() => Promise<void> | void)[] = [];

	/** Remembers something to undo. */
	defer(task: () => Promise<void> | void): void {
		this.#tasks.push(task);
	}

	/** Undoes everything once, even when a part of it fails; throws an AggregateError of the failures. */
	async run(): Promise<void> {
		const failures: unknown[] = [];
		for (let task = this.#tasks.pop(); task; task = this.#tasks.pop()) {
			try {
				await task();
			} catch (error) {
				failures.push(error);
			}
		}
		if (failures.length > 0)
			throw new AggregateError(failures, 'Not everything could be cleaned up');
	}
}
