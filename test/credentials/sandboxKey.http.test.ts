import { CredentialTestContext } from 'n8n-core';

import { credentialsFor } from '../../harness/core/credentials.ts';
import { runNode } from '../../harness/core/runNode.ts';
import { type Answer, type HttpServer, json, startServer } from '../../harness/httpServer';
import { testApi } from '../../nodes/CardPlatform/methods/testApi';

let server: HttpServer;
let other: HttpServer;
let answer: Answer;

beforeEach(async () => {
	server = await startServer((...received) => answer(...received));
	other = await startServer((_request, response) => json(response, 200, { id: '1' }));
});

afterEach(async () => {
	await Promise.all([server.close(), other.close()]);
});

const parameters = { resource: 'connection', operation: 'check' };

/** Reaches the server by an address that is not on the list of this machine's names. */
const credentials = (apiKey: string) => {
	const { port } = new URL(server.url);
	return credentialsFor(`http://[::ffff:127.0.0.1]:${port}/v1/public`, { apiKey });
};

const testCredential = async (apiKey: string) =>
	await testApi.call(new CredentialTestContext(), {
		id: '1',
		name: 'test',
		type: 'cardPlatformApi',
		data: credentials(apiKey).cardPlatformApi ?? {},
	});

test('the key of a sandbox goes over http to another host', async () => {
	answer = (_request, response) => json(response, 200, { status: 'ok' });
	const { error } = await runNode({ parameters, credentials: credentials('sandbox_key-1234') });
	expect(error).toBeUndefined();
	expect(await testCredential('sandbox_key-1234')).toMatchObject({ status: 'OK' });
	// One of the operation, two of the test.
	const keys = server.requests.map(({ headers }) => headers.authorization).filter(Boolean);
	expect(keys).toEqual(Array(3).fill('Bearer sandbox_key-1234'));
});

test('any other key does not: nothing is sent', async () => {
	answer = (_request, response) => json(response, 200, { status: 'ok' });
	const { error } = await runNode({ parameters, credentials: credentials('live_sandbox_1234') });
	expect(error?.message).toBe('The Base URL in the credential uses http, which is not encrypted');
	expect(await testCredential('live_sandbox_1234')).toEqual({
		status: 'Error',
		message: expect.stringContaining('not encrypted'),
	});
	expect(server.requests).toEqual([]);
});

test.each([301, 302, 303, 307, 308])(
	'after a redirect (%i) from http, the key is not sent',
	async (status) => {
		answer = (_request, response) =>
			response.writeHead(status, { location: `${other.url}/v1/public/health` }).end();
		const { error } = await runNode({ parameters, credentials: credentials('sandbox_key-1234') });
		expect(error).toMatchObject({ httpCode: String(status) });
		expect(await testCredential('sandbox_key-1234')).toMatchObject({ status: 'Error' });
		expect(other.requests).toEqual([]);
	},
);
