import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { npm } from '../tools/npm.ts';
import { repositoryFolder } from '../tools/paths.ts';

/** Names a tarball that was packed before and is to be used instead of another one. */
export const packedVariable = 'CARD_PLATFORM_PACKED';

let packing: Promise<string> | undefined;

/**
 * Builds this package and packs it into `folder`, as `npm publish` would; once per process, and once per
 * test run, as tests set {@link packedVariable}. Returns the tarball's path; throws if npm fails.
 */
export async function pack(folder: string): Promise<string> {
	return process.env[packedVariable] ?? (packing ??= runPack(folder));
}

async function runPack(folder: string): Promise<string> {
	// npm builds before it packs; this way it does not print the build's output before the JSON.
	const quiet = ['--json', '--no-foreground-scripts'];
	const output = await npm(['pack', ...quiet, '--pack-destination', folder], {
		cwd: repositoryFolder,
	});
	const [{ filename }] = JSON.parse(output) as [{ filename: string }];
	return join(folder, filename);
}

/**
 * Installs a tarball for the n8n of `userFolder`, into the folder that n8n itself installs community
 * packages to. Throws if npm fails.
 */
async function install(tarball: string, userFolder: string): Promise<void> {
	const folder = join(userFolder, '.n8n', 'nodes');
	await mkdir(folder, { recursive: true });
	const file = join(folder, 'package.json');
	// Another one lists what else is installed, which npm would remove.
	if (!existsSync(file)) {
		await writeFile(
			file,
			JSON.stringify({ name: 'installed-nodes', private: true, dependencies: {} }),
		);
	}
	const quiet = ['--ignore-scripts', '--no-audit', '--no-fund'];
	await npm(['install', '--legacy-peer-deps', ...quiet, tarball], { cwd: folder });
}

/** Packs this package and installs it for the n8n of `userFolder`. Throws if npm fails. */
export async function packAndInstall(userFolder: string): Promise<void> {
	await mkdir(userFolder, { recursive: true });
	await install(await pack(userFolder), userFolder);
}
