import { join } from 'node:path';

import { ensureOwner } from '../../harness/n8n/owner.ts';
import { N8nProcess } from '../../harness/n8n/process.ts';
import type { RunContext } from '../../harness/scenario/sandboxFixture.ts';
import type { Settings } from './folder.ts';

/** The n8n of a start. */
export interface StartedN8n {
	process: N8nProcess;
	/** Where the editor is, without a trailing slash. */
	url: string;
}

/** Starts n8n with the data of earlier starts. Throws with the last lines of its log if it does not start. */
export async function startN8n(
	{ folder, cleanup, signal }: RunContext,
	port: number,
	{ owner, encryptionKey }: Settings,
): Promise<StartedN8n> {
	const url = `http://localhost:${port}`;
	const process = await N8nProcess.prepare({
		userFolder: join(folder, 'n8n'),
		port,
		encryptionKey,
		// Also what the editor shows as the address of a webhook.
		settings: { WEBHOOK_URL: `${url}/`, N8N_EDITOR_BASE_URL: `${url}/` },
		signal,
	});
	cleanup.defer(() => process.stop());
	await process.start((signal) => ensureOwner(process.url, owner, signal));
	return { process, url };
}
