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

async function start(answerOfProxy: Answer): Promise<void> {
	api = await startServer((_request, response) => json(response, 200, { id: cardId }));
	proxy = await startServer(answerOfProxy);
	for (const name of VARIABLES) Reflect.deleteProperty(process.env, name);
}

afterEach(async () => {
	for (const [name, value] of before) {
		if (value === undefined) Reflect.deleteProperty(process.env, name);
		else process.env[name] = value;
	}
	await api.close();
	await proxy.close();
});

const answers: Record<string, Answer> = {
	'passes requests on': (_request, response) => json(response, 200, { id: cardId }),
	'refuses requests': (_request, response) => response.writeHead(403).end(),
	'breaks connections': (_request, response) => response.destroy(),
};

const cases = Object.keys(answers).flatMap((answer) =>
	['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'].flatMap((variable) =>
		(['get', 'freeze'] as const).map((operation) => ({ answer, variable, operation })),
	),
);

test.each(cases)(
	'$operation: a proxy in $variable that $answer does not get the key',
	async ({ answer, variable, operation }) => {
		await start(answers[answer] ?? (() => undefined));
		process.env[variable] = proxy.url;
		const { error } = await runNode({
			parameters: operations[operation],
			credentials: credentialsFor(`${api.url}/v1/public`),
		});
		expect(error).toBeUndefined();
		expect(JSON.stringify(proxy.requests)).not.toContain('secret-key-1234');
		expect(proxy.requests.every(({ url }) => new URL(url).port === '1')).toBe(true);
		expect(api.requests).toHaveLength(1);
		expect(api.requests[0]).toMatchObject({
			method: operation === 'get' ? 'GET' : 'POST',
			url: expect.stringMatching(new RegExp(`/v1/public/cards/${cardId}(/freeze)?$`)),
			headers: { authorization: 'Bearer secret-key-1234' },
		});
	},
);

test('a proxy that is down does not get the key when it is up again', async () => {
	await start(() => undefined);
	process.env.HTTP_PROXY = proxy.url;
	await proxy.close();
	const { error } = await runNode({
		parameters: operations.get,
		credentials: credentialsFor(`${api.url}/v1/public`),
	});
	expect(error).toBeUndefined();
	expect(api.requests).toHaveLength(1);
});

test('without a proxy the API gets its requests in the usual form', async () => {
	await start(() => undefined);
	await runNode({
		parameters: operations.get,
		items: [{}, {}, {}],
		credentials: credentialsFor(`${api.url}/v1/public`),
	});
	expect(api.requests.map(({ url }) => url)).toEqual(
		[1, 2, 3].map(() => `/v1/public/cards/${cardId}`),
	);
	expect(api.requests[0]?.headers).not.toHaveProperty('proxy-connection');
});
