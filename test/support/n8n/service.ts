import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { json, startServer } from '../../../harness/httpServer.ts';
import { N8n } from '../../../harness/n8n/n8n.ts';
import { install, pack, type PackedPackage } from '../../../harness/n8n/package.ts';
import { startFakeInternet } from '../../../harness/scenario/fakeInternet.ts';
import { Cleanup } from '../../../harness/tools/cleanup.ts';
import { errorMessage } from '../../../harness/tools/errors.ts';
import type { SharedState } from './shared.ts';

// A separate process: what a test file loads is gone after that file, and this has to outlive it.

const cleanup = new Cleanup();
const over = new AbortController();
const { signal } = over;

async function serve(): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), 'card-platform-e2e-'));
	cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
	let packed: Promise<PackedPackage> | undefined;
	const packOnce = () => (packed ??= pack(folder, signal));
	const shared = new Map<string, Promise<SharedState>>();
	const startOnce = (path: string) => {
		const started =
			shared.get(path) ?? packOnce().then(({ file }) => startN8n(join(folder, path), file));
		shared.set(path, started);
		return started;
	};

	const server = await startServer(({ url }, response) => {
		const result: Promise<object> = url === '/package' ? packOnce() : startOnce(url);
		result.then(
			(body) => json(response, 200, body),
			(error: unknown) => json(response, 500, { message: errorMessage(error) }),
		);
	});
	cleanup.defer(() => server.close());
	process.send?.(server.url);
}

async function startN8n(folder: string, tarball: string): Promise<SharedState> {
	const userFolder = join(folder, 'n8n');
	await mkdir(folder, { recursive: true });
	await install(tarball, userFolder, signal);
	const internet = await startFakeInternet({ folder, cleanup, signal });
	const n8n = await N8n.prepare({ userFolder, settings: internet.settings, signal });
	cleanup.defer(() => n8n.stop());
	await n8n.start();
	return { n8n: n8n.address(), userFolder, internet };
}

process.once('disconnect', () => {
	over.abort();
	void cleanup.run().finally(() => process.exit());
});
void serve();
