import { createHmac } from 'node:crypto';

/**
 * Gives the X-Webhook-Signature header for a body: `v0=<hex>` with HMAC-SHA256 over its exact
 * bytes for each secret, the newest first, separated by commas (§6 Signature 1 and 3).
 */
export function signatureHeader(body: Uint8Array | string, secrets: string[]): string {
	return secrets
		.map((secret) => `v0=${createHmac('sha256', secret).update(body).digest('hex')}`)
		.join(',');
}
