import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import getPort from 'get-port';

import { readSettings, startSandbox } from '../../dev/demo/start/services.ts';
import { SandboxClient } from '../../dev/harness/sandboxClient.ts';

test('npm start keeps owner, key and account, and shows the key that has replaced another one', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'card-platform-start-'));
	const port = await getPort();
	let replaced = '';
	const start = async (use: () => Promise<unknown> = async () => undefined) => {
		await using cleanup = new AsyncDisposableStack();
		const settings = await readSettings(folder);
		const sandbox = await startSandbox({ folder, cleanup }, port);
		await use();
		return { sandbox, owner: settings.owner };
	};
	try {
		const first = await start();
		expect(first.sandbox).toMatchObject({
			dashboard: `http://localhost:${port}/dashboard`,
			baseUrl: `http://localhost:${port}/v1/public`,
			apiKey: expect.stringMatching(/^sandbox_/),
			accountId: expect.stringMatching(/^\d+$/),
		});
		const client = new SandboxClient(`http://localhost:${port}`);
		const replaceKey = async () => (replaced = await client.createKey());
		expect(await start(replaceKey)).toEqual(first);
		expect((await start()).sandbox.apiKey).toBe(replaced);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
});
