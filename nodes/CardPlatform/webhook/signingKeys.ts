import { createSecretKey, type KeyObject } from 'node:crypto';

import type { IWebhookFunctions } from 'n8n-workflow';

import { UserError } from '../api/userError';
import { nodeKey } from '../events/keys';

const CREDENTIAL = 'cardPlatformWebhookApi';

/** Longest time that keys are used without reading the credential again, which takes n8n about 20 ms. */
export const MAX_SECRET_AGE_MS = 30_000;

/** The keys of each trigger and credential that were read since a time. */
const cache = new Map<string, Promise<KeyObject[]>>();
let cachedSince = 0;

/**
 * Gets the keys of a trigger's signing secrets: from memory for 30 s, but at once while a person tests, who may just
 * have corrected a secret.
 */
export async function signingKeysOf(context: IWebhookFunctions): Promise<KeyObject[]> {
	const credentialId = context.getNode().credentials?.[CREDENTIAL]?.id;
	if (typeof credentialId !== 'string') return [];
	const read = async () => toSigningKeys(await context.getCredentials(CREDENTIAL));
	if (context.getMode() === 'manual') return await read();

	const now = Date.now();
	// All together: no secret of a deleted workflow stays. The clock may have been set back.
	if (now < cachedSince || now - cachedSince >= MAX_SECRET_AGE_MS) {
		cache.clear();
		cachedSince = now;
	}
	const id = `${nodeKey(context)}:${credentialId}`;
	const keys = cache.get(id) ?? read();
	cache.set(id, keys);
	// Another delivery may succeed in reading it.
	keys.catch(() => cache.delete(id));
	return await keys;
}

/** The secrets of the Card Platform Webhook API credential, without white space around them. */
const toSecrets = (credential: Record<string, unknown>): string[] =>
	[credential.signingSecret, credential.previousSigningSecret, credential.testSigningSecret]
		.filter((secret) => typeof secret === 'string')
		.map((secret) => secret.trim())
		.filter((secret) => secret !== '');

/** Makes the keys of a credential's secrets (§6 Signature 3 and 4), which can be used but no longer read. */
export const toSigningKeys = (credential: Record<string, unknown>): KeyObject[] =>
	toSecrets(credential).map((secret) => createSecretKey(Buffer.from(secret)));

/** A URL of the trigger, and the field of the credential for its secret. */
export const endpointOf = (isTest: boolean) =>
	isTest
		? { url: 'test URL', field: 'Test URL Signing Secret' }
		: { url: 'production URL', field: 'Signing Secret' };

/**
 * Checks the signing secrets before a trigger relies on them.
 *
 * @param isTest true: for a test event; then any secret is enough
 * @throws UserError that says what to correct, without revealing a secret
 */
export function checkSecrets(credential: Record<string, unknown>, isTest: boolean): void {
	const { signingSecret } = credential;
	const secrets = toSecrets(credential);
	if (toSecrets(isTest ? credential : { signingSecret }).length === 0) {
		const { url, field } = endpointOf(isTest);
		throw new UserError(
			'The webhook credential has no signing secret',
			`Add the ${url} as an endpoint in the dashboard (developer settings, webhooks tab), and paste its secret into "${field}".`,
		);
	}
	if (secrets.every((secret) => !/[\s\p{C}]/u.test(secret))) return;
	throw new UserError(
		'A signing secret contains white space or an invisible character',
		'Paste the secret that the dashboard showed when the endpoint was added (developer settings, webhooks tab), without line breaks or spaces.',
	);
}
