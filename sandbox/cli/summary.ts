import { z } from 'zod';
import type { Sandbox } from '../server.ts';

const overview = z.object({
	accounts: z.array(z.object({ id: z.number(), name: z.string() })),
	counts: z.object({ activeApiKeys: z.number(), cards: z.number(), transactions: z.number() }),
});

const newKey = z.object({ apiKey: z.string() });

/**
 * Gives the text that greets the user: addresses, accounts and an API key. A key is made only if
 * none is active, as a new one would invalidate (§5.3) the one that a client may be using.
 */
export async function summary({ url, apiUrl }: Sandbox, db: string): Promise<string> {
	const control = `${url}/sandbox`;
	const { accounts, counts } = overview.parse(await (await fetch(control)).json());
	const key =
		counts.activeApiKeys > 0
			? 'the existing key is still valid'
			: `${await makeKey(control)} (customer-scoped; shown only once)`;
	const makeAccountKey = JSON.stringify({ scope: 'account', accountId: accounts[0]?.id });
	return [
		'Card platform sandbox',
		`  Base URL       ${apiUrl}`,
		`  Control plane  ${control}`,
		`  Dashboard      ${url}/dashboard`,
		`  Data           ${db === ':memory:' ? 'in memory, lost on exit' : db}: ${counts.cards} cards, ${counts.transactions} transactions`,
		`  Accounts       ${accounts.map(({ id, name }) => `${id} ${name}`).join(', ')}`,
		`  API key        ${key}`,
		'',
		'A new key replaces the previous one. To create an account-scoped key:',
		`  curl -X POST ${control}/keys -d '${makeAccountKey}'`,
		`To create a customer-scoped key:`,
		`  curl -X POST ${control}/keys -d '{"scope":"customer"}'`,
		'',
		'Press Ctrl-C to stop the sandbox.',
	].join('\n');
}

async function makeKey(control: string): Promise<string> {
	const response = await fetch(`${control}/keys`, {
		method: 'POST',
		body: JSON.stringify({ scope: 'customer' }),
	});
	return newKey.parse(await response.json()).apiKey;
}
