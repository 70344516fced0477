import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

import { type Delivery, header } from './delivery';
import type { Rejection } from './rejections';

/**
 * Checks that a delivery was signed by the owner of a signing secret (§6 Signature). Fails closed:
 * without a signature that matches, the delivery is refused.
 *
 * @param getKeys is asked only for a signature that may be right
 * @returns undefined if the signature is genuine, otherwise why not
 * @throws what `getKeys` throws
 */
export async function verify(
	delivery: Delivery,
	getKeys: () => Promise<KeyObject[]>,
): Promise<Rejection | undefined> {
	const value = header(delivery, 'x-webhook-signature');
	if (value === undefined) return 'signature-missing';
	const signatures = parseSignatures(value);
	if (signatures.length === 0) return 'signature-malformed';
	const keys = await getKeys();
	if (keys.length === 0) return 'no-secret';
	return isSigned(delivery.body, signatures, keys) ? undefined : 'signature-mismatch';
}

/** Entries of a signature header that are considered; a rotation needs two (§6 Signature 3). */
const MAX_SIGNATURES = 16;

const SIGNATURE = /^v0=([0-9a-f]{64})$/;

/**
 * Reads the `X-Webhook-Signature` header (§6 Signature 1 and 3): comma-separated
 * `v0=<64 lower-case hex digits>`. Entries of another format or version are skipped, so that a
 * later scheme beside v0 does no harm.
 */
export function parseSignatures(value: string): Buffer[] {
	const entries = value.split(',', MAX_SIGNATURES);
	const digests = entries.map((entry) => SIGNATURE.exec(entry.trim())?.[1] ?? '');
	return digests.filter((digest) => digest !== '').map((digest) => Buffer.from(digest, 'hex'));
}

/**
 * Tells whether a body, as it was received, was signed by the owner of one of the secrets (§6 Signature 1 to 4). Every
 * signature is compared with every key, in constant time, whatever was found before.
 */
export function isSigned(body: Buffer, signatures: Buffer[], keys: KeyObject[]): boolean {
	let matches = 0;
	for (const key of keys) {
		const expected = createHmac('sha256', key).update(body).digest();
		for (const signature of signatures) matches += Number(timingSafeEqual(expected, signature));
	}
	return matches > 0;
}
