import { SandboxClient } from '../client.ts';
import { isLoopback } from '../http/guard.ts';
import type { Sandbox } from '../server.ts';
import type { CliOptions } from './options.ts';

/**
 * Gives the text that greets the user: addresses, accounts and an API key. A key is made only if
 * none is active, as a new one would invalidate (§5.3) the one that a client may be using.
 */
export async function summary({ url, apiUrl }: Sandbox, db: string): Promise<string> {
	const control = `${url}/sandbox`;
	const client = new SandboxClient(url);
	const { accounts, counts } = await client.overview();
	const key =
		counts.activeApiKeys > 0
			? 'the existing key is still valid'
			: `${await client.createKey()} (customer-scoped; shown only now)`;
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

/** Gives a warning that says who can reach what when `host` is not this machine only; undefined when it is. */
export function hostWarning(
	{ host, allowHost }: Pick<CliOptions, 'host' | 'allowHost'>,
	{ url }: Sandbox,
): string | undefined {
	if (host === 'localhost' || isLoopback(host)) return undefined;
	const api = `--host ${host} lets other machines connect to port ${new URL(url).port}, without encryption. Whoever has an API key can use the API`;
	if (allowHost !== undefined) return api;
	return `${api}; control plane and dashboard accept only requests from this machine`;
}

/** Gives the warning about --allow-host: who can use what now; undefined without this option. */
export function allowHostWarning({ allowHost }: Pick<CliOptions, 'allowHost'>): string | undefined {
	if (allowHost === undefined) return undefined;
	return `--allow-host ${allowHost} lets everyone who can connect use the control plane and the dashboard, which have no password: publish the port on 127.0.0.1 only`;
}
