import { join } from 'node:path';

import type { N8nClient, StoredCredential } from '../../harness/n8n/client.ts';
import { PublicApiClient } from '../../harness/publicApi.ts';
import type { Cleanup } from '../../harness/tools/cleanup.ts';
import { SandboxClient } from '../../sandbox/client.ts';
import { startSandbox as start } from '../../sandbox/server.ts';

/** A running sandbox, and what a run needs to prepare it and to check the result. */
export interface FaultySandbox {
	apiUrl: string;
	control: SandboxClient;
	/** The ids of the two accounts. */
	accounts: [number, number];
	/** A key of the whole customer: transfers need it. */
	apiKey: string;
	/** The accounts' credit limits at first, in cents. */
	limits: number[];
}

/** How many deliveries the sandbox has under way at a time. */
export const deliveriesAtATime = 8;

/**
 * Deliveries come again within seconds, for as long as a start of n8n takes. What the sandbox gives up on
 * while a busy n8n is still at it would be executed once more without a crash, hence the timeout.
 */
const deliveries = {
	baseDelay: 250,
	maxDelay: 4_000,
	maxAttempts: 1_000,
	timeout: 120_000,
	concurrencyPerEndpoint: deliveriesAtATime,
};

/** Starts a sandbox that keeps its data in `folder`. */
export async function startSandbox(folder: string, cleanup: Cleanup): Promise<FaultySandbox> {
	const server = await start({ db: join(folder, 'sandbox.db'), deliveries });
	cleanup.defer(() => server.close());
	return prepareSandbox(server);
}

/** Reads the accounts and limits of a running sandbox, and creates an API key. */
export async function prepareSandbox({
	url,
	apiUrl,
}: {
	url: string;
	apiUrl: string;
}): Promise<FaultySandbox> {
	const control = new SandboxClient(url);
	const [from, to] = await control.accounts();
	if (from === undefined || to === undefined) throw new Error('The sandbox has too few accounts');
	const accounts: [number, number] = [from.id, to.id];
	const limits = await creditLimits({ control, apiUrl, accounts });
	return { apiUrl, control, accounts, apiKey: await control.createKey(), limits };
}

/** Gives n8n a credential with the customer-scoped key. */
export async function addCredential(
	n8n: N8nClient,
	{ apiUrl, apiKey, accounts }: FaultySandbox,
): Promise<StoredCredential> {
	const data = { baseUrl: apiUrl, apiKey, keyScope: 'customer', accountId: String(accounts[0]) };
	return n8n.addCredential('cardPlatformApi', data, 'Sandbox');
}

/** Creates active cards; returns their ids. */
export async function createCards(
	{ apiUrl, apiKey, accounts }: FaultySandbox,
	count: number,
): Promise<string[]> {
	const api = new PublicApiClient(apiUrl, apiKey);
	const ids: string[] = [];
	for (let number = 1; number <= count; number++) {
		ids.push(await api.createCard(`Card ${number}`, accounts[0]));
	}
	return ids;
}

/** The accounts' credit limits, in cents: transfers move them. Voids the API key: one is active at a time (§5.3). */
async function creditLimits({
	control,
	apiUrl,
	accounts,
}: Pick<FaultySandbox, 'control' | 'apiUrl' | 'accounts'>): Promise<number[]> {
	const limits: number[] = [];
	for (const account of accounts) {
		const api = new PublicApiClient(apiUrl, await control.createKey(account));
		limits.push(Number((await api.overallCreditLimit()).replace('.', '')));
	}
	return limits;
}

/** What each account has gained since the sandbox was started, in cents. Voids the API key. */
export async function gains(sandbox: FaultySandbox): Promise<number[]> {
	const now = await creditLimits(sandbox);
	return now.map((limit, index) => limit - (sandbox.limits[index] ?? 0));
}

/** How many of these cards are frozen. */
export async function countFrozen(
	{ apiUrl, apiKey }: FaultySandbox,
	cardIds: readonly string[],
): Promise<number> {
	const api = new PublicApiClient(apiUrl, apiKey);
	let frozen = 0;
	for (const id of cardIds) {
		if ((await api.card(id)).status === 'frozen') frozen++;
	}
	return frozen;
}

/** Each of four kinds as often that together one request in five fails. */
const probability = 1 - 0.8 ** (1 / 4);

/** Makes every fifth request fail: 429 with Retry-After, 500, dropped before or after it was done. */
export async function breakEveryFifth({ control }: FaultySandbox): Promise<void> {
	await control.setFaults(
		[
			{ kind: 'drop-before', probability },
			{ kind: 'status', status: 429, retryAfter: 1, probability },
			{ kind: 'status', status: 500, probability },
			{ kind: 'drop-after', probability },
		],
		7,
	);
}

/** Ends the faults; returns how many of each kind there were, by its name. */
export async function endFaults({ control }: FaultySandbox): Promise<Map<string, number>> {
	const rules = await control.faults();
	await control.setFaults([]);
	return new Map(
		rules.map(({ applied, ...rule }) => [
			rule.kind === 'status' ? String(rule.status) : rule.kind,
			applied,
		]),
	);
}
