/** Events remembered in all; about 200 bytes each. */
const CAPACITY = 10_000;

/** Remembers the last events that were handed to a workflow, in the memory of this process. */
export class SeenEvents {
	private readonly keys = new Set<string>();

	private readonly capacity: number;

	/** @param capacity events remembered; the oldest are forgotten */
	constructor(capacity = CAPACITY) {
		this.capacity = capacity;
	}

	/** Tells whether an event is remembered. */
	has(key: string): boolean {
		return this.keys.has(key);
	}

	/** Remembers an event as the newest. */
	add(key: string): void {
		this.keys.delete(key);
		this.keys.add(key);
		for (const oldest of this.keys) {
			if (this.keys.size <= this.capacity) return;
			this.keys.delete(oldest);
		}
	}
}
