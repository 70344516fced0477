import type { MiddlewareHandler } from 'hono';

import { ApiError } from './errors.ts';
import type { ControlEnv } from './guard.ts';

/** The most bytes of a request body; a seed of 10 000 transactions fits. */
const MAX_BODY = 4 * 2 ** 20;

/**
 * Throws a 413 for a larger body, without keeping it in memory. Not hono/body-limit, which fails with requests of
 * @hono/node-server that leave the global objects alone.
 */
export const limitBody: MiddlewareHandler<ControlEnv> = async (c, next) => {
	const { incoming } = c.env;
	if (Number(incoming.headers['content-length'] ?? 0) > MAX_BODY) throw tooLarge();
	if (incoming.headers['transfer-encoding'] !== undefined) {
		const chunks: Buffer[] = [];
		let size = 0;
		const read: AsyncIterable<Buffer> = incoming.iterator({ destroyOnReturn: false });
		for await (const chunk of read) {
			chunks.push(chunk);
			size += chunk.length;
			if (size > MAX_BODY) throw tooLarge();
		}
		// From here, @hono/node-server reads a body that was read before.
		Object.assign(incoming, { rawBody: Buffer.concat(chunks) });
	}
	await next();
};

const tooLarge = () =>
	new ApiError(413, 'payload-too-large', `The request body is larger than ${MAX_BODY} bytes`);
