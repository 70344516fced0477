import { createHmac, randomUUID } from 'node:crypto';

/** A webhook request as the card platform sends it, or as it never would: tests change and forge it. */
interface WebhookRequest {
	body: Buffer;
	headers: Record<string, string>;
}

/** The X-Webhook-Signature of a body (§6): HMAC-SHA256 over the raw bytes. */
export function sign(body: string | Buffer, secret: string): string {
	return `v0=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** A delivery of `event` that is valid if `secret` is a signing secret of the receiver. */
export function signedDelivery(event: object, secret: string): WebhookRequest {
	const body = Buffer.from(JSON.stringify(event));
	return {
		body,
		headers: {
			'content-type': 'application/json',
			'x-webhook-event-id': randomUUID(),
			'x-webhook-topic': 'card.financial_event.v1',
			'x-webhook-timestamp': new Date().toISOString(),
			'x-webhook-signature': sign(body, secret),
		},
	};
}

export async function deliver(url: string, { body, headers }: WebhookRequest): Promise<number> {
	const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
	await response.arrayBuffer();
	return response.status;
}
