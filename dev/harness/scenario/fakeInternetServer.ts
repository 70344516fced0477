import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import getPort from 'get-port';
import { type CompletedRequest, generateCACertificate, getLocal } from 'mockttp';

import type { RunContext } from '../tools/folders.ts';
import type { InternetAddress, SentRequest } from './fakeInternet.ts';

// Apart from its client: tests of several files attach to one.

/** Slack's responses to a message that it accepts, and to one for a channel that it does not have. */
const accepted = { ok: true, channel: 'C0123456789', ts: '1700000000.000100', message: {} };
const refused = { ok: false, error: 'channel_not_found' };
const missingChannel = '"#no-such-channel"';
const postMessage = 'https://slack.com/api/chat.postMessage';

/** Starts an internet for an n8n; `cleanup` ends it. */
export async function startFakeInternet({ folder, cleanup }: RunContext): Promise<InternetAddress> {
	const { key, cert } = await generateCACertificate();
	const server = getLocal({ https: { key, cert } });
	const port = await getPort();
	await server.start(port);
	cleanup.defer(() => server.stop());
	const url = `http://127.0.0.1:${port}`;

	const sent: SentRequest[] = [];
	/** Records the request, then responds with JSON: whoever has the response finds the request in the list. */
	const respond =
		(statusCode: number, json: object) =>
		async ({ method, url, headers, body }: CompletedRequest) => {
			sent.push({ method, url, headers, body: (await body.getText()) ?? '' });
			return { statusCode, json };
		};
	await server
		.forPost(postMessage)
		.withBodyIncluding(missingChannel)
		.always()
		.thenCallback(respond(200, refused));
	await server.forPost(postMessage).thenCallback(respond(200, accepted));
	await server.forGet(`${url}/sent`).thenCallback(() => ({ statusCode: 200, json: sent }));
	await server.forUnmatchedRequest().thenCallback(respond(503, { error: 'Request not mocked' }));

	const certificateFile = join(folder, 'internet.pem');
	await writeFile(certificateFile, cert);
	const settings = {
		HTTP_PROXY: url,
		HTTPS_PROXY: url,
		// Not localhost: a node that avoids the proxy by itself can be seen to do so.
		NO_PROXY: '127.0.0.1',
		NODE_EXTRA_CA_CERTS: certificateFile,
	};
	return { url, settings };
}
