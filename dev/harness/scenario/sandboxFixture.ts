import { join } from 'node:path';

import { type Account, SandboxClient } from '../../../sandbox/client.ts';
import { type SandboxOptions, startSandbox } from '../../../sandbox/server.ts';
import { type Card, PublicApiClient } from '../publicApi.ts';
import { assert } from '../tools/errors.ts';
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

/** What to do about a sandbox that does not hold what it should. */
export const useOtherFile = 'Run it again: then a fresh company is made.';

/** `db` is the sandbox's file; `keyScope` is `account` unless told. */
export type SandboxFixtureOptions = Omit<SandboxOptions, 'host' | 'seed'> & {
	keyScope?: KeyScope;
};

/** Starts the sandbox with its small company, and creates an API key for it; `cleanup` ends it. */
export async function startSandboxFixture(
	{ folder, cleanup, signal }: RunContext,
	{ keyScope = 'account', db = join(folder, 'sandbox.db'), ...options }: SandboxFixtureOptions = {},
): Promise<SandboxFixture> {
	const server = await startSandbox({ db, deliveries, ...options });
	cleanup.defer(() => server.close());
	const { url, apiUrl } = server;
	const sandbox = new SandboxClient(url, signal);
	const accounts = await sandbox.accounts();
	const [account] = accounts;
	assert(account !== undefined, 'The sandbox has no account', useOtherFile);
	const apiKey = await sandbox.createKey(keyScope === 'account' ? account.id : undefined);
	const api = new PublicApiClient(apiUrl, apiKey, signal);
	const active = await twoActiveCards(api);
	return { sandbox, api, apiKey, keyScope, accounts, account, cards: await api.cards(), active };
}

/** In a sandbox file of an earlier run the cards are as that run left them: frozen, for example. */
async function twoActiveCards(api: PublicApiClient): Promise<[Card, Card]> {
	const usable = (await api.cards())
		.filter(({ type, status }) => type === 'recurring' && status !== 'archived')
		.sort((a, b) => a.status.localeCompare(b.status));
	const [one, other] = usable;
	assert(one !== undefined && other !== undefined, 'The sandbox has too few cards', useOtherFile);
	for (const { id } of [one, other]) await api.changeCard(id, 'unfreeze');
	return [await api.card(one.id), await api.card(other.id)];
}
