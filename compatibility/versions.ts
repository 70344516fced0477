import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { compareVersions, n8nIn } from '../harness/n8n/version.ts';
import { pinnedN8nFolder } from '../harness/tools/paths.ts';

const olderFolder = join(import.meta.dirname, 'versions');

/** Every n8n that the tests run on, oldest first: its version, and the folder that it is installed in. */
export function testedVersions(): { version: string; folder: string }[] {
	const folders = readdirSync(olderFolder).map((name) => join(olderFolder, name));
	return [...folders, pinnedN8nFolder]
		.map((folder) => ({ version: n8nIn(folder).n8n, folder }))
		.sort((a, b) => compareVersions(a.version, b.version));
}
