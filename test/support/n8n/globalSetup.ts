import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

let service: ChildProcess | undefined;

/**
 * Starts the service that packs the package and starts an n8n for each worker of jest, when a file first
 * needs them. It ends, with all it started, when its channel to us closes, also if we are killed.
 */
export default async function setUp(): Promise<void> {
	// In a separate group, so that the terminal's Ctrl-C does not reach it: it ends things in order.
	service = fork(join(__dirname, 'service.ts'), {
		execArgv: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'],
		detached: true,
	});
	const [url]: unknown[] = await once(service, 'message');
	process.env.E2E_SERVICE = String(url);
}

/** Ends the service, and all it started. */
export async function tearDown(): Promise<void> {
	if (!service?.connected) return;
	service.disconnect();
	await once(service, 'exit');
}
