import { connect } from 'node:net';

import { MAX_BODY_BYTES, MAX_NAME_LENGTH } from '../../sandbox/assumptions.ts';
import {
	type Answer,
	cardId,
	errorAnswer,
	startSandbox,
	type TestSandbox,
} from './support/sandbox.ts';

const CARD = cardId(3);

/** A body of exactly this many bytes. */
const padded = (bytes: number, fields: object) => {
	const { length } = JSON.stringify({ ...fields, note: '' });
	return { ...fields, note: 'x'.repeat(bytes - length) };
};

/** Opens a connection and sends the start of a request; `response` comes when the sandbox ends it. */
function startRequest({ url }: TestSandbox, line: string, headers: string[]) {
	const { host, hostname, port } = new URL(url);
	const socket = connect(Number(port), hostname);
	let received = '';
	socket.setEncoding('utf8').on('data', (data: string) => (received += data));
	// Writing on after the response fails.
	socket.on('error', () => undefined);
	const lines = [`${line} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers];
	socket.write(`${lines.join('\r\n')}\r\n\r\n`);
	const response = new Promise<Answer>((resolve) => {
		socket.once('close', () => {
			const body: unknown = JSON.parse(received.slice(received.indexOf('\r\n\r\n')));
			resolve({ status: Number(received.slice(9, 12)), body });
		});
	});
	return { socket, response };
}

/** Sends at least this many blanks in chunks, and then a small body. */
async function sendInChunks(sandbox: TestSandbox, path: string, total: number): Promise<Answer> {
	const headers = [
		`Authorization: Bearer ${await sandbox.makeKey()}`,
		'Transfer-Encoding: chunked',
	];
	const { socket, response } = startRequest(sandbox, `POST ${path}`, headers);
	let sent = 0;
	const sendMore = (): void => {
		while (sent < total && !socket.destroyed) {
			sent += 65_536;
			if (!socket.write(`10000\r\n${' '.repeat(65_536)}\r\n`)) {
				socket.once('drain', sendMore);
				return;
			}
		}
		socket.write('2\r\n{}\r\n0\r\n\r\n');
	};
	sendMore();
	return response;
}

const TOO_LARGE = {
	status: 413,
	body: {
		code: 'content-too-large',
		message: 'The request body is larger than 1 MB (1048576 bytes)',
	},
};

test.each([
	['POST', '/v1/public/cards'],
	['PATCH', `/v1/public/cards/${CARD}`],
	['PATCH', '/v1/public/accounts/1001'],
	['POST', '/v1/public/accounts/1001/transfers'],
	['POST', '/sandbox/reset'],
])('the response to a body above 1 MB does not wait for it: %s %s', async (method, path) => {
	const sandbox = await startSandbox();
	const headers = [`Content-Length: ${MAX_BODY_BYTES + 1}`];
	const { response } = startRequest(sandbox, `${method} ${path}`, headers);
	expect(await response).toEqual(TOO_LARGE);
});

test('a body of exactly 1 MB is read', async () => {
	const sandbox = await startSandbox();
	const body = padded(MAX_BODY_BYTES, { name: 'Largest', type: 'recurring' });
	expect(await sandbox.send('POST', '/cards', body)).toMatchObject({ status: 201 });
	expect(await sandbox.send('POST', '/cards', { ...body, more: 1 })).toEqual(
		errorAnswer(413, 'content-too-large'),
	);
	const control = padded(MAX_BODY_BYTES + 1, { seed: 'none' });
	expect(await sandbox.control('POST', '/reset', control)).toEqual(
		errorAnswer(413, 'content-too-large'),
	);
});

test('a chunked body is read up to 1 MB, and no further', async () => {
	const sandbox = await startSandbox();
	for (const path of ['/v1/public/cards', '/sandbox/reset']) {
		expect(await sendInChunks(sandbox, path, Infinity)).toEqual(TOO_LARGE);
	}
	expect(await sendInChunks(sandbox, '/sandbox/reset', 65_536)).toMatchObject({ status: 200 });
});

test('a simulated failure of the service reaches a chunked request too', async () => {
	const sandbox = await startSandbox();
	await sandbox.client.setFaults([{ kind: 'status', status: 500 }]);
	expect(await sendInChunks(sandbox, '/v1/public/cards', 65_536)).toMatchObject({
		status: 500,
		body: { message: 'Simulated fault: 500' },
	});
});

test('names have at most 255 characters', async () => {
	const sandbox = await startSandbox();
	// Each of them is two units of a JavaScript string.
	const longest = '💳'.repeat(MAX_NAME_LENGTH);
	const tooLong = {
		status: 400,
		body: { code: 'bad-request', message: 'name: must not be longer than 255 characters' },
	};
	const card = { type: 'recurring' };
	expect(await sandbox.send('POST', '/cards', { ...card, name: longest })).toMatchObject({
		status: 201,
	});
	expect(await sandbox.send('POST', '/cards', { ...card, name: `${longest}x` })).toEqual(tooLong);
	expect(await sandbox.send('PATCH', `/cards/${CARD}`, { name: 'x'.repeat(256) })).toEqual(tooLong);
	expect(await sandbox.send('PATCH', '/accounts/1001', { name: 'x'.repeat(256) })).toEqual(tooLong);
	expect(await sandbox.send('PATCH', '/accounts/1001', { name: 'x'.repeat(255) })).toMatchObject({
		status: 200,
	});
});

test.each([
	['/endpoints', { accountId: 1001, url: `http://127.0.0.1/${'x'.repeat(2048)}` }, 'url'],
	[
		'/simulate/authorization',
		{ cardId: CARD, amount: '1.00', merchantName: 'x'.repeat(256) },
		'merchantName',
	],
	[
		'/simulate/authorization',
		{ cardId: CARD, amount: '1.00', decline: { reason: 'x'.repeat(256) } },
		'decline.reason',
	],
])('the length of fields in lists is limited: %s %#', async (path, body, field) => {
	const sandbox = await startSandbox();
	expect(await sandbox.control('POST', path, body)).toEqual({
		status: 400,
		body: {
			code: 'bad-request',
			message: expect.stringMatching(`^${field}: .*at most \\d+ character`),
		},
	});
});
