import '../n8n/endWithParent.js';

import { type CompletedRequest, generateCACertificate, getLocal } from 'mockttp';

import { freePort } from '../tools/ports.ts';

// A separate program: mockttp brings packages that jest cannot load.

/** Slack's responses to a message that it accepts, and to one for a channel that it does not have. */
const accepted = { ok: true, channel: 'C0123456789', ts: '1700000000.000100', message: {} };
const refused = { ok: false, error: 'channel_not_found' };
const missingChannel = '"#no-such-channel"';

/** A request that n8n sent to the internet. */
interface Sent {
	method: string;
	url: string;
	headers: object;
	body: string;
}

const { key, cert } = await generateCACertificate();
const server = getLocal({ https: { key, cert } });
const port = await freePort();
await server.start(port);
const address = `http://127.0.0.1:${port}`;

const sent: Sent[] = [];

/** Records the request, then responds with JSON: whoever has the response finds the request in the list. */
const respond =
	(statusCode: number, json: object) =>
	async ({ method, url, headers, body }: CompletedRequest) => {
		sent.push({ method, url, headers, body: (await body.getText()) ?? '' });
		return { statusCode, json };
	};

const postMessage = 'https://slack.com/api/chat.postMessage';
await server
	.forPost(postMessage)
	.withBodyIncluding(missingChannel)
	.thenCallback(respond(200, refused));
await server.forPost(postMessage).thenCallback(respond(200, accepted));
await server.forGet(`${address}/sent`).thenCallback(() => ({ statusCode: 200, json: sent }));
await server.forUnmatchedRequest().thenCallback(respond(503, { error: 'Nobody is at home here' }));

process.stdout.write(`${JSON.stringify({ url: address, certificate: cert })}\n`);
