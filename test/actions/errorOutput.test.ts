import { WorkflowExecute } from 'n8n-core';

import { credentialsFor } from '../../harness/core/credentials.ts';
import { runNode } from '../../harness/core/runNode.ts';
import { type HttpServer, json, startServer } from '../../harness/httpServer';
import { errorOutputOf } from '../support/n8nCore';

const idOf = (index: number) => `00000000-0000-4000-8000-00000000000${index}`;

let server: HttpServer;
beforeEach(async () => {
	server = await startServer(({ url }, response) => {
		if (url.includes(idOf(2))) json(response, 404, { code: 'not-found', message: 'None' });
		else response.writeHead(204).end();
	});
});
afterEach(async () => {
	jest.restoreAllMocks();
	await server.close();
});

const freeze = async (onError: 'continueRegularOutput' | 'continueErrorOutput') =>
	await runNode({
		parameters: {
			resource: 'card',
			operation: 'freeze',
			cardId: { __rl: true, mode: 'id', value: '={{ $json.cardId }}' },
		},
		items: [1, 2, 3].map((index) => ({ cardId: idOf(index), invoice: index })),
		credentials: credentialsFor(server.url),
		onError,
	});

const frozen = (index: number) => ({
	json: { id: idOf(index), status: 'frozen' },
	pairedItem: { item: index - 1 },
});

const failed = {
	error: 'None (404 not-found)',
	message: { httpCode: '404', hint: expect.stringContaining('No card with this ID') },
};

/** Of n8n, and of its n8n-core. */
const VERSIONS = [
	['1.123.81', '1.122.48'],
	['2.8.4', '2.8.1'],
	['2.30.8', '2.30.4'],
	['2.34', '2.34.0'],
	['2.35', '2.35.0'],
	['2.36', '2.36.0'],
	['2.41.1', '2.41.1'],
] as const;

describe.each(VERSIONS)('as n8n %s sorts items', (_n8n, core) => {
	let sort: jest.SpyInstance;
	beforeEach(async () => {
		const method = await errorOutputOf(core);
		sort = jest
			.spyOn(WorkflowExecute.prototype, 'handleNodeErrorOutput')
			.mockImplementation(method);
	});

	test('a card that could not be frozen leaves through the error output, with its input', async () => {
		const { items, errorItems } = await freeze('continueErrorOutput');
		expect(items).toMatchObject([frozen(1), frozen(3)]);
		expect(errorItems).toMatchObject([
			{ json: { ...failed, cardId: idOf(2), invoice: 2 }, pairedItem: { item: 1 } },
		]);
		expect(sort).toHaveBeenCalled();
	});

	test('with one output it is an error item among the others', async () => {
		const { items, errorItems } = await freeze('continueRegularOutput');
		expect(items).toMatchObject([frozen(1), { json: failed, pairedItem: { item: 1 } }, frozen(3)]);
		expect(errorItems).toEqual([]);
	});
});
