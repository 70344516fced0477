import { credentialsFor } from '../../harness/core/credentials.ts';
import { runNode } from '../../harness/core/runNode.ts';
import { type Answer, json, startServer } from '../../harness/httpServer';
import { CARD, parametersOf } from '../support/operations';

const VARIABLES = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NO_PROXY', 'no_proxy'];
const before = { ...process.env };
afterEach(() => {
	process.env = { ...before };
});

test.each(
	['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'].flatMap((variable) => [
		[variable, 'card/get', 'GET', `/v1/public/cards/${CARD}`],
		[variable, 'card/freeze', 'POST', `/v1/public/cards/${CARD}/freeze`],
	]),
)('a proxy in %s does not get the key: %s', async (variable = '', operation = '', method, url) => {
	const answer: Answer = (_request, response) => json(response, 200, { id: CARD });
	const [api, proxy] = [await startServer(answer), await startServer(answer)];
	for (const name of VARIABLES) Reflect.deleteProperty(process.env, name);
	process.env[variable] = proxy.url;
	const { error } = await runNode({
		parameters: parametersOf(operation),
		credentials: credentialsFor(`${api.url}/v1/public`),
	});
	await api.close();
	await proxy.close();
	expect(error).toBeUndefined();
	expect(proxy.requests).toEqual([]);
	const headers = { authorization: 'Bearer secret-key-1234' };
	expect(api.requests).toMatchObject([{ method, url, headers }]);
});
