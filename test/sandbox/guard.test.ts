import { networkInterfaces } from 'node:os';

import { Agent, request } from 'undici';

import type { SandboxOptions } from '../../sandbox/types.ts';
import { startSandbox, type TestSandbox } from './support/sandbox.ts';

interface Headers {
	host?: string;
	origin?: string;
	'sec-fetch-site'?: string;
}

const HOST = 'localhost:4010';

const [outside] = Object.values(networkInterfaces())
	.flatMap((each) => each ?? [])
	.filter(({ family, internal }) => family === 'IPv4' && !internal)
	.map(({ address }) => address);

/** Sends from this machine's address in the network to 127.0.0.1: as from another machine. */
const other = new Agent({ localAddress: outside ?? 'no network' });
const here = new Agent();

afterAll(async () => {
	await Promise.all([other.close(), here.close()]);
});

async function send(
	from: Agent,
	{ url }: Pick<TestSandbox, 'url'>,
	path: string,
	headers: Headers,
	method = 'GET',
) {
	const options = { method, headers: { ...headers }, dispatcher: from };
	const { statusCode, body } = await request(url + path, options);
	return { status: statusCode, text: await body.text() };
}

const PATHS = ['/sandbox', '/dashboard', '/sandbox/openapi.json'];
const OWN_NAMES = { host: '0.0.0.0' };

// A foreign Host comes from DNS rebinding, a foreign Origin from a web page.
const [HOST_SAID, ORIGIN_SAID] = ['The Host header', 'The Origin header'];
const MACHINE_SAID = 'only requests from this machine';

test.each<[string, SandboxOptions, host: string, origin: string | undefined, refusal?: string]>([
	['this', OWN_NAMES, '127.0.0.1:PORT', undefined],
	['this', OWN_NAMES, 'LOCALHOST:PORT', undefined],
	['this', OWN_NAMES, '127.0.0.1:PORT', 'http://127.0.0.1:PORT'],
	['this', OWN_NAMES, 'evil.example:PORT', undefined, HOST_SAID],
	['this', OWN_NAMES, HOST, undefined, HOST_SAID],
	['this', OWN_NAMES, '127.0.0.1', undefined, HOST_SAID],
	['this', OWN_NAMES, '127.0.0.1:PORT', 'https://evil.example', ORIGIN_SAID],
	['this', OWN_NAMES, '127.0.0.1:PORT', 'http://127.0.0.1:1', ORIGIN_SAID],
	['this', OWN_NAMES, '127.0.0.1:PORT', 'https://127.0.0.1:PORT', ORIGIN_SAID],
	['this', OWN_NAMES, '127.0.0.1:PORT', 'null', ORIGIN_SAID],
	['another', OWN_NAMES, HOST, undefined, MACHINE_SAID],
	['another', OWN_NAMES, 'localhost:PORT', undefined, MACHINE_SAID],
])('from %s machine, started with %j: Host %s, Origin %s', async (machine, options, ...row) => {
	const sandbox = await startSandbox(options);
	const { port } = new URL(sandbox.url);
	const [host, origin, refusal] = row.map((each) => each?.replace('PORT', port));
	const headers = { host, ...(origin !== undefined && { origin }) };
	for (const path of PATHS) {
		const { status, text } = await send(machine === 'this' ? here : other, sandbox, path, headers);
		expect([path, status]).toEqual([path, refusal === undefined ? 200 : 403]);
		expect(text).toContain(refusal ?? '');
	}
});

test.each([
	['POST /sandbox/reset', 'cross-site', 403],
	['POST /sandbox/reset', 'same-site', 403],
	['POST /sandbox/reset', 'same-origin', 200],
	['POST /sandbox/reset', 'none', 200],
	['GET /dashboard', 'cross-site', 200],
])('without an Origin, %s from a page that is %s gives %d', async (request, site, status) => {
	const sandbox = await startSandbox();
	const [method = '', path = ''] = request.split(' ');
	const headers = { 'sec-fetch-site': site };
	expect(await send(here, sandbox, path, headers, method)).toMatchObject({ status });
});
