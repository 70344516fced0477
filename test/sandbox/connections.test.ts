import { Agent, request } from 'undici';

import { startSandbox } from './support/sandbox.ts';

test('an idle connection is kept for 75 s, and the client is told so', async () => {
	const sandbox = await startSandbox();
	const dispatcher = new Agent({ connections: 1 });
	const { headers, body } = await request(`${sandbox.url}/sandbox`, { dispatcher });
	await body.dump();
	expect(headers['keep-alive']).toBe('timeout=75');
	await dispatcher.close();
});
