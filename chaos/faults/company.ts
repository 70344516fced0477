import { join } from 'node:path';
import type { N8nClient, StoredCredential } from '../../harness/n8n/client.ts';
import { SandboxControl } from '../../harness/scenario/company.ts';
import type { Cleanup } from '../../harness/tools/cleanup.ts';
import { requestJson } from '../../harness/tools/json.ts';
import { z } from 'zod';
import { createSandbox } from '../../sandbox/server.ts';

/** A sandbox with its company, and ways to look into it. */
export interface FaultyCompany {
	url: string;
	apiUrl: string;
	control: SandboxControl;
	/** The two accounts' numbers. */
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
export async function openCompany(folder: string, cleanup: Cleanup): Promise<FaultyCompany> {
	const server = await createSandbox({ db: join(folder, 'sandbox.db'), deliveries });
	cleanup.defer(() => server.close());
	return describeCompany(server);
}

/** Gives the company of a sandbox that runs, with a new API key. */
export async function describeCompany({
	url,
	apiUrl,
}: Pick<FaultyCompany, 'url' | 'apiUrl'>): Promise<FaultyCompany> {
	const control = new SandboxControl(url);
	const [from, to] = await control.accounts();
	if (from === undefined || to === undefined) throw new Error('The sandbox has too few accounts');
	const accounts: [number, number] = [from.id, to.id];
	const limits = await creditLimits(control, apiUrl, accounts);
	const { apiKey } = await requestJson(`${url}/sandbox/keys`, z.object({ apiKey: z.string() }), {
		method: 'POST',
		body: { scope: 'customer' },
	});
	return { url, apiUrl, control, accounts, apiKey, limits };
}

/** Gives n8n a credential with the customer-scoped key. */
export async function addCredential(
	n8n: N8nClient,
	{ apiUrl, apiKey }: FaultyCompany,
): Promise<StoredCredential> {
	const data = { baseUrl: apiUrl, apiKey, keyScope: 'customer' };
	return n8n.addCredential('cardPlatformApi', data, 'Sandbox');
}

/** Creates cards, which are active, and gives their ids. */
export async function createCards(
	{ apiUrl, apiKey, accounts }: FaultyCompany,
	count: number,
): Promise<string[]> {
	const ids: string[] = [];
	for (let number = 1; number <= count; number++) {
		const { id } = await requestJson(`${apiUrl}/cards`, z.object({ id: z.string() }), {
			method: 'POST',
			headers: { authorization: `Bearer ${apiKey}` },
			body: { name: `Card ${number}`, type: 'recurring', accountId: accounts[0] },
		});
		ids.push(id);
	}
	return ids;
}

/** The credit limits of both accounts, in cents: transfers move them. Voids the API key: one is active at a time (§5.3). */
export async function creditLimits(
	control: SandboxControl,
	apiUrl: string,
	accounts: readonly number[],
): Promise<number[]> {
	const limits: number[] = [];
	for (const account of accounts) {
		const headers = { authorization: `Bearer ${await control.generateKey(account)}` };
		const answer = z.object({ overallCreditLimit: z.string() });
		const { overallCreditLimit } = await requestJson(`${apiUrl}/balance`, answer, { headers });
		limits.push(Number(overallCreditLimit.replace('.', '')));
	}
	return limits;
}

/** What each account has gained since the sandbox was opened, in cents. Voids the API key. */
export async function gains(company: FaultyCompany): Promise<number[]> {
	const { control, apiUrl, accounts, limits } = company;
	const now = await creditLimits(control, apiUrl, accounts);
	return now.map((limit, index) => limit - (limits[index] ?? 0));
}

/** How many of these cards are frozen. */
export async function countFrozen(
	{ apiUrl, apiKey }: FaultyCompany,
	cardIds: readonly string[],
): Promise<number> {
	let frozen = 0;
	for (const id of cardIds) {
		const headers = { authorization: `Bearer ${apiKey}` };
		const answer = z.object({ status: z.string() });
		const { status } = await requestJson(`${apiUrl}/cards/${id}`, answer, { headers });
		if (status === 'frozen') frozen++;
	}
	return frozen;
}

/** Each of four kinds as often that together one request in five fails. */
const probability = 1 - 0.8 ** (1 / 4);

/** Makes every fifth request fail: 429 with Retry-After, 500, dropped before or after it was done. */
export async function breakEveryFifth({ url }: FaultyCompany): Promise<void> {
	const rules = [
		{ kind: 'drop-before', probability },
		{ kind: 'status', status: 429, retryAfter: 1, probability },
		{ kind: 'status', status: 500, probability },
		{ kind: 'drop-after', probability },
	];
	await putFaults(url, rules);
}

const rulesSchema = z.object({
	rules: z.array(
		z.object({ kind: z.string(), status: z.number().optional(), applied: z.number() }),
	),
});

/** Ends the faults; gives how many of each kind there were, by its name. */
export async function endFaults({ url }: FaultyCompany): Promise<Map<string, number>> {
	const { rules } = await requestJson(`${url}/sandbox/faults`, rulesSchema);
	await putFaults(url, []);
	return new Map(rules.map(({ kind, status, applied }) => [String(status ?? kind), applied]));
}

async function putFaults(url: string, rules: object[]): Promise<void> {
	const response = await fetch(`${url}/sandbox/faults`, {
		method: 'PUT',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ rules, seed: 7 }),
	});
	if (!response.ok) throw new Error(`The sandbox refused the faults: ${await response.text()}`);
}
