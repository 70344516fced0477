import { join } from 'node:path';

import { type Account, SandboxClient } from '../../sandbox/client.ts';
import { type SandboxOptions, startSandbox } from '../../sandbox/server.ts';
import { type Card, PublicApiClient } from '../publicApi.ts';
import type { Cleanup } from '../tools/cleanup.ts';
import { assert } from '../tools/errors.ts';

/** What all steps of a run share. */
export interface RunContext {
	/** A folder for this run only. */
	folder: string;
	/** Ends everything that was started. */
	cleanup: Cleanup;
	signal?: AbortSignal | undefined;
}

/** A running sandbox with its small company, its clients, and what tests need of it. */
export interface SandboxFixture {
	sandbox: SandboxClient;
	api: PublicApiClient;
	apiKey: string;
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
export const deliveries = { timeout: 60_000 };

/** What to do about a sandbox that does not hold what it should. */
export const useOtherFile = 'Use another --db file, or none: then a fresh company is made.';

/** `db` is the sandbox's file, `port` any free one unless told; the hooks see its traffic. */
export type SandboxFixtureOptions = Pick<
	SandboxOptions,
	'db' | 'port' | 'onExchange' | 'onDelivery'
>;

/** Starts the sandbox with its small company. */
export async function startSandboxFixture(
	{ folder, cleanup, signal }: RunContext,
	{ db = join(folder, 'sandbox.db'), port = 0, ...hooks }: SandboxFixtureOptions = {},
): Promise<SandboxFixture> {
	const server = await startSandbox({
		db,
		port,
		host: '127.0.0.1',
		seed: 'small',
		deliveries,
		...hooks,
	});
	cleanup.defer(() => server.close());
	const sandbox = new SandboxClient(server.url, signal);
	const accounts = await sandbox.accounts();
	const [account] = accounts;
	assert(account !== undefined, 'The sandbox has no account', useOtherFile);
	const apiKey = await sandbox.createKey(account.id);
	const api = new PublicApiClient(server.apiUrl, apiKey, signal);
	const active = await twoActiveCards(api);
	return { sandbox, api, apiKey, accounts, account, cards: await api.cards(), active };
}

/** In a sandbox file of an earlier run the cards are as that run left them: frozen, for example. */
async function twoActiveCards(api: PublicApiClient): Promise<[Card, Card]> {
	const usable = (await api.cards())
		.filter(({ type, status }) => type === 'recurring' && status !== 'archived')
		.sort((a, b) => a.status.localeCompare(b.status));
	const [one, other] = usable;
	assert(one !== undefined && other !== undefined, 'The sandbox has too few cards', useOtherFile);
	await api.unfreeze(one.id);
	await api.unfreeze(other.id);
	return [await api.card(one.id), await api.card(other.id)];
}
