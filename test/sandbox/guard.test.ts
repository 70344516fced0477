import { networkInterfaces } from 'node:os';

import { Agent, request } from 'undici';

import type { SandboxOptions } from '../../sandbox/types.ts';
import { runCli } from './support/cli.ts';
import { errorAnswer, startSandbox, type TestSandbox } from './support/sandbox.ts';

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
	const { statusCode, body } = await request(url + path, {
		method,
		headers: { ...headers },
		dispatcher: from,
	});
	const text = await body.text();
	return { status: statusCode, text };
}

const PATHS = ['/sandbox', '/dashboard', '/sandbox/openapi.json'];

test("requests to the sandbox's own names are accepted", async () => {
	const sandbox = await startSandbox();
	const { port } = new URL(sandbox.url);
	for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`]) {
		expect(await send(here, sandbox, '/sandbox', { host })).toMatchObject({ status: 200 });
	}
	const origin = { origin: sandbox.url };
	expect(await send(here, sandbox, '/sandbox', origin)).toMatchObject({ status: 200 });
});

test.each<[string, Agent, SandboxOptions, (port: string) => Headers[]]>([
	[
		'from this machine',
		here,
		{},
		(port) => [
			{ host: `evil.example:${port}` },
			{ host: '127.0.0.1:1' },
			{ host: '127.0.0.1' },
			{ origin: 'https://evil.example' },
			{ origin: 'http://127.0.0.1:1' },
			{ origin: `https://127.0.0.1:${port}` },
			{ origin: 'null' },
		],
	],
	[
		'from another machine, although a host is allowed',
		other,
		{ host: '0.0.0.0', allowHosts: ['sandbox:4010', HOST] },
		(port) => [
			{ host: 'evil.example:4010' },
			{ host: 'localhost' },
			{ host: 'localhost:4011' },
			// These are this machine's names for the sandbox: another machine means itself by them.
			{ host: `127.0.0.1:${port}` },
			{ host: `localhost:${port}` },
			{ host: HOST, origin: 'https://evil.example' },
			{ host: HOST, origin: `https://${HOST}` },
			{ host: HOST, origin: 'http://localhost:4011' },
			{ host: HOST, origin: 'null' },
		],
	],
])(
	'a foreign Host (DNS rebinding) or Origin (a web page) is refused, %s',
	async (_, from, options, foreign) => {
		const sandbox = await startSandbox(options);
		await sandbox.makeKey();
		for (const headers of foreign(new URL(sandbox.url).port)) {
			for (const path of PATHS) {
				expect(await send(from, sandbox, path, headers)).toMatchObject({ status: 403 });
			}
			const reset = await send(from, sandbox, '/sandbox/reset', headers, 'POST');
			expect(reset).toMatchObject({ status: 403 });
		}
		// A reset would have ended the key.
		expect(await sandbox.api('GET', '/health')).toMatchObject({ status: 200 });
	},
);

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

test('another machine is refused under any name unless a host is allowed', async () => {
	const sandbox = await startSandbox({ host: '0.0.0.0' });
	const { port } = new URL(sandbox.url);
	for (const path of PATHS) {
		for (const host of [HOST, `127.0.0.1:${port}`, `localhost:${port}`]) {
			const { status, text } = await send(other, sandbox, path, { host });
			expect([status, text]).toEqual([403, expect.stringContaining('from this machine')]);
		}
		expect(await send(here, sandbox, path, { host: HOST })).toMatchObject({ status: 403 });
	}
});

test('another machine may use the control plane and the dashboard at the allowed host', async () => {
	const sandbox = await startSandbox({ host: '0.0.0.0', allowHosts: ['sandbox:4010', HOST] });
	for (const path of PATHS) {
		for (const from of [other, here]) {
			expect(await send(from, sandbox, path, { host: HOST })).toMatchObject({ status: 200 });
			const origin = { host: HOST, origin: `http://${HOST}` };
			expect(await send(from, sandbox, path, origin)).toMatchObject({ status: 200 });
		}
	}
});

test('an allowed host does not replace the key of the API', async () => {
	const sandbox = await startSandbox({ host: '0.0.0.0', allowHosts: ['sandbox:4010', HOST] });
	const { status, text } = await send(other, sandbox, '/v1/public/cards', { host: HOST });
	expect({ status, body: JSON.parse(text) }).toEqual(errorAnswer(401, 'unauthorized'));
});

test('--allow-host prints a warning that says who has access', async () => {
	const cli = runCli('--port', '0', '--allow-host', HOST);
	const url = await cli.url();
	expect(await send(other, { url }, '/sandbox', { host: HOST })).toMatchObject({ status: 200 });
	cli.process.kill('SIGTERM');
	await cli.ended;
	expect(cli.output().stderr).toContain(`warning: --allow-host ${HOST} lets everyone who can`);
});
