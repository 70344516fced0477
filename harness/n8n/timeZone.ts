import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { n8nFolder } from '../tools/paths.ts';

/** What the clocks of a zone show in each month of this year. */
function clocksIn(timeZone: string): string {
	const clock = new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short', timeStyle: 'short' });
	const year = new Date().getUTCFullYear();
	return Array.from({ length: 12 }, (_, month) => clock.format(Date.UTC(year, month))).join();
}

const canonicalName = (timeZone: string) =>
	new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;

/**
 * Finds the name under which n8n's settings offer a zone; they call any other one not valid. Node.js says
 * UTC and Asia/Calcutta, where n8n has Etc/UTC and Asia/Kolkata.
 *
 * @param zone as Node.js says; undefined for a TZ that it does not know
 * @param listed by n8n
 * @returns the same zone, else one with the same clocks, else Etc/UTC
 */
export function listedTimeZone(zone: string | undefined, listed: readonly string[]): string {
	const names = ['Etc/UTC', ...listed];
	if (zone === undefined || zone === 'Etc/Unknown') return 'Etc/UTC';
	if (listed.includes(zone)) return zone;
	return (
		names.find((each) => canonicalName(each) === zone) ??
		names.find((each) => clocksIn(each) === clocksIn(zone)) ??
		'Etc/UTC'
	);
}

/** The machine's time zone, for an n8n that a person works in: n8n's own default is New York. */
export async function machineTimeZone(): Promise<string> {
	const file = join(n8nFolder, 'node_modules', 'n8n', 'dist', 'timezones.json');
	const { data } = z
		.object({ data: z.record(z.string()) })
		.parse(JSON.parse(await readFile(file, 'utf8')));
	return listedTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone, Object.keys(data));
}
