import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { npm } from '../tools/npm.ts';
import { repositoryFolder } from '../tools/paths.ts';

/** This package, packed. */
interface PackedPackage {
	/** The tarball's path. */
	file: string;
	name: string;
	version: string;
	/** How many files it holds. */
	entryCount: number;
	/** The tarball's size in bytes. */
	size: number;
}

/** As npm tells of it. */
type Packed = Omit<PackedPackage, 'file'> & { filename: string };

/** Names a package, as JSON, that was packed before and is to be used instead of another one. */
export const packedVariable = 'CARD_PLATFORM_PACKED';

let packing: Promise<PackedPackage> | undefined;

/**
 * Builds this package and packs it into `folder`, as `npm publish` would; once per process, and once per
 * test run, as tests set {@link packedVariable}. Throws if npm fails.
 */
export async function pack(folder: string, signal?: AbortSignal): Promise<PackedPackage> {
	const packedBefore = process.env[packedVariable];
	if (packedBefore !== undefined) return JSON.parse(packedBefore) as PackedPackage;
	return (packing ??= runPack({ cwd: repositoryFolder, signal }, folder));
}

async function runPack(at: Parameters<typeof npm>[1], folder: string): Promise<PackedPackage> {
	// npm builds before it packs; this way it does not print the build's output before the JSON.
	const quiet = ['--json', '--no-foreground-scripts'];
	const output = await npm(['pack', ...quiet, '--pack-destination', folder], at);
	const [{ filename, name, version, entryCount, size }] = JSON.parse(output) as [Packed];
	return { file: join(folder, filename), name, version, entryCount, size };
}

/**
 * Installs a tarball for the n8n of `userFolder`, into the folder that n8n itself installs community
 * packages to. Throws if npm fails.
 */
async function install(tarball: string, userFolder: string, signal?: AbortSignal): Promise<void> {
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
	await npm(['install', '--legacy-peer-deps', ...quiet, tarball], { cwd: folder, signal });
}

/** Packs this package and installs it for the n8n of `userFolder`. Throws if npm fails. */
export async function packAndInstall(
	userFolder: string,
	signal?: AbortSignal,
): Promise<PackedPackage> {
	await mkdir(userFolder, { recursive: true });
	const packed = await pack(userFolder, signal);
	await install(packed.file, userFolder, signal);
	return packed;
}
