import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { SandboxClient } from '../../../sandbox/client.ts';
import { startSandbox as start } from '../../../sandbox/server.ts';
import { newEncryptionKey } from '../../harness/n8n/environment.ts';
import { ensureOwner, newOwner, type Owner } from '../../harness/n8n/owner.ts';
import { N8nProcess } from '../../harness/n8n/process.ts';
import { machineTimeZone } from '../../harness/n8n/timeZone.ts';
import { PublicApiClient } from '../../harness/publicApi.ts';
import type { RunContext } from '../../harness/tools/folders.ts';

/** What n8n and the sandbox cannot show again, kept from one start to the next. */
interface Settings {
	owner: Owner;
	encryptionKey: string;
	/** The sandbox's key. It opens nothing but this sandbox, so it may be kept to be shown again. */
	apiKey?: string;
}

const fileIn = (folder: string) => join(folder, 'settings.json');

/** Reads the settings of earlier starts; new ones at the first. Throws if they cannot be read. */
export async function readSettings(folder: string): Promise<Settings> {
	const file = fileIn(folder);
	if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')) as Settings;
	const settings = { owner: newOwner(), encryptionKey: newEncryptionKey() };
	await writeSettings(folder, settings);
	return settings;
}

/** Keeps settings for the next start, readable only for the person who started it. */
async function writeSettings(folder: string, settings: Settings): Promise<void> {
	await mkdir(folder, { recursive: true });
	await writeFile(fileIn(folder), JSON.stringify(settings, undefined, '\t'), { mode: 0o600 });
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

/**
 * Starts the sandbox with the data of earlier starts. Keeps its key in `settings`; `apiKey` is undefined if the person
 * has generated another one in the dashboard.
 */
export async function startSandbox(
	{ folder, cleanup }: RunContext,
	port: number,
	settings: Settings,
) {
	const server = await start({ db: join(folder, 'sandbox.db'), port });
	cleanup.defer(() => server.close());
	const client = new SandboxClient(server.url);
	const { accounts, counts } = await client.overview();
	if (settings.apiKey === undefined || counts.activeApiKeys === 0) {
		settings.apiKey = await client.createKey();
		await writeSettings(folder, settings);
	}
	const isValid = await new PublicApiClient(server.apiUrl, settings.apiKey).acceptsKey();
	const url = `http://localhost:${port}`;
	return {
		dashboard: `${url}/dashboard`,
		baseUrl: url + new URL(server.apiUrl).pathname,
		apiKey: isValid ? settings.apiKey : undefined,
		// The account whose cards the README uses.
		accountId: String(accounts[0]?.id),
	};
}
