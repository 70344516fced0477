import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { Pool } from 'undici';
import { z } from 'zod';

import { readRaw } from '../../bench/api/raw.ts';
import { createDelayLine } from '../../bench/network/delayLine.ts';
import { createLink } from '../../bench/network/link.ts';
import { createApi } from '../../bench/server/api.ts';
import { toBenchServer } from '../../bench/server/control.ts';
import { apiKey } from '../../bench/server/settings.ts';
import { TokenBucket } from '../../bench/server/tokenBucket.ts';
import { Cleanup } from '../../harness/tools/cleanup.ts';
import { eventually } from '../../harness/tools/waiting.ts';

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

const isAddress = (address: unknown): address is AddressInfo =>
	typeof address === 'object' && address !== null && 'port' in address;

/** Lets a server listen on a free port, which it gives. */
async function listen(server: Server, host = 'localhost'): Promise<number> {
	const sockets = new Set<Socket>();
	server.on('connection', (socket) => sockets.add(socket));
	server.listen(0, host);
	await once(server, 'listening');
	cleanup.defer(async () => {
		for (const socket of sockets) socket.destroy();
		server.close();
		await once(server, 'close');
	});
	const address = server.address();
	if (!isAddress(address)) throw new Error('no port');
	return address.port;
}

const link = async (targetPort: number, roundTripMs: number) =>
	await listen(createLink(targetPort, roundTripMs));

const toPort = (port: number) => connect({ port, host: 'localhost', allowHalfOpen: true });

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('A delay line', () => {
	afterEach(() => jest.useRealTimers());

	it('delivers in order, each piece at its time or with the one before it', () => {
		jest.useFakeTimers();
		const line = createDelayLine();
		const start = performance.now();
		const delivered: string[] = [];
		const push = (name: string, afterMs: number) =>
			line(start + afterMs, () => delivered.push(name));
		push('first', 45);
		push('overtakes nobody', 15);
		push('last', 60);

		jest.advanceTimersByTime(44);
		expect(delivered).toEqual([]);
		jest.advanceTimersByTime(1);
		expect(delivered).toEqual(['first', 'overtakes nobody']);
		jest.advanceTimersByTime(15);
		expect(delivered).toEqual(['first', 'overtakes nobody', 'last']);

		push('after a pause', 100);
		jest.advanceTimersByTime(39);
		expect(delivered).toHaveLength(3);
		jest.advanceTimersByTime(1);
		expect(delivered.at(-1)).toBe('after a pause');
	});
});

describe('A link', () => {
	it('passes on all bytes unchanged and in order, in both directions, and the ends', async () => {
		const sent = randomBytes(3_000_000);
		const returned = randomBytes(2_000_000);
		let received: Buffer | undefined;
		const server = createServer({ allowHalfOpen: true }, (socket) => {
			// The end of one direction comes first: the other one stays open.
			void buffer(socket).then((bytes) => {
				received = bytes;
				socket.end(returned);
			});
		});
		const client = toPort(await link(await listen(server), 4));
		for (let at = 0; at < sent.length; at += 70_001) client.write(sent.subarray(at, at + 70_001));
		client.end();
		const response = await buffer(client);

		expect(received && digest(received)).toBe(digest(sent));
		expect(digest(response)).toBe(digest(returned));
	});

	it('lets nothing arrive before a connection would be open and half a round trip has passed', async () => {
		const roundTripMs = 40;
		const arrived: number[] = [];
		const server = createServer((socket) =>
			socket.on('data', (bytes) => {
				arrived.push(performance.now());
				socket.write(bytes);
			}),
		);
		const port = await link(await listen(server), roundTripMs);
		const client = toPort(port);
		await once(client, 'connect');
		const connected = performance.now();
		const exchange = async (text: string) => {
			client.write(text);
			const [bytes] = z.tuple([z.instanceof(Buffer)]).parse(await once(client, 'data'));
			return { text: bytes.toString(), at: performance.now() };
		};
		const first = await exchange('hello');
		const second = await exchange('again');

		// Lower bounds only, which hold however slow the machine is; a clock tick is allowed for.
		expect([first.text, second.text]).toEqual(['hello', 'again']);
		expect(first.at - connected).toBeGreaterThan(2 * roundTripMs - 5);
		expect((arrived[0] ?? 0) - connected).toBeGreaterThan(1.5 * roundTripMs - 5);
		expect(second.at - first.at).toBeGreaterThan(roundTripMs - 1);
	});

	it('breaks a connection that is broken at the other end', async () => {
		const server = createServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
		const client = toPort(await link(await listen(server), 4));
		client.write('hello');

		await expect(buffer(client)).rejects.toMatchObject({ code: 'ECONNRESET' });
	});

	it('breaks a connection to a port where nobody listens', async () => {
		const server = createServer();
		server.listen(0, 'localhost');
		await once(server, 'listening');
		const address = server.address();
		server.close();
		await once(server, 'close');
		const client = toPort(await link(isAddress(address) ? address.port : 0, 4));

		await expect(buffer(client)).rejects.toMatchObject({ code: 'ECONNRESET' });
	});
});

const pageSchema = z.object({
	data: z.array(z.object({ id: z.string() })),
	totalItemCount: z.number(),
	totalPages: z.number(),
	totalItemCountCapped: z.boolean(),
});

/** The API of the bench, over plain HTTP. */
async function startApi() {
	const port = await listen(createHttpServer(createApi()), '127.0.0.1');
	const server = toBenchServer(`http://127.0.0.1:${port}`);
	const get = async (path = '/transactions', connection = 'close') =>
		await fetch(server.apiUrl + path, {
			headers: { authorization: `Bearer ${apiKey}`, connection },
		});
	const page = async (query: string) => {
		const response = await get(`/transactions?${query}`);
		return pageSchema.parse(await response.json());
	};
	return { ...server, port, get, page };
}

const quiet = { transactions: 250, latencyMs: 0 };

describe('The API of the bench', () => {
	it('counts requests, and connections behind a link, from one change of settings to the next', async () => {
		const api = await startApi();
		const pool = new Pool(`http://localhost:${await link(api.port, 4)}`, { connections: 2 });
		cleanup.defer(() => pool.destroy());
		const request = async () => {
			const { body } = await pool.request({
				path: '/v1/public/transactions',
				method: 'GET',
				headers: { authorization: `Bearer ${apiKey}` },
			});
			await body.dump();
		};
		await api.set(quiet);
		await Promise.all([request(), request()]);
		await request();
		expect(await api.set(quiet)).toMatchObject({ requests: 3, connections: 2, refused: 0 });

		for (let count = 0; count < 3; count++) await (await api.get()).text();
		expect(await api.set(quiet)).toMatchObject({ requests: 3, connections: 3 });
		expect(await api.set(quiet)).toMatchObject({ requests: 0, connections: 0 });
	});

	it('serves all pages over TLS through a link to a program that trusts its certificate', async () => {
		const script =
			"import('mockttp').then(async (m) => console.log(JSON.stringify(await m.generateCACertificate({ subject: { commonName: 'localhost' } }))))";
		const made = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' });
		const { key, cert } = z.object({ key: z.string(), cert: z.string() }).parse(JSON.parse(made));
		const port = await link(await listen(createTlsServer({ key, cert }, createApi())), 4);
		const apiUrl = `https://localhost:${port}/v1/public`;
		const { signal } = new AbortController();

		const { items } = await readRaw({ apiUrl, certificate: cert }, 3, signal);
		expect(items).toHaveLength(100);
		await expect(readRaw({ apiUrl, certificate: undefined }, 3, signal)).rejects.toThrow(
			/self-signed certificate/,
		);
	});

	it.each([
		[true, '2000'],
		[false, null],
	])('refuses what exceeds its rate (Retry-After: %s)', async (retryAfter, seconds) => {
		const api = await startApi();
		await api.set({ ...quiet, limit: { perSecond: 0.0005, burst: 2, retryAfter } });
		const responses = [await api.get(), await api.get(), await api.get()];

		expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
		expect(responses[2]?.headers.get('retry-after')).toBe(seconds);
		expect(await api.set(quiet)).toMatchObject({ requests: 3, refused: 1 });
		expect((await api.get()).status).toBe(200);
	});

	it('gives lower bounds for the totals of a long list, and exact ones for a short list', async () => {
		const api = await startApi();
		await api.set({ ...quiet, countedUpTo: 150 });
		expect(await api.page('page=3')).toMatchObject({
			data: { length: 50 },
			totalItemCount: 150,
			totalPages: 2,
			totalItemCountCapped: true,
		});
		await api.set({ ...quiet, countedUpTo: 250 });
		expect(await api.page('page=3')).toMatchObject({
			totalItemCount: 250,
			totalPages: 3,
			totalItemCountCapped: false,
		});
	});

	it('puts transactions that are created during a read before the others', async () => {
		const api = await startApi();
		await api.set(quiet);
		const { data: before } = await api.page('page=1');
		await api.set({ ...quiet, insertEveryMs: 10 });
		const grown = await eventually(async () => {
			const page = await api.page('page=1');
			expect(page.totalItemCount).toBeGreaterThan(252);
			return page;
		});
		const created = grown.totalItemCount - 250;
		const ids = grown.data.map(({ id }) => id);
		expect(ids.slice(created)).toEqual(before.slice(0, 100 - created).map(({ id }) => id));
		expect(new Set([...ids, ...before.map(({ id }) => id)]).size).toBe(100 + created);
		const { inserted } = await api.set(quiet);
		expect(inserted).toBeGreaterThan(0);
		expect(inserted).toBeLessThanOrEqual(created);

		await api.set({ ...quiet, insertEveryMs: 1_000_000 });
		expect((await api.page('page=1')).data).toEqual(before);
	});
});

describe('A token bucket', () => {
	it('gives tokens as it is refilled, never more than it holds, and says when the next one comes', () => {
		const bucket = new TokenBucket({ perSecond: 50, burst: 2 }, 1000);
		const take = (now: number) => bucket.take(now);

		expect([take(1000), take(1000), take(1000)]).toEqual([0, 0, 20]);
		expect(take(1010)).toBeCloseTo(10);
		expect(take(1020)).toBe(0);
		expect(take(1030)).toBeCloseTo(10);
		expect([take(9000), take(9000), take(9000)]).toEqual([0, 0, 20]);
	});
});
