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

/** Gives a warning that says who can reach what, if others than this machine can. */
export const warnings = ({ host }: Pick<CliOptions, 'host'>): string[] =>
	host === 'localhost' || isLoopback(host)
		? []
		: [`--host ${host} lets other machines use the API, without encryption`];
