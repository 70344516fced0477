import { Readable } from 'node:stream';

import { Agent, request } from 'undici';

import { startSandbox, type TestSandbox } from './support/sandbox.ts';

const LIMIT = 4 * 2 ** 20;

/** Sends a body of the API, or of the control plane, in one piece or in chunks; gives the response and what it said. */
async function post({ url, apiKey }: TestSandbox, path: string, body: string, inChunks: boolean) {
	const chunks = body.match(/.{1,65536}/gs) ?? [];
	const { statusCode, body: answer } = await request(url + path, {
		method: 'POST',
		headers: { authorization: `Bearer ${apiKey}` },
		body: inChunks ? Readable.from(chunks) : body,
	});
	return { status: statusCode, body: await answer.json() };
}

test.each([false, true])(
	'a body up to the limit is read, a larger one is a 413 that says it; in chunks: %j',
	async (inChunks) => {
		const sandbox = await startSandbox({ seed: 'none' });
		const card = JSON.stringify({ name: 'Travel', type: 'recurring', note: '' });
		const filled = (size: number) => card.replace('""', `"${'x'.repeat(size - card.length)}"`);
		const path = '/v1/public/cards';
		expect(await post(sandbox, path, filled(LIMIT), inChunks)).toMatchObject({ status: 201 });
		for (const each of [path, '/sandbox/reset']) {
			expect(await post(sandbox, each, filled(LIMIT + 1), inChunks)).toEqual({
				status: 413,
				body: {
					code: 'payload-too-large',
					message: 'The request body is larger than 4194304 bytes',
				},
			});
		}
		expect((await sandbox.client.overview()).counts.cards).toBe(1);
	},
);

test('an idle connection is kept for 75 s, and the client is told so', async () => {
	const sandbox = await startSandbox();
	const dispatcher = new Agent({ connections: 1 });
	const { headers, body } = await request(`${sandbox.url}/sandbox`, { dispatcher });
	await body.dump();
	expect(headers['keep-alive']).toBe('timeout=75');
	await dispatcher.close();
});
