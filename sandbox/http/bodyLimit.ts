import type { MiddlewareHandler } from 'hono';

import { MAX_BODY_BYTES } from '../assumptions.ts';
import { contentTooLarge } from './errors.ts';

/**
 * Refuses a request body above the limit (assumption MAX_BODY_BYTES) without reading on; throws a 413.
 * Hono's own bodyLimit cannot copy the requests of @hono/node-server, so that every chunked body fails.
 */
export const limitBody: MiddlewareHandler = async (c, next) => {
	const { url, method, headers, body } = c.req.raw;
	if (Number(headers.get('content-length')) > MAX_BODY_BYTES) throw contentTooLarge();
	if (headers.has('transfer-encoding') && body) {
		c.req.raw = new Request(url, { method, headers, body: await readWithinLimit(body) });
	}
	await next();
};

/** The stream is left as it is when it is too long: cancelled, it would take the response with it. */
async function readWithinLimit(body: ReadableStream<Uint8Array>): Promise<Blob> {
	const reader = body.getReader();
	const chunks: Uint8Array<ArrayBuffer>[] = [];
	let size = 0;
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return new Blob(chunks);
		size += value.length;
		if (size > MAX_BODY_BYTES) throw contentTooLarge();
		chunks.push(new Uint8Array(value));
	}
}
