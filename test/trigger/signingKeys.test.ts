import type { KeyObject } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { z } from 'zod';

import { SigningKeyCache, toSigningKey } from '../../nodes/CardPlatform/webhook/signingKeys';

setFlagsFromString('--expose-gc');
const collectGarbage = z.function().parse(runInNewContext('gc'));

const start = Date.UTC(2026, 10, 21, 12);

let cache: SigningKeyCache;
let secrets: string[];
let fetches: number;
beforeEach(() => {
	cache = new SigningKeyCache();
	secrets = ['new'];
	fetches = 0;
});

const fetchKeys = async () => {
	fetches++;
	return secrets.map(toSigningKey);
};

/** Looks for a key as a delivery does: in memory, then after a refresh. */
async function check(secret: string, ms = 0, id = 'place', fetch = fetchKeys) {
	const source = { id, fetch };
	const fits = (keys: KeyObject[]) => keys.some((key) => key.equals(toSigningKey(secret)));
	if (fits(await cache.get(source, start + ms))) return 'match';
	const keys = await cache.refresh(source, start + ms);
	if (fits(keys)) return 'match';
	return keys.length === 0 ? 'no-secret' : 'no-match';
}

test('the credential is read once for all deliveries within 30 s', async () => {
	for (const ms of [0, 1, 15_000, 29_999]) expect(await check('new', ms)).toBe('match');
	expect(fetches).toBe(1);
	expect(await check('new', 30_000)).toBe('match');
	expect(fetches).toBe(2);
});

test('a secret that was changed is accepted at once', async () => {
	await check('new');
	secrets = ['newer', 'new'];
	expect(await check('newer', 1)).toBe('match');
	expect(await check('new', 2)).toBe('match');
	expect(fetches).toBe(2);
});

test('a secret that was removed is refused after 30 s at the latest', async () => {
	await check('new');
	secrets = ['newer'];
	expect(await check('new', 29_999)).toBe('match');
	expect(await check('new', 30_000)).toBe('no-match');
});

test('a secret that was removed is refused as soon as the new one was used', async () => {
	await check('new');
	secrets = ['newer'];
	await check('newer', 1);
	expect(await check('new', 2)).toBe('no-match');
});

test('forged deliveries cause one read in 2 s', async () => {
	for (let ms = 0; ms < 60_000; ms += 100) expect(await check('guess', ms)).toBe('no-match');
	expect(fetches).toBeLessThanOrEqual(31);
	expect(fetches).toBeGreaterThanOrEqual(29);
});

test('between two reads, a changed secret has to wait for the next', async () => {
	await check('guess');
	await check('guess', 1);
	secrets = ['newer'];
	expect(await check('newer', 2_000)).toBe('no-match');
	expect(await check('newer', 2_001)).toBe('match');
	expect(fetches).toBe(3);
});

test('forged deliveries do not slow down what is genuine', async () => {
	await check('new');
	await check('guess', 1);
	expect(await check('new', 2)).toBe('match');
	expect(fetches).toBe(2);
});

test('deliveries that arrive together share one read', async () => {
	const twenty = (secret: string, ms: number) =>
		Promise.all(Array.from({ length: 20 }, async () => await check(secret, ms)));
	expect(new Set(await twenty('new', 0))).toEqual(new Set(['match']));
	expect(fetches).toBe(1);
	secrets = ['newer'];
	expect(new Set(await twenty('newer', 1))).toEqual(new Set(['match']));
	expect(fetches).toBe(2);
	expect(new Set(await twenty('guess', 2))).toEqual(new Set(['no-match']));
	expect(fetches).toBe(2);
});

test('a missing secret is reported, and one that was added is found', async () => {
	secrets = [];
	expect(await check('new')).toBe('no-secret');
	secrets = ['new'];
	expect(await check('new', 1)).toBe('match');
});

test('each trigger has its own keys', async () => {
	await check('new', 0, 'one');
	secrets = ['other'];
	expect(await check('other', 1, 'other')).toBe('match');
	expect(await check('new', 2, 'one')).toBe('match');
	expect(await check('new', 3, 'other')).toBe('no-match');
});

test('keys that expired while a delivery waited for them are read again', async () => {
	await check('new');
	secrets = ['newer'];
	const waiting = check('newer', 29_999);
	await check('newer', 30_000, 'other');
	expect(await waiting).toBe('match');
});

test('a clock that was set back does not make keys last longer', async () => {
	await check('new');
	secrets = ['newer'];
	expect(await check('new', -1)).toBe('no-match');
});

test('a credential that cannot be read fails, and is not read again for 2 s', async () => {
	const failing = async () => {
		fetches++;
		throw new Error('locked');
	};
	await expect(check('new', 0, 'place', failing)).rejects.toThrow('locked');
	await expect(check('new', 1_999)).rejects.toThrow('locked');
	expect(fetches).toBe(1);
	expect(await check('new', 2_000)).toBe('match');
});

test('keys that are too old are removed from memory, for any trigger', async () => {
	const fetched: WeakRef<KeyObject[]>[] = [];
	const fetchWatched = async () => {
		const keys = [toSigningKey('new')];
		fetched.push(new WeakRef(keys));
		return keys;
	};
	/** What is still in memory after the garbage was collected. */
	const held = async () => {
		await new Promise((done) => setImmediate(done));
		collectGarbage();
		return fetched.map((keys) => keys.deref() !== undefined);
	};
	await check('new', 0, 'gone', fetchWatched);
	await check('new', 29_999, 'other', fetchWatched);
	expect(await held()).toEqual([true, true]);
	await check('new', 30_000, 'other', fetchWatched);
	expect(await held()).toEqual([false, true]);
});
