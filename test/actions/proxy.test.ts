import { execute, useFakeClock } from '../support/execute';
import { fakeApi } from '../support/fakeApi';

useFakeClock();

const id = '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10';

test.each([
	['http://127.0.0.1:4010/v1', { protocol: 'http', host: '127.0.0.1', port: 4010 }],
	['http://localhost/v1', { protocol: 'http', host: 'localhost', port: 80 }],
	// This goes as n8n sends it.
	['https://127.0.0.1:4010/v1', undefined],
])('the proxy of %s', async (baseUrl, proxy) => {
	const api = fakeApi(() => ({ body: { id } }), { baseUrl });
	const cardId = { __rl: true, mode: 'id', value: id };
	const { error } = await execute(api, { resource: 'card', operation: 'get', cardId });
	expect(error).toBeUndefined();
	expect(api.requests.map((request) => request.proxy)).toEqual([proxy]);
});
