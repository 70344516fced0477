import { z } from 'zod';

import type { Connection } from './connection';
import { Problem } from './problem';

/** How to look up a card's numbers; it does not carry them (§2 Sensitive card details). */
export const sensitiveDetailsSchema = z
	.object({
		method: z.string(),
		details: z
			.object({ method: z.string(), url: z.string(), bodyJson: z.record(z.string(), z.unknown()) })
			.passthrough(),
	})
	.passthrough();

/**
 * Refuses to read sensitive details (§4.7) where the credential does not allow it.
 *
 * @throws Problem that names the switch
 */
export function refuseSensitiveDetails({ sensitiveDetails }: Connection): void {
	if (sensitiveDetails) return;
	throw new Problem(
		'The credential does not allow sensitive details, so nothing was sent. Turn on Allow Sensitive Details in the Card Platform API credential if you need them',
		'Everyone who can use this credential could then look up card numbers. Use a separate credential for that, and share it with as few people as possible.',
	);
}
