import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { n8nFolder } from '../tools/paths.ts';

/** What is installed in a folder: the version of n8n, and of Node.js that it runs on. */
export function n8nIn(folder: string): { n8n: string; node: string } {
	const text = readFileSync(join(folder, 'package.json'), 'utf8');
	return (JSON.parse(text) as { dependencies: ReturnType<typeof n8nIn> }).dependencies;
}

// Read once: whoever reads executions asks for each of them.
const running = n8nIn(n8nFolder).n8n;

/** Whether the n8n that runs is of this version, such as `2` or `2.41`, or newer. */
export function n8nIsSince(version: string): boolean {
	return running.localeCompare(version, 'en', { numeric: true }) >= 0;
}
