import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { n8nFolder } from '../tools/paths.ts';

const canonicalName = (timeZone: string) =>
	new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;

/**
 * The machine's time zone, for an n8n that a person works in: n8n's own default is New York. Under the name that
 * n8n's settings offer, as they call any other one not valid: Node.js says Asia/Calcutta, where n8n has Asia/Kolkata.
 */
export async function machineTimeZone(): Promise<string> {
	const file = join(n8nFolder, 'node_modules', 'n8n', 'dist', 'timezones.json');
	const { data } = JSON.parse(await readFile(file, 'utf8')) as { data: Record<string, string> };
	const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
	if (timeZone in data) return timeZone;
	const names = ['Etc/UTC', ...Object.keys(data)];
	return names.find((each) => canonicalName(each) === timeZone) ?? 'Etc/UTC';
}
