import type { Settings } from './folder.ts';
import type { StartedN8n } from './n8n.ts';
import type { StartedSandbox } from './sandbox.ts';

/** The company that the sandbox plays. */
export function ofSandbox({ counts: { accounts, cards } }: StartedSandbox): string[] {
	return [`${accounts} accounts, ${cards} cards`];
}

/** n8n, and its log. */
export function ofN8n({ process: { logFile } }: StartedN8n): string[] {
	return [`its log is ${logFile}`];
}

/** Where everything is, and what to do next. */
export function ofPlaces(
	n8n: StartedN8n,
	{
		dashboard,
		baseUrl,
		apiKey = 'the one that you generated in the dashboard',
		accountId,
	}: StartedSandbox,
	{ owner }: Settings,
): string[] {
	return [
		`n8n editor          ${n8n.url}/workflow/new`,
		`                    sign in as ${owner.email} with the password ${owner.password}`,
		`Dashboard           ${dashboard}`,
		`Base URL            ${baseUrl}`,
		`API Key             ${apiKey}`,
		'Key Scope           Customer',
		`Default Account ID  ${accountId}`,
		'',
		'Next: open the n8n editor. Build "Your first workflow" from README.md on the empty canvas.',
		'Everything stays up until Ctrl-C; the next `npm start` continues where you left off.',
	];
}
