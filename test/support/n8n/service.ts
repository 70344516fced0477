import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { json, startServer } from '../../../dev/harness/httpServer.ts';
import { startPackedN8n } from '../../../dev/harness/n8n/n8n.ts';
import { pack } from '../../../dev/harness/n8n/package.ts';
import { startFakeInternet } from '../../../dev/harness/scenario/fakeInternetServer.ts';
import { errorMessage } from '../../../dev/harness/tools/errors.ts';
import { type RunContext, temporaryFolder } from '../../../dev/harness/tools/folders.ts';
import { n8nScript } from '../../../dev/harness/tools/paths.ts';
import { killCommands } from '../../../dev/harness/tools/processes.ts';
import { runProgram } from '../../../dev/harness/tools/program.ts';
import type { SharedState } from './shared.ts';

// A separate process: what a test file loads is gone after that file, and this has to outlive it.

void runProgram(async ({ cleanup }) => {
	const folder = await temporaryFolder('e2e', cleanup);
	const shared = new Map<string, Promise<SharedState>>();
	const startOnce = (path: string) => {
		const started = shared.get(path) ?? startShared({ folder: join(folder, path), cleanup });
		shared.set(path, started);
		return started;
	};
	const packOnce = async () => ({ file: await pack(folder) });

	const server = await startServer(({ url }, response) => {
		const result: Promise<object> = url === '/package' ? packOnce() : startOnce(url);
		result.then(
			(body) => json(response, 200, body),
			(error: unknown) => json(response, 500, { message: errorMessage(error) }),
		);
	});
	cleanup.defer(() => server.close());
	process.send?.(server.url);
	await once(process, 'disconnect');
	killCommands();
});

async function startShared(run: RunContext): Promise<SharedState> {
	if (!existsSync(n8nScript))
		throw new Error('n8n is not installed: run npm start once, then Ctrl-C.');
	await mkdir(run.folder, { recursive: true });
	const internet = await startFakeInternet(run);
	const n8n = await startPackedN8n(run, internet.settings);
	return { n8n: n8n.address(), userFolder: n8n.process.userFolder, internet };
}
