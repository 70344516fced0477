import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { generateCACertificate, getLocal } from 'mockttp';

import type { WebhookRequest } from '../../harness/signing.ts';
import type { BenchContext } from '../n8n/start.ts';

/**
 * Starts a stand-in for api.stripe.com behind a proxy: n8n's Stripe Trigger subscribes there when it is
 * published, and is given its signing secret.
 *
 * @returns the settings that lead n8n to it
 */
export async function startStripe(
	{ folder, cleanup }: BenchContext,
	secret: string,
): Promise<Record<string, string>> {
	const { key, cert } = await generateCACertificate();
	const certificate = join(folder, 'stripe-stand-in.pem');
	await writeFile(certificate, cert);
	const server = getLocal({ https: { key, cert } });
	await server.start();
	cleanup.defer(() => server.stop());
	await server
		.forPost('https://api.stripe.com/v1/webhook_endpoints')
		.thenJson(200, { id: 'we_bench', secret, status: 'enabled', enabled_events: ['*'] });
	return {
		HTTPS_PROXY: server.url,
		NO_PROXY: '127.0.0.1,localhost',
		NODE_EXTRA_CA_CERTS: certificate,
	};
}

/** A delivery as Stripe signs it: a time and, over time and body, an HMAC. */
export function stripeDelivery(event: object, secret: string): WebhookRequest {
	const body = Buffer.from(JSON.stringify({ type: 'card.financial_event', ...event }));
	const time = Math.floor(Date.now() / 1000);
	const digest = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
	return {
		body,
		headers: { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${digest}` },
	};
}
