import { z } from 'zod/v4';

import type { Overview } from '../controlRoutes.ts';
import { isLoopback } from '../http/guard.ts';
import type { Sandbox } from '../types.ts';
import type { CliOptions } from './options.ts';

/** Gives the text that greets the user: addresses, accounts and the API key. */
export async function greeting(
	{ url, apiUrl, apiKey, keyScope }: Sandbox,
	{ db, apiKey: given }: Pick<CliOptions, 'db' | 'apiKey'>,
): Promise<string> {
	const response = await fetch(`${url}/sandbox`);
	const { accounts, counts } = z.custom<Overview>().parse(await response.json());
	return [
		'Card platform sandbox',
		`  Base URL       ${apiUrl}`,
		`  Control plane  ${url}/sandbox`,
		`  Dashboard      ${url}/dashboard`,
		`  Data           ${db === ':memory:' ? 'in memory, lost on exit' : db}: ${counts.cards} cards, ${counts.transactions} transactions`,
		`  Accounts       ${accounts.map(({ id, name }) => `${id} ${name}`).join(', ')}`,
		`  API key        ${given === undefined ? apiKey : 'the given one'} (${keyScope}-scoped)`,
		'',
		'Press Ctrl-C to stop the sandbox.',
	].join('\n');
}

/** Gives warnings that say who can reach what, if others than this machine can. */
export function warnings({ host, allowHosts }: Pick<CliOptions, 'host' | 'allowHosts'>): string[] {
	const others = allowHosts.map(
		(each) =>
			`--allow-host ${each} lets everyone who can connect use the control plane and the dashboard, which have no password: publish the port on 127.0.0.1 only`,
	);
	if (host === 'localhost' || isLoopback(host)) return others;
	return [`--host ${host} lets other machines use the API, without encryption`, ...others];
}
