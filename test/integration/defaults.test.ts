import { RESOURCES } from '../../nodes/CardPlatform/actions/table';
import { credentialsFor } from '../../harness/core/credentials.ts';
import { runNode } from '../../harness/core/runNode.ts';
import { type HttpServer, json, startServer } from '../../harness/httpServer';

let server: HttpServer;
afterEach(() => server.close());

/** Fields that a model or a template may fill without ever choosing an operation. */
const filled = {
	accountId: '1001',
	toAccountId: '1002',
	amount: '25.00',
	name: 'Travel',
	type: 'recurring',
	cardId: { __rl: true, mode: 'id', value: '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10' },
	transactionId: '7a5a0000-0000-4000-8000-000000000001',
	updateFields: { name: 'New' },
	from: '2026-01-01',
	to: '2026-01-31',
};

const cases = [{}, ...RESOURCES.map(({ value }) => ({ resource: value }))].flatMap((chosen) => [
	{ what: JSON.stringify(chosen), parameters: chosen },
	{ what: `${JSON.stringify(chosen)} and all fields`, parameters: { ...chosen, ...filled } },
]);

test.each(cases)('$what: nothing but GET is sent', async ({ parameters }) => {
	server = await startServer((_request, response) => json(response, 200, { data: [] }));
	await runNode({ parameters, credentials: credentialsFor(server.url, { keyScope: 'customer' }) });
	expect(server.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test.each(RESOURCES)(
	'$name starts with an operation that only reads',
	({ initial, operations }) => {
		const reads = operations.filter(({ effect }) => effect === 'read');
		if (initial === undefined) expect(reads).toEqual([]);
		else expect(reads).toContain(initial);
	},
);

test('Account, which only writes, asks for a choice before anything is sent', async () => {
	server = await startServer((_request, response) => json(response, 200, {}));
	const { error } = await runNode({
		parameters: { resource: 'account', ...filled },
		credentials: credentialsFor(server.url, { keyScope: 'customer' }),
	});
	expect(error).toMatchObject({
		message: 'No operation is selected for the resource "account"',
		description: expect.stringContaining('Select an Operation'),
		context: { itemIndex: 0 },
	});
	expect(server.requests).toEqual([]);
});
