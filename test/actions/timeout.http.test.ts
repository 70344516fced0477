import '../support/noWaits';

import { CredentialTestContext } from 'n8n-core';

import { credentialsFor } from '../../harness/core/credentials.ts';
import { runNode } from '../../harness/core/runNode.ts';
import { startServer } from '../../harness/httpServer';
import { testApi } from '../../nodes/CardPlatform/methods/testApi';
import { createPollingTrigger } from '../support/pollingTrigger';
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
		message: `${new URL(server.url).host} did not respond in time`,
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
			`^${new URL(server.url).host} did not respond in time\\. Try again later`,
		),
	});
});

describe('an API that sends its response byte by byte, without end', () => {
	/** A server that sends a byte every few milliseconds, as long as somebody reads. */
	async function startTrickling() {
		let open = 0;
		const server = await startServer((_, response) => {
			open++;
			response.writeHead(200, { 'content-type': 'application/json' });
			const timer = setInterval(() => response.write(' '), 5);
			response.on('close', () => {
				clearInterval(timer);
				open--;
			});
		});
		return { ...server, open: () => open };
	}

	test('ends a read, after its retries', async () => {
		const server = await startTrickling();
		const { error } = await check(server.url);
		await server.close();
		expect(waits()).toHaveLength(3);
		expect(error).toMatchObject({
			message: `${new URL(server.url).host} did not respond in time`,
		});
	});

	test('ends the test of the credential', async () => {
		const server = await startTrickling();
		const { message } = await testCredential(server.url);
		await server.close();
		expect(message).toContain('did not respond in time');
	});

	test('says that a write may have been made, and does not send it again', async () => {
		const server = await startTrickling();
		const { error } = await runNode({
			parameters: { resource: 'card', operation: 'create', name: 'Team', type: 'recurring' },
			credentials: credentialsFor(server.url),
		});
		await server.close();
		expect(server.requests).toHaveLength(1);
		expect(error).toMatchObject({
			message: `${new URL(server.url).host} did not respond in time`,
			description: expect.stringContaining('not known whether the change was made'),
		});
	});

	test('ends a poll and its connections, and the next poll can start', async () => {
		const server = await startTrickling();
		const poll = createPollingTrigger(credentialsFor(server.url)).activate();
		for (let each = 0; each < 2; each++) await expect(poll()).rejects.toThrow('in time');
		expect(server.requests.length).toBeGreaterThanOrEqual(2);
		while (server.open() > 0) await new Promise((done) => setImmediate(done));
		await server.close();
	});
});
