import { credentialsFor } from '../../harness/core/credentials.ts';
import { runNode } from '../../harness/core/runNode.ts';
import { type Answer, type HttpServer, json, startServer } from '../../harness/httpServer';

const VARIABLES = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NO_PROXY', 'no_proxy'];
const before = VARIABLES.map((name) => [name, process.env[name]] as const);

const cardId = '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10';
const operations = {
	get: { resource: 'card', operation: 'get', cardId: { __rl: true, mode: 'id', value: cardId } },
	freeze: {
		resource: 'card',
		operation: 'freeze',
		cardId: { __rl: true, mode: 'id', value: cardId },
	},
};

let api: HttpServer;
let proxy: HttpServer;

beforeEach(async () => {
	const answer: Answer = (_request, response) => json(response, 200, { id: cardId });
	api = await startServer(answer);
	proxy = await startServer(answer);
	for (const name of VARIABLES) Reflect.deleteProperty(process.env, name);
});

afterEach(async () => {
	for (const [name, value] of before) {
		if (value === undefined) Reflect.deleteProperty(process.env, name);
		else process.env[name] = value;
	}
	await api.close();
	await proxy.close();
});

const cases = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'].flatMap((variable) =>
	(['get', 'freeze'] as const).map((operation) => ({ variable, operation })),
);

test.each(cases)(
	'$operation: a proxy in $variable does not get the key',
	async ({ variable, operation }) => {
		process.env[variable] = proxy.url;
		const { error } = await runNode({
			parameters: operations[operation],
			credentials: credentialsFor(`${api.url}/v1/public`),
		});
		expect(error).toBeUndefined();
		expect(proxy.requests).toEqual([]);
		expect(api.requests).toHaveLength(1);
		expect(api.requests[0]).toMatchObject({
			method: operation === 'get' ? 'GET' : 'POST',
			url: expect.stringMatching(new RegExp(`/v1/public/cards/${cardId}(/freeze)?$`)),
			headers: { authorization: 'Bearer secret-key-1234' },
		});
	},
);
