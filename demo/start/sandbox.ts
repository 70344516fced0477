import { join } from 'node:path';

import { PublicApiClient } from '../../harness/publicApi.ts';
import type { RunContext } from '../../harness/scenario/sandboxFixture.ts';
import { SandboxClient } from '../../sandbox/client.ts';
import { startSandbox as start } from '../../sandbox/server.ts';
import { type Settings, writeSettings } from './folder.ts';

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

/** Starts the sandbox with the data of earlier starts. Keeps its key in `settings`. */
export async function startSandbox(
	{ folder, cleanup, signal }: RunContext,
	port: number,
	settings: Settings,
): Promise<StartedSandbox> {
	const db = join(folder, 'sandbox.db');
	const server = await start({ db, port });
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
