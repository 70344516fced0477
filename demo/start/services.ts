import { join } from 'node:path';

import { machineTimeZone } from '../../harness/n8n/environment.ts';
import { ensureOwner } from '../../harness/n8n/owner.ts';
import { N8nProcess } from '../../harness/n8n/process.ts';
import { PublicApiClient } from '../../harness/publicApi.ts';
import type { RunContext } from '../../harness/tools/folders.ts';
import { SandboxClient } from '../../sandbox/client.ts';
import { startSandbox as start } from '../../sandbox/server.ts';
import { type Settings, writeSettings } from './folder.ts';

/** The n8n of a start. */
export interface StartedN8n {
	process: N8nProcess;
	/** Where the editor is, without a trailing slash. */
	url: string;
}

/** The sandbox of a start. */
export interface StartedSandbox {
	dashboard: string;
	baseUrl: string;
	/** Undefined if the person has generated another one in the dashboard. */
	apiKey: string | undefined;
	/** The account whose cards the README uses. */
	accountId: string;
	counts: { accounts: number; cards: number };
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
		settings: {
			// Also what the editor shows as the address of a webhook.
			WEBHOOK_URL: `${url}/`,
			N8N_EDITOR_BASE_URL: `${url}/`,
			GENERIC_TIMEZONE: machineTimeZone,
		},
		signal,
	});
	cleanup.defer(() => process.stop());
	await process.start((signal) => ensureOwner(process.url, owner, signal));
	return { process, url };
}

/** Starts the sandbox with the data of earlier starts. Keeps its key in `settings`. */
export async function startSandbox(
	{ folder, cleanup, signal }: RunContext,
	port: number,
	settings: Settings,
): Promise<StartedSandbox> {
	const server = await start({ db: join(folder, 'sandbox.db'), port });
	cleanup.defer(() => server.close());
	const client = new SandboxClient(server.url, signal);
	const { accounts, counts } = await client.overview();
	if (settings.apiKey === undefined || counts.activeApiKeys === 0) {
		settings.apiKey = await client.createKey();
		await writeSettings(folder, settings);
	}
	const isValid = await new PublicApiClient(server.apiUrl, settings.apiKey, signal).acceptsKey();
	const url = `http://localhost:${port}`;
	return {
		dashboard: `${url}/dashboard`,
		baseUrl: url + new URL(server.apiUrl).pathname,
		apiKey: isValid ? settings.apiKey : undefined,
		accountId: String(accounts[0]?.id),
		counts: { accounts: accounts.length, cards: counts.cards },
	};
}
