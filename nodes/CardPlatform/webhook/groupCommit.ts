import { sleep } from 'n8n-workflow';

/** Longest wait for a recording, in milliseconds; n8n's database takes a few milliseconds. */
const RECORDING_TIMEOUT_MS = 5_000;

/**
 * Records the names of events; gives those that were not recorded before. Each name is given once, and
 * no two calls for a place overlap, unless one has timed out.
 */
export type RecordNew = (names: string[]) => Promise<readonly string[]>;

interface Waiter {
	names: string[];
	record: RecordNew;
	resolve: (isNew: string[]) => void;
	reject: (reason: unknown) => void;
}

/**
 * Lets one recording of a place run at a time, in this process. What comes meanwhile is recorded
 * together, by the next one: the events of a burst share what it costs to read and write the list.
 */
export class GroupCommit {
	/** Who waits for the next recording; a place is here while a recording of it runs. */
	private readonly waiting = new Map<string, Waiter[]>();

	private readonly timeoutMs: number;

	/** @param timeoutMs longest wait for a recording */
	constructor(timeoutMs = RECORDING_TIMEOUT_MS) {
		this.timeoutMs = timeoutMs;
	}

	/**
	 * Records the names of events at a place.
	 *
	 * @param record does it, perhaps for others too, perhaps by the function of another
	 * @returns those that nobody has recorded before; what `record` throws is thrown on to all that
	 * it was to serve, of several with the same names to the first; so is the timeout, if `record`
	 * takes too long
	 */
	async run(place: string, names: string[], record: RecordNew): Promise<string[]> {
		return await new Promise((resolve, reject) => {
			const waiter: Waiter = { names, record, resolve, reject };
			const queue = this.waiting.get(place);
			if (queue !== undefined) queue.push(waiter);
			else void this.work(place, waiter);
		});
	}

	private async work(place: string, first: Waiter): Promise<void> {
		let group = [first];
		// By the function of the newest: should the window have been changed, it knows.
		for (let last = group.at(-1); last !== undefined; last = group.at(-1)) {
			this.waiting.set(place, []);
			await commit(group, async (names) => await inTime(last.record(names), this.timeoutMs));
			group = this.waiting.get(place) ?? [];
		}
		this.waiting.delete(place);
	}
}

async function commit(group: Waiter[], record: RecordNew): Promise<void> {
	const names = new Set(group.flatMap((waiter) => waiter.names));
	// Of several with the same name the first has it.
	const take = (from: Set<string>, { names: own }: Waiter) =>
		own.filter((name) => from.delete(name));
	try {
		const unknown = new Set(await record([...names]));
		for (const waiter of group) waiter.resolve(take(unknown, waiter));
	} catch (error) {
		for (const waiter of group) {
			if (take(names, waiter).length > 0) waiter.reject(error);
			else waiter.resolve([]);
		}
	}
}

/**
 * Waits for a result, but not for ever: a database can leave a query without a response.
 *
 * @throws Error after `timeoutMs`
 */
async function inTime<T>(result: Promise<T>, timeoutMs: number): Promise<T> {
	const isSettled = new AbortController();
	const timeout = async (): Promise<never> => {
		// Older versions of n8n-workflow ignore the signal; there the timer runs out by itself.
		await sleep(timeoutMs, isSettled.signal);
		throw new Error(`n8n's database did not respond within ${timeoutMs} ms`);
	};
	try {
		return await Promise.race([result, timeout()]);
	} finally {
		isSettled.abort();
	}
}
