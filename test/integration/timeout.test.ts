import { CredentialTestContext } from 'n8n-core';

import { credentialsFor } from '../../harness/core/credentials.ts';
import { runNode } from '../../harness/core/runNode.ts';
import { startServer } from '../../harness/httpServer';
import { testApi } from '../../nodes/CardPlatform/methods/testApi';
import { waits } from '../support/sleep';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: jest.fn(async () => await Promise.resolve()),
}));

// A minute, in a test.
jest.mock('../../nodes/CardPlatform/api/assumptions', () => ({
	...jest.requireActual<object>('../../nodes/CardPlatform/api/assumptions'),
	REQUEST_TIMEOUT_MS: 50,
}));

test('an API that never answers', async () => {
	const server = await startServer(() => undefined);
	const { error } = await runNode({
		parameters: { resource: 'connection', operation: 'check' },
		credentials: credentialsFor(server.url),
	});
	await server.close();
	// A try may time out before it has reached the server, so it is the waits between that are counted.
	expect(waits()).toHaveLength(3);
	expect(error).toMatchObject({
		message: `${new URL(server.url).host} did not respond in time`,
		description: expect.stringContaining('Try again later'),
		context: { itemIndex: 0 },
	});
});

test('the test of the credential against an API that never answers', async () => {
	const server = await startServer(() => undefined);
	const credential = { id: '1', name: 'test', type: 'cardPlatformApi' };
	const data = credentialsFor(server.url).cardPlatformApi ?? {};
	const result = await testApi.call(new CredentialTestContext(), { ...credential, data });
	await server.close();
	expect(result).toEqual({
		status: 'Error',
		message: expect.stringMatching(
			`^${new URL(server.url).host} did not respond in time\\. Try again later`,
		),
	});
});
