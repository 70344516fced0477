import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startSandbox as start } from '../../../sandbox/server.ts';
import { newEncryptionKey } from '../../harness/n8n/environment.ts';
import { ensureOwner, newOwner, type Owner } from '../../harness/n8n/owner.ts';
import { N8nProcess } from '../../harness/n8n/process.ts';
import { machineTimeZone } from '../../harness/n8n/timeZone.ts';
import { SandboxClient } from '../../harness/sandboxClient.ts';
import type { RunContext } from '../../harness/tools/folders.ts';

/** What n8n and the sandbox cannot show again, kept from one start to the next. */
interface Settings {
	owner: Owner;
	encryptionKey: string;
}

/** Reads the settings of earlier starts; at the first, makes new ones, readable only for the person who started it. */
export async function readSettings(folder: string): Promise<Settings> {
	const file = join(folder, 'settings.json');
	if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')) as Settings;
	const settings = { owner: newOwner(), encryptionKey: newEncryptionKey() };
	await mkdir(folder, { recursive: true });
	await writeFile(file, JSON.stringify(settings, undefined, '\t'), { mode: 0o600 });
	return settings;
}

/** Starts n8n with the data of earlier starts. Throws with the last lines of its log if it does not start. */
export async function startN8n(
	{ folder, cleanup }: RunContext,
	port: number,
	{ owner, encryptionKey }: Settings,
): Promise<{ process: N8nProcess; url: string; timeZone: string }> {
	const url = `http://localhost:${port}`;
	const timeZone = await machineTimeZone();
	const process = await N8nProcess.prepare({
		userFolder: join(folder, 'n8n'),
		port,
		encryptionKey,
		settings: {
			// Also what the editor shows as the address of a webhook.
			WEBHOOK_URL: `${url}/`,
			N8N_EDITOR_BASE_URL: `${url}/`,
			GENERIC_TIMEZONE: timeZone,
			// Loads the nodes again when a file of the installed package changes.
			N8N_DEV_RELOAD: 'true',
		},
	});
	cleanup.defer(() => process.stop());
	await process.start(() => ensureOwner(process.url, owner));
	return { process, url, timeZone };
}

/** Starts the sandbox with the data of earlier starts. */
export async function startSandbox({ folder, cleanup }: RunContext, port: number) {
	const server = await start({ db: join(folder, 'sandbox.db'), port });
	cleanup.defer(() => server.close());
	const { accounts } = await new SandboxClient(server.url).overview();
	const url = `http://localhost:${port}`;
	return {
		dashboard: `${url}/dashboard`,
		baseUrl: url + new URL(server.apiUrl).pathname,
		apiKey: server.apiKey,
		keyScope: server.keyScope,
		// The account whose cards the README uses.
		accountId: String(accounts[0]?.id),
	};
}
