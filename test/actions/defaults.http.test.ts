import { credentialsFor } from '../../harness/core/credentials.ts';
import { runNode } from '../../harness/core/runNode.ts';
import { type HttpServer, json, startServer } from '../../harness/httpServer';
import { RESOURCES } from '../../nodes/CardPlatform/actions/table';
import { FILLED } from '../support/filled';

let server: HttpServer;
afterEach(() => server.close());

// A model or a template may fill fields without ever choosing an operation.
const cases = [{}, ...RESOURCES.map(({ value }) => ({ resource: value }))].flatMap((chosen) => [
	{ what: JSON.stringify(chosen), parameters: chosen },
	{ what: `${JSON.stringify(chosen)} and all fields`, parameters: { ...chosen, ...FILLED } },
]);

test.each(cases)('$what: nothing but GET is sent', async ({ parameters }) => {
	server = await startServer((_request, response) => json(response, 200, { data: [] }));
	const credentials = credentialsFor(server.url, { keyScope: 'customer' });
	// n8n refuses to run a node if a required field is empty.
	await Promise.allSettled([runNode({ parameters, credentials })]);
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
