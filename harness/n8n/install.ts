import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { countUnpacked, fingerprint, lockedPackages } from './lockFile.ts';
import { n8nIn } from './version.ts';
import { npm } from '../tools/npm.ts';
import { n8nFolder, repositoryFolder } from '../tools/paths.ts';
import { errorMessage } from '../tools/errors.ts';
import { abortOnInterrupt } from '../tools/program.ts';
import { seconds, type Reporter, terminal, withProgress } from '../tools/terminal.ts';

export interface InstallOptions {
	reporter: Reporter;
	/** Ends the installation; what is half done is done again the next time. */
	signal?: AbortSignal | undefined;
	/** Where to install; `n8n/`, unless told. */
	folder?: string;
}

export interface Installed {
	/** The version of n8n. */
	version: string;
	/** Whether it was there already. */
	reused: boolean;
}

/**
 * Makes the node_modules of `folder` match its lock file: a pinned, real n8n with its own Node.js.
 * Does nothing when that is so already. Throws when npm fails.
 */
export async function installN8n({
	reporter,
	signal,
	folder = n8nFolder,
}: InstallOptions): Promise<Installed> {
	const stamp = join(folder, 'node_modules', '.installed-from');
	const { n8n: version } = n8nIn(folder);
	const wanted = await fingerprint(folder);
	if (existsSync(stamp) && (await readFile(stamp, 'utf8')) === wanted) {
		return { version, reused: true };
	}

	const started = performance.now();
	reporter.line(
		`Installing n8n ${version} into ${relative(repositoryFolder, folder)}/: about 2 GB, 3 to 5 minutes. Only the first run does this.`,
	);
	// The stamp goes first and comes last, so that a broken installation is never taken for a whole one.
	await rm(stamp, { force: true });
	const packages = await lockedPackages(folder);
	await withProgress(
		() =>
			reporter.progress(
				`  ${countUnpacked(folder, packages)} of ${packages.length} packages, ${seconds(performance.now() - started)}`,
			),
		async () => {
			// Without install scripts, because n8n's dependencies have dozens; only two are needed, below.
			const quiet = ['--ignore-scripts', '--no-audit', '--no-fund'];
			await npm(['ci', '--legacy-peer-deps', ...quiet], { cwd: folder, signal });
		},
	);
	await withProgress(
		() =>
			reporter.progress(`  preparing SQLite and Node.js, ${seconds(performance.now() - started)}`),
		async () => {
			await npm(['rebuild', 'sqlite3', 'node'], { cwd: folder, signal });
		},
	);
	await writeFile(stamp, wanted);
	reporter.line(`Installed n8n ${version} in ${seconds(performance.now() - started)}.`);
	return { version, reused: false };
}

if (import.meta.main) {
	const signal = abortOnInterrupt();
	try {
		await installN8n({ reporter: terminal(), signal });
	} catch (error) {
		console.error(
			signal.aborted ? 'Stopped. The next run installs it from the start.' : errorMessage(error),
		);
		process.exitCode = 1;
	}
}
