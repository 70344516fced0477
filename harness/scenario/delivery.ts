import { createHmac, randomUUID } from 'node:crypto';

/** A webhook request, made here to be sent by hand: for what the sandbox would never send. */
export interface HandmadeDelivery {
	body: Buffer;
	headers: Record<string, string>;
}

/** Signs the body of a delivery as the card platform does: HMAC-SHA256 over the raw bytes. */
export function sign(body: Buffer, secret: string): string {
	return `v0=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** A delivery of `event` that is right in all, if `secret` is a signing secret of the receiver. */
export function handmadeDelivery(event: object, secret: string): HandmadeDelivery {
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

/** Sends a delivery and gives the HTTP status of the answer. */
export async function send(
	url: string,
	{ body, headers }: HandmadeDelivery,
	signal?: AbortSignal,
): Promise<number> {
	const response = await fetch(url, {
		method: 'POST',
		headers,
		body: new Uint8Array(body),
		signal: signal ?? null,
	});
	await response.arrayBuffer();
	return response.status;
}
