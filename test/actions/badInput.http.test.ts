import { randomUUID } from 'node:crypto';

import type { ExecutionError } from 'n8n-workflow';

import { type Credentials, credentialsFor } from '../../harness/core/credentials.ts';
import { runNode } from '../../harness/core/runNode.ts';
import { startSandbox, type TestSandbox } from '../support/sandbox';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => {
	await sandbox.close();
});

const read = async (value: string, credentials: Credentials = sandbox.credentials()) =>
	await runNode({
		parameters: {
			resource: 'card',
			operation: 'freeze',
			cardId: { __rl: true, mode: 'id', value: '={{ $json.value }}' },
		},
		// The second item is the bad one, so that its index shows.
		items: [{ value: (await sandbox.cards('frozen'))[0]?.id }, { value }],
		credentials,
	});

const told = (error: ExecutionError | undefined) => ({
	name: error?.name,
	message: error?.message,
	hint: error !== undefined && 'description' in error ? error.description : undefined,
	httpCode: error !== undefined && 'httpCode' in error ? error.httpCode : undefined,
	itemIndex: error !== undefined && 'context' in error ? error.context.itemIndex : undefined,
});

test('unknown card', async () => {
	const { error } = await read(randomUUID());
	expect(told(error)).toEqual({
		name: 'NodeApiError',
		message: expect.stringMatching(/not found.* \(404 not-found\)$/i),
		hint: expect.stringContaining('No card with this ID'),
		httpCode: '404',
		itemIndex: 1,
	});
});

test('archived card', async () => {
	const [archived] = await sandbox.cards('archived');
	const { error } = await read(String(archived?.id));
	expect(told(error)).toMatchObject({
		name: 'NodeApiError',
		message: expect.stringContaining('(400 '),
		hint: expect.stringContaining('archiving is permanent'),
		httpCode: '400',
		itemIndex: 1,
	});
});

test.each(['', '../accounts/1'])('%j is no card ID: nothing is sent for it', async (value) => {
	const { error } = await read(value);
	expect(told(error)).toMatchObject({
		name: 'NodeOperationError',
		message: expect.stringMatching(/^Card is (empty|not a valid ID)/),
		hint: expect.stringContaining('"Card"'),
		itemIndex: 1,
	});
});

test('wrong key', async () => {
	const { error, stored } = await read(
		randomUUID(),
		sandbox.credentials({ apiKey: 'wrong-key-77' }),
	);
	expect(told(error)).toMatchObject({
		message: expect.stringContaining('(401 unauthorized)'),
		hint: expect.stringContaining('Only one key is active at a time'),
		httpCode: '401',
		itemIndex: 0,
	});
	expect(stored).not.toContain('wrong-key-77');
});

test('a key that has been replaced', async () => {
	const other = await startSandbox();
	const replaced = other.credentials();
	await other.client.createKey();
	const { error } = await read(randomUUID(), replaced);
	await other.close();
	expect(told(error)).toMatchObject({
		httpCode: '401',
		hint: expect.stringContaining('newest key'),
	});
});

test('a feature that is not enabled', async () => {
	const other = await startSandbox();
	for (const id of await other.accountIds()) {
		await other.client.setFeatures(id, { cardManagement: false });
	}
	const { error } = await read(randomUUID(), other.credentials());
	await other.close();
	expect(told(error)).toMatchObject({
		message: expect.stringContaining('(403 forbidden)'),
		hint: expect.stringContaining('Card management is probably not enabled'),
		httpCode: '403',
	});
});

test('base URL without its path prefix', async () => {
	const { error } = await runNode({
		parameters: { resource: 'connection', operation: 'check' },
		credentials: sandbox.credentials({ baseUrl: sandbox.url }),
	});
	expect(told(error)).toMatchObject({
		httpCode: '404',
		hint: expect.stringContaining('/v1/public'),
		itemIndex: 0,
	});
});

test('an operation that does not exist', async () => {
	const { error } = await runNode({
		parameters: { resource: 'card', operation: 'shred' },
		credentials: credentialsFor(sandbox.apiUrl),
	});
	expect(told(error)).toMatchObject({
		message: 'There is no operation "shred" for the resource "card"',
		itemIndex: 0,
	});
});
