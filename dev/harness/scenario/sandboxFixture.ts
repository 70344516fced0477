import assert from 'node:assert/strict';
import { join } from 'node:path';

import { type SandboxOptions, startSandbox } from '../../../sandbox/server.ts';
import { type Card, PublicApiClient } from '../publicApi.ts';
import { type Account, SandboxClient } from '../sandboxClient.ts';
import type { RunContext } from '../tools/folders.ts';

/** What a key is for: its account, or the whole customer, as transfers need it. */
type KeyScope = 'account' | 'customer';

/** A running sandbox with its small company, its clients, and what tests need of it. */
export interface SandboxFixture {
	sandbox: SandboxClient;
	api: PublicApiClient;
	apiKey: string;
	keyScope: KeyScope;
	accounts: Account[];
	/** The account that the demo's cards and events belong to. */
	account: Account;
	cards: Card[];
	/** Two active cards that serve many purchases. */
	active: [Card, Card];
}

/**
 * Far more than n8n takes to answer a delivery, even on a busy machine: what the sandbox gives up on it
 * sends again, and then an event has been refused that never was.
 */
const deliveries = { timeout: 60_000 };

/** `keyScope` is `account` unless told. */
export type SandboxFixtureOptions = Omit<SandboxOptions, 'host' | 'seed' | 'db'> & {
	keyScope?: KeyScope;
};

/** Starts the sandbox with its small company, and creates an API key for it; `cleanup` ends it. */
export async function startSandboxFixture(
	{ folder, cleanup }: RunContext,
	{ keyScope = 'account', ...options }: SandboxFixtureOptions = {},
): Promise<SandboxFixture> {
	const db = join(folder, 'sandbox.db');
	const server = await startSandbox({ db, deliveries, ...options });
	cleanup.defer(() => server.close());
	const { url, apiUrl } = server;
	const sandbox = new SandboxClient(url);
	const accounts = await sandbox.accounts();
	const [account] = accounts;
	assert(account);
	const apiKey = await sandbox.createKey(keyScope === 'account' ? account.id : undefined);
	const api = new PublicApiClient(apiUrl, apiKey);
	const cards = await api.cards();
	const [one, other] = cards.filter(
		({ type, status }) => type === 'recurring' && status === 'active',
	);
	assert(one && other);
	return { sandbox, api, apiKey, keyScope, accounts, account, cards, active: [one, other] };
}
