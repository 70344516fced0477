import type { KeyObject } from 'node:crypto';

import type { KeyCheck } from './authenticate';

/** Longest time that keys are used without a look at the credential, in milliseconds. */
const MAX_AGE_MS = 30_000;

/** Shortest time between two looks because nothing matched, in milliseconds. */
const RETRY_INTERVAL_MS = 2_000;

interface Entry {
	keys: Promise<KeyObject[]>;
	fetchedAt: number;
	maxAge: number;
	/** Fetched because the keys before it did not match. */
	isRetry: boolean;
}

const ageOf = ({ fetchedAt }: Entry, now: number): number => now - fetchedAt;

// The clock may be set back, which must not make keys last longer.
const isUsable = (entry: Entry, now: number): boolean =>
	ageOf(entry, now) >= 0 && ageOf(entry, now) < entry.maxAge;

function checkWith(keys: KeyObject[], isMatch: (keys: KeyObject[]) => boolean): KeyCheck {
	if (keys.length === 0) return 'no-secret';
	return isMatch(keys) ? 'match' : 'no-match';
}

/**
 * Keeps signing keys in memory for a short while, because n8n takes about 20 ms to decrypt a
 * credential. A secret that was changed is found at once, as keys are fetched afresh before a
 * signature is refused; one that was taken away is of no use after 30 s. Forged deliveries cause at
 * most one fetch in 2 s, and so do failing ones.
 */
export class KeyCache {
	private readonly entries = new Map<string, Entry>();

	/**
	 * Looks for a key that matches, first in memory, then in the credential.
	 *
	 * @param id of the place that the keys are for: workflow, node and credential
	 * @param fetchKeys reads them from the credential; what it throws is thrown on
	 * @param isMatch tells whether any of these keys fits
	 * @param now milliseconds since 1970
	 */
	async check(
		id: string,
		fetchKeys: () => Promise<KeyObject[]>,
		isMatch: (keys: KeyObject[]) => boolean,
		now: number,
	): Promise<KeyCheck> {
		this.dropOld(now);
		const known = this.entries.get(id);
		const entry = known ?? this.fetch(id, fetchKeys, false, now);
		const found = checkWith(await entry.keys, isMatch);
		if (found === 'match' || known === undefined) return found;

		const newer = this.newerThan(known, id, fetchKeys, now);
		return newer === undefined ? found : checkWith(await newer.keys, isMatch);
	}

	/** What somebody else has fetched meanwhile, or else a fetch, if it is time for one. */
	private newerThan(
		known: Entry,
		id: string,
		fetchKeys: () => Promise<KeyObject[]>,
		now: number,
	): Entry | undefined {
		const newest = this.entries.get(id);
		if (newest !== undefined && newest !== known) return newest;
		const mayFetch = !known.isRetry || ageOf(known, now) >= RETRY_INTERVAL_MS;
		return mayFetch ? this.fetch(id, fetchKeys, true, now) : undefined;
	}

	private fetch(
		id: string,
		fetchKeys: () => Promise<KeyObject[]>,
		isRetry: boolean,
		now: number,
	): Entry {
		const entry: Entry = { keys: fetchKeys(), fetchedAt: now, maxAge: MAX_AGE_MS, isRetry };
		entry.keys.catch(() => {
			entry.maxAge = RETRY_INTERVAL_MS;
		});
		this.entries.set(id, entry);
		return entry;
	}

	// Of every id, so that no secret of a workflow that is gone stays in memory.
	private dropOld(now: number): void {
		for (const [id, entry] of this.entries) {
			if (!isUsable(entry, now)) this.entries.delete(id);
		}
	}
}
