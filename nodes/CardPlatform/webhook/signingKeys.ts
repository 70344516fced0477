import { createSecretKey, type KeyObject } from 'node:crypto';

import { SANDBOX_KEY_PREFIX } from '../api/assumptions';
import { UserError } from '../api/userError';

/** Longest time that keys are used without reading the credential again, in milliseconds. */
const MAX_AGE_MS = 30_000;

/** Shortest time between two refreshes, and between two attempts to read, in milliseconds. */
const REFRESH_INTERVAL_MS = 2_000;

/** Where the signing keys of a trigger come from. */
export interface SigningKeySource {
	/** Names the trigger and its credential. */
	id: string;
	/** Reads the credential. */
	fetch: () => Promise<KeyObject[]>;
}

interface Entry {
	keys: Promise<KeyObject[]>;
	fetchedAt: number;
	maxAge: number;
	isRefresh: boolean;
}

/**
 * Keeps signing keys in memory for up to 30 s, because n8n takes about 20 ms to decrypt a
 * credential. A refresh finds a changed secret before a signature is refused. Forged deliveries
 * cause at most one refresh in 2 s; a credential that cannot be read is read again after 2 s.
 */
export class SigningKeyCache {
	private readonly entries = new Map<string, Entry>();

	/**
	 * Gives the keys, from memory if possible.
	 *
	 * @param now milliseconds since 1970
	 * @throws what reading the credential throws
	 */
	async get(source: SigningKeySource, now: number): Promise<KeyObject[]> {
		this.dropOld(now);
		const entry = this.entries.get(source.id) ?? this.read(source, now, false);
		return await entry.keys;
	}

	/**
	 * Gives the keys after those of {@link get} did not match: newer ones if another delivery has
	 * read them or the interval has passed, otherwise the same array.
	 *
	 * @param now when the delivery came in; keys read since then are new enough
	 * @throws what reading the credential throws
	 */
	async refresh(source: SigningKeySource, now: number): Promise<KeyObject[]> {
		const known = this.entries.get(source.id);
		const minAge = known?.isRefresh === true ? REFRESH_INTERVAL_MS : 1;
		const isNewEnough = known !== undefined && now - known.fetchedAt < minAge;
		const entry = isNewEnough ? known : this.read(source, now, true);
		return await entry.keys;
	}

	private read(source: SigningKeySource, now: number, isRefresh: boolean): Entry {
		const entry: Entry = { keys: source.fetch(), fetchedAt: now, maxAge: MAX_AGE_MS, isRefresh };
		entry.keys.catch(() => {
			entry.maxAge = REFRESH_INTERVAL_MS;
		});
		this.entries.set(source.id, entry);
		return entry;
	}

	/** Drops old keys of every source, so that no secret of a deleted workflow stays in memory. */
	private dropOld(now: number): void {
		for (const [id, { fetchedAt, maxAge }] of this.entries) {
			const age = now - fetchedAt;
			// A clock that is set back must not make keys last longer.
			if (age < 0 || age >= maxAge) this.entries.delete(id);
		}
	}
}

/**
 * Makes the key of an endpoint's signing secret, which can be used but no longer read.
 *
 * @param secret not blank
 */
export const toSigningKey = (secret: string): KeyObject => createSecretKey(Buffer.from(secret));

/** The secrets of the Card Platform Webhook API credential, without white space around them. */
const toSecrets = (credential: Record<string, unknown>): string[] =>
	[credential.signingSecret, credential.previousSigningSecret, credential.testSigningSecret]
		.filter((secret) => typeof secret === 'string')
		.map((secret) => secret.trim())
		.filter((secret) => secret !== '');

/**
 * Makes the keys of the Card Platform Webhook API credential (§6 Signature 3 and 4).
 *
 * @param credential the decrypted credential data
 * @returns the keys of all secrets that it has; each of them verifies deliveries to either URL
 */
export const toSigningKeys = (credential: Record<string, unknown>): KeyObject[] =>
	toSecrets(credential).map(toSigningKey);

/** A URL of the trigger, and the field of the credential for its secret. */
export const endpointOf = (isTest: boolean) =>
	isTest
		? { url: 'test URL', field: 'Test URL Signing Secret' }
		: { url: 'production URL', field: 'Signing Secret' };

/**
 * Checks the signing secrets before a trigger relies on them.
 *
 * @param credential the decrypted credential data
 * @param isTest true: for a test event; then any secret is enough
 * @throws UserError that says what to correct, without revealing a secret
 */
export function checkSecrets(credential: Record<string, unknown>, isTest: boolean): void {
	const { signingSecret } = credential;
	if (toSecrets(isTest ? credential : { signingSecret }).length === 0) {
		const { url, field } = endpointOf(isTest);
		throw new UserError(
			'The webhook credential has no signing secret',
			`Add the ${url} as an endpoint in the dashboard (developer settings, webhooks tab), and paste its secret into "${field}".`,
		);
	}
	if (toSecrets(credential).some((secret) => secret.startsWith(SANDBOX_KEY_PREFIX))) {
		throw new UserError(
			'A signing secret is an API key',
			'Paste the secret that the dashboard showed when the endpoint was added (developer settings, webhooks tab).',
		);
	}
	if (toSecrets(credential).some((secret) => /\s/.test(secret))) {
		throw new UserError(
			'A signing secret contains white space',
			'Paste it again, without line breaks or spaces.',
		);
	}
}
