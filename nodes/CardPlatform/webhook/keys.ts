import type { KeyObject } from 'node:crypto';

import { toSigningKey } from './signature';

/**
 * Makes the keys of the Card Platform Webhook API credential (§6 Signature 3 and 4).
 *
 * @param credential the decrypted credential data
 * @returns the current secret's key and, where one is given, the previous one's; none where the
 * credential holds no secret
 */
export function toKeys(credential: Record<string, unknown>): KeyObject[] {
	return [credential.signingSecret, credential.previousSigningSecret]
		.filter((secret) => typeof secret === 'string')
		.map((secret) => secret.trim())
		.filter((secret) => secret !== '')
		.map(toSigningKey);
}

/**
 * Says what is wrong with a signing secret, without telling any of it.
 *
 * @returns undefined where nothing is
 */
export function findSecretProblem(credential: Record<string, unknown>): string | undefined {
	const { signingSecret, previousSigningSecret } = credential;
	if (typeof signingSecret !== 'string' || signingSecret.trim() === '') {
		return 'The signing secret is empty. Paste the one that the dashboard showed when the endpoint was added (developer settings, webhooks tab).';
	}
	const inner = [signingSecret, previousSigningSecret].some(
		(secret) => typeof secret === 'string' && /\s/.test(secret.trim()),
	);
	return inner
		? 'A signing secret contains white space. Paste it again, without line breaks or spaces.'
		: undefined;
}
