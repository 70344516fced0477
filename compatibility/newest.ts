import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { installN8n } from '../harness/n8n/install.ts';
import { compareVersions, n8nIn } from '../harness/n8n/version.ts';
import { errorMessage } from '../harness/tools/errors.ts';
import { npm } from '../harness/tools/npm.ts';
import { pinnedN8nFolder, repositoryFolder } from '../harness/tools/paths.ts';
import type { Reporter } from '../harness/tools/terminal.ts';

/**
 * Installs the newest n8n that installs, of those newer than the pinned one, and says why others do not.
 * Returns its folder, or undefined if there is none.
 */
export async function installNewest(
	reporter: Reporter,
	signal: AbortSignal,
): Promise<string | undefined> {
	const pinned = n8nIn(pinnedN8nFolder).n8n;
	const published = await npm(['view', 'n8n', 'versions', '--json'], {
		cwd: repositoryFolder,
		signal,
	});
	const newer = z
		.array(z.string())
		.parse(JSON.parse(published))
		.filter((version) => /^[\d.]+$/.test(version) && compareVersions(version, pinned) > 0)
		.sort((a, b) => compareVersions(b, a));
	for (const version of newer) {
		reporter.line(`Trying n8n ${version}`);
		const folder = join(repositoryFolder, '.cache', `n8n-${version}`);
		try {
			await lock(folder, version, signal);
			await installN8n({ reporter, signal, folder });
			return folder;
		} catch (error) {
			signal.throwIfAborted();
			await rm(folder, { recursive: true, force: true });
			reporter.line(`n8n ${version} does not install: ${errorMessage(error)}`);
		}
	}
	reporter.line(`n8n ${pinned}, which is pinned, is the newest that installs.`);
	return undefined;
}

/** Makes a lock file for a version, with the settings of the pinned one. */
async function lock(folder: string, version: string, signal: AbortSignal): Promise<void> {
	const text = await readFile(join(pinnedN8nFolder, 'package.json'), 'utf8');
	const pinned = z
		.object({ dependencies: z.record(z.string()) })
		.passthrough()
		.parse(JSON.parse(text));
	const dependencies = { ...pinned.dependencies, n8n: version };
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, 'package.json'), JSON.stringify({ ...pinned, dependencies }));
	const quiet = ['--ignore-scripts', '--no-audit', '--no-fund'];
	const args = ['install', '--package-lock-only', '--legacy-peer-deps', ...quiet];
	await npm(args, { cwd: folder, signal });
}
