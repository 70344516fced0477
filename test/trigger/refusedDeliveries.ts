import { sign, type WebhookRequest } from '../../harness/signing.ts';

/** Deliveries that nobody with the secret would send; each is made from a real one. */
export const refusedDeliveries: Record<
	string,
	(real: WebhookRequest, secret: string) => WebhookRequest
> = {
	'signed with another secret': ({ body, headers }) => ({
		body,
		headers: { ...headers, 'x-webhook-signature': sign(body, 'another secret') },
	}),
	'changed after it was signed': ({ body, headers }) => ({
		body: Buffer.concat([body, Buffer.from(' ')]),
		headers,
	}),
	unsigned: unsign,
	'with a malformed signature': ({ body, headers }) => ({
		body,
		headers: { ...headers, 'x-webhook-signature': 'v0=not-hexadecimal' },
	}),
	'older than the tolerated drift': ({ body, headers }) => ({
		body,
		headers: { ...headers, 'x-webhook-timestamp': '2020-01-01T00:00:00Z' },
	}),
	'unsigned and empty': (real) => unsign({ ...real, body: Buffer.alloc(0) }),
	'signed but empty': ({ headers }, secret) => {
		const body = Buffer.alloc(0);
		return { body, headers: { ...headers, 'x-webhook-signature': sign(body, secret) } };
	},
	'unsigned, as octet-stream': ({ body, headers }) =>
		unsign({ body, headers: { ...headers, 'content-type': 'application/octet-stream' } }),
	'unsigned, as multipart': ({ body, headers }) =>
		unsign({
			body: Buffer.from(
				`--edge\r\nContent-Disposition: form-data; name="event"\r\n\r\n${body.toString()}\r\n--edge--\r\n`,
			),
			headers: { ...headers, 'content-type': 'multipart/form-data; boundary=edge' },
		}),
};

function unsign({ body, headers }: WebhookRequest): WebhookRequest {
	const kept = Object.entries(headers).filter(([name]) => name !== 'x-webhook-signature');
	return { body, headers: Object.fromEntries(kept) };
}
