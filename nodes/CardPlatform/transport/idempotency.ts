import { createHash } from 'node:crypto';

/**
 * Makes the `Idempotency-Key` of a request out of what identifies its work, so that it is the same
 * whenever the work is tried again (§4.2).
 *
 * @param identity the same for the same work, another for any other
 * @returns a UUID of version 8
 */
export function toIdempotencyKey(identity: string): string {
	const hex = createHash('sha256').update(identity).digest('hex');
	return [
		hex.slice(0, 8),
		hex.slice(8, 12),
		`8${hex.slice(13, 16)}`,
		`8${hex.slice(17, 20)}`,
		hex.slice(20, 32),
	].join('-');
}
