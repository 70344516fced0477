import fc from 'fast-check';

import { CardPlatformApi } from '../../credentials/CardPlatformApi.credentials';
import { credentialsFor } from '../../dev/harness/core/credentials.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

const host = fc.oneof(
	fc.constantFrom(...LOOPBACK, 'host.docker.internal', '127.0.0.1.example.com', '10.0.0.1'),
	fc.domain(),
);

/** Keys that are a sandbox's, that only look like it, and others. */
const apiKey = fc
	.tuple(
		fc.constantFrom('sandbox_', 'SANDBOX_', ' sandbox_', 'sandbox', 'xsandbox_', 'live_', ''),
		fc.stringMatching(/^[\w-]{12,40}$/),
	)
	.map((parts) => parts.join(''));

test('over http a key leaves for another machine only if it is a sandbox’s, and never to a redirect', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom('http', 'https'),
			host,
			apiKey,
			fc.constantFrom('url', 'uri'),
			async (protocol, name, key, field) => {
				const baseUrl = `${protocol}://${name}:4010/v1/public`;
				const address = `${baseUrl}/health`;
				const credential = credentialsFor(baseUrl, { apiKey: key }).cardPlatformApi;
				const sent = new CardPlatformApi().authenticate(credential, {
					url: address,
					...(field === 'uri' && { uri: address }),
				});
				const allowed =
					protocol === 'https' || LOOPBACK.includes(name) || key.trim().startsWith('sandbox_');
				if (!allowed) return expect(sent).rejects.toThrow('uses http, which is not encrypted');
				expect(await sent).toMatchObject({
					headers: { Authorization: `Bearer ${key.trim()}` },
					disableFollowRedirect: true,
					...(field === 'uri' && { followRedirect: false, followAllRedirects: false }),
				});
			},
		),
	);
});
