import { PublicApiClient } from '../../harness/publicApi.ts';
import type { SandboxFixture } from '../../harness/scenario/sandboxFixture.ts';
import { SandboxClient } from '../../sandbox/client.ts';
import type { Sandbox } from '../../sandbox/server.ts';

/** Creates active cards; returns their ids. */
export async function createCards(
	{ api, account }: SandboxFixture,
	count: number,
): Promise<string[]> {
	const ids: string[] = [];
	for (let number = 1; number <= count; number++) {
		ids.push(await api.createCard(`Card ${number}`, account.id));
	}
	return ids;
}

/** The credit limit of each account, in cents: transfers move them. Voids the API key: one is active at a time (§5.3). */
export async function creditLimits({ url, apiUrl }: Sandbox): Promise<number[]> {
	const control = new SandboxClient(url);
	const limits: number[] = [];
	for (const { id } of await control.accounts()) {
		const api = new PublicApiClient(apiUrl, await control.createKey(id));
		limits.push(Number((await api.overallCreditLimit()).replace('.', '')));
	}
	return limits;
}

/** How many of these cards are frozen. */
export async function countFrozen(
	{ api }: SandboxFixture,
	cardIds: readonly string[],
): Promise<number> {
	let frozen = 0;
	for (const id of cardIds) {
		if ((await api.card(id)).status === 'frozen') frozen++;
	}
	return frozen;
}

/** Each of four kinds as often that together one request in five fails. */
const probability = 1 - 0.8 ** (1 / 4);

/** Makes every fifth request fail: 429 with Retry-After, 500, dropped before or after it was done. */
export async function breakEveryFifth({ sandbox }: SandboxFixture): Promise<void> {
	await sandbox.setFaults(
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
export async function endFaults({ sandbox }: SandboxFixture): Promise<Map<string, number>> {
	const rules = await sandbox.faults();
	await sandbox.setFaults([]);
	return new Map(
		rules.map(({ applied, ...rule }) => [
			rule.kind === 'status' ? String(rule.status) : rule.kind,
			applied,
		]),
	);
}
