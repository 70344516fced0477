import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npm } from '../tools/npm.ts';
import { repositoryFolder } from '../tools/paths.ts';
import { z } from 'zod';

export interface PackedNode {
	/** The tarball's path. */
	file: string;
	name: string;
	version: string;
	/** How many files it holds. */
	fileCount: number;
	/** The tarball's size in bytes. */
	size: number;
}

const packSchema = z
	.array(
		z.object({
			filename: z.string(),
			name: z.string(),
			version: z.string(),
			entryCount: z.number(),
			size: z.number(),
		}),
	)
	.length(1);

/** Builds the package and packs it into `folder`, as `npm publish` would. Throws when npm fails. */
export async function buildAndPack(folder: string, signal?: AbortSignal): Promise<PackedNode> {
	const at = { cwd: repositoryFolder, signal };
	await npm(['run', 'build'], at);
	const answer = await npm(['pack', '--json', '--pack-destination', folder], at);
	const [packed] = packSchema.parse(JSON.parse(answer));
	if (packed === undefined) throw new Error('npm pack made no package');
	const { filename, name, version, entryCount, size } = packed;
	return { file: join(folder, filename), name, version, fileCount: entryCount, size };
}

/**
 * Installs a tarball for the n8n of `userFolder`, into the folder that n8n itself installs community
 * packages to. Throws when npm fails.
 */
export async function installIntoN8n(
	tarball: string,
	userFolder: string,
	signal?: AbortSignal,
): Promise<void> {
	const folder = join(userFolder, '.n8n', 'nodes');
	await mkdir(folder, { recursive: true });
	await writeFile(
		join(folder, 'package.json'),
		JSON.stringify({ name: 'installed-nodes', private: true, dependencies: {} }),
	);
	const quiet = ['--ignore-scripts', '--no-audit', '--no-fund'];
	await npm(['install', '--legacy-peer-deps', ...quiet, tarball], { cwd: folder, signal });
}
