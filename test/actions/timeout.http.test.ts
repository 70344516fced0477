import '../support/noWaits';

import { CredentialTestContext } from 'n8n-core';

import { credentialsFor } from '../../harness/core/credentials.ts';
import { runNode } from '../../harness/core/runNode.ts';
import { startServer } from '../../harness/httpServer';
import { testApi } from '../../nodes/CardPlatform/methods/testApi';
import { waits } from '../support/sleep';

beforeEach(() => jest.clearAllMocks());

// A minute, in a test.
jest.mock('../../nodes/CardPlatform/api/assumptions', () => ({
	...jest.requireActual<object>('../../nodes/CardPlatform/api/assumptions'),
	REQUEST_TIMEOUT_MS: 300,
}));

const check = async (url: string) =>
	await runNode({
		parameters: { resource: 'connection', operation: 'check' },
		credentials: credentialsFor(url),
	});

test('an API that never responds', async () => {
	const server = await startServer(() => undefined);
	const { error } = await check(server.url);
	await server.close();
	// A try may time out before it has reached the server, so it is the waits between that are counted.
	expect(waits()).toHaveLength(3);
	expect(error).toMatchObject({
		message: `No complete response from ${new URL(server.url).host} (ECONNABORTED)`,
		description: expect.stringContaining('Try again later'),
		context: { itemIndex: 0 },
	});
});

async function testCredential(url: string) {
	const credential = { id: '1', name: 'test', type: 'cardPlatformApi' };
	const data = credentialsFor(url).cardPlatformApi ?? {};
	return await testApi.call(new CredentialTestContext(), { ...credential, data });
}

test('the test of the credential against an API that never responds', async () => {
	const server = await startServer(() => undefined);
	const result = await testCredential(server.url);
	await server.close();
	expect(result).toEqual({
		status: 'Error',
		message: expect.stringMatching(
			`^No complete response from ${new URL(server.url).host} \\(\\w+\\)\\. Try again later`,
		),
	});
});
