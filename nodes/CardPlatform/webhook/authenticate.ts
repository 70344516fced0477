import type { KeyObject } from 'node:crypto';

import { type Delivery, header, type Rejection } from './delivery';
import { isSigned, parseSignatures } from './signature';

/** Whether the owner of a secret signed; `no-secret` where there is none to check with. */
export type KeyCheck = 'match' | 'no-match' | 'no-secret';

/**
 * Tries an endpoint's keys until some fit, with as many looks at the credential as that takes.
 *
 * @param isMatch tells whether any of these keys made a signature of the delivery
 */
export type CheckKeys = (isMatch: (keys: KeyObject[]) => boolean) => Promise<KeyCheck>;

/** The verified bytes of a delivery, or why it is refused. */
export type Authentication = { body: Buffer } | { rejection: Rejection };

/**
 * Checks that a delivery was signed by the owner of a signing secret (§6 Signature). Fails closed:
 * nothing is let in without a signature that matches.
 *
 * @param checkKeys is called only where the signature header has something to check
 */
export async function authenticate(
	delivery: Delivery,
	checkKeys: CheckKeys,
): Promise<Authentication> {
	const { body } = delivery;
	if (body === undefined) return { rejection: 'body-unreadable' };

	const text = header(delivery, 'x-webhook-signature');
	if (text === undefined) return { rejection: 'signature-missing' };
	const signatures = parseSignatures(text);
	if (signatures.length === 0) return { rejection: 'signature-malformed' };

	const check = await checkKeys((keys) => isSigned(body, signatures, keys));
	if (check === 'match') return { body };
	return { rejection: check === 'no-secret' ? 'no-secret' : 'signature-mismatch' };
}
