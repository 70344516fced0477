import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

const lockSchema = z.object({
	packages: z.record(z.object({ optional: z.boolean().optional() }).passthrough()),
});

/** A fingerprint of what `folder` asks npm for: its package.json and its lock file. */
export async function fingerprint(folder: string): Promise<string> {
	const hash = createHash('sha256');
	for (const file of ['package.json', 'package-lock.json']) {
		hash.update(await readFile(join(folder, file)));
	}
	return hash.digest('hex');
}

/** The folders, relative to `folder`, of all packages that its lock file puts on every machine. */
export async function lockedPackages(folder: string): Promise<string[]> {
	const text = await readFile(join(folder, 'package-lock.json'), 'utf8');
	return Object.entries(lockSchema.parse(JSON.parse(text)).packages)
		.filter(([path, { optional }]) => path !== '' && optional !== true)
		.map(([path]) => path);
}

/** How many of these packages are unpacked in `folder` by now. */
export function countUnpacked(folder: string, packages: readonly string[]): number {
	return packages.filter((path) => existsSync(join(folder, path, 'package.json'))).length;
}
