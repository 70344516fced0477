import type { IHttpRequestOptions } from 'n8n-workflow';

import { execute, useFakeClock } from '../../support/execute';
import { fakeApi } from '../../support/fakeApi';

useFakeClock();

const id = '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10';
const get = {
	resource: 'card',
	operation: 'get',
	cardId: { __rl: true, mode: 'id', value: id },
};

/** Runs three items against a loopback API; `probe` is what becomes of a request to nowhere. */
async function run(baseUrl: string, probe: () => Promise<unknown>, items = [{}, {}, {}]) {
	const probes: IHttpRequestOptions[] = [];
	const api = fakeApi(() => ({ body: { id } }), { baseUrl, latency: 100 });
	const { error } = await execute(api, get, {
		items,
		httpRequest: async (options) => {
			probes.push(options);
			return await probe();
		},
	});
	expect(error).toBeUndefined();
	return { proxies: api.requests.map(({ proxy }) => proxy), probes };
}

const failing = (message: string) => async () => await Promise.reject(new Error(message));

test.each([
	['refused', 'connect ECONNREFUSED 127.0.0.1:1'],
	['refused, in a sentence', 'connect ECONNREFUSED 127.0.0.1:1 - Local (0.0.0.0:0)'],
	['without an address', 'connect EADDRNOTAVAIL 127.0.0.1:1 - Local'],
])('a request to nowhere is %s: there is no proxy to keep the key from', async (_name, message) => {
	const { proxies, probes } = await run('http://127.0.0.1:4010/v1', failing(message));
	// n8n ignores a proxy without a host.
	const none = { host: '', port: 0 };
	expect(proxies).toEqual([none, none, none]);
	expect(probes).toEqual([{ url: 'http://127.0.0.1:1/' }]);
});

const itself = { protocol: 'http', host: '127.0.0.1', port: 4010 };

test.each<[string, () => Promise<unknown>]>([
	['answered', async () => await Promise.resolve('')],
	['refused by a proxy', failing('connect ECONNREFUSED 127.0.0.1:3128')],
	['refused by a proxy whose port starts like it', failing('connect ECONNREFUSED 127.0.0.1:10')],
	['broken', failing('socket hang up')],
	['refused with a status', failing('Request failed with status code 403')],
])('a request to nowhere is %s: the API is its own proxy', async (_name, probe) => {
	const { proxies, probes } = await run('http://127.0.0.1:4010/v1', probe);
	expect(proxies).toEqual([itself, itself, itself]);
	expect(probes).toHaveLength(1);
});

test('an API without a port is its own proxy at port 80', async () => {
	const { proxies } = await run('http://localhost/v1', failing('socket hang up'), [{}]);
	expect(proxies).toEqual([{ protocol: 'http', host: 'localhost', port: 80 }]);
});

test('https goes as n8n sends it', async () => {
	const { proxies, probes } = await run('https://127.0.0.1:4010/v1', failing('x'));
	expect(proxies).toEqual([undefined, undefined, undefined]);
	expect(probes).toEqual([]);
});
