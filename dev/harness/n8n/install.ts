import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { UserError } from '../tools/errors.ts';
import { npm } from '../tools/npm.ts';
import { n8nFolder, repositoryFolder } from '../tools/paths.ts';
import { type Report, runProgram, seconds } from '../tools/program.ts';
import { n8nIn } from './version.ts';

const { platform, arch } = process;

/** What the package `node` installs on Linux: the program, and the headers of its version. */
const nodePackage = join('node_modules', 'node', 'node_modules', `node-${platform}-${arch}`);

interface InstallOptions {
	report: Report;
	/** Where to install; `dev/n8n/pinned/` by default. */
	folder?: string;
}

/**
 * Makes the node_modules of `folder` match its lock file: a pinned, real n8n with its own Node.js.
 * Does nothing when that is so already. Throws when npm fails.
 */
export async function installN8n({ report, folder = n8nFolder }: InstallOptions): Promise<void> {
	const stamp = join(folder, 'node_modules', '.installed-from');
	const { n8n: version } = n8nIn(folder);
	const wanted = await fingerprint(folder);
	if (existsSync(stamp) && (await readFile(stamp, 'utf8')) === wanted) return;

	const started = performance.now();
	report(
		`Installing n8n ${version} into ${relative(repositoryFolder, folder)}/: about 2 GB; 3 to 5 minutes, more on a busy machine. Only the first run does this.`,
	);
	// The stamp goes first and comes last, so that a broken installation is never taken for a whole one.
	await rm(stamp, { force: true });
	report('Downloading and unpacking: this step takes longest.');
	// Without install scripts, because n8n's dependencies have dozens; only two are needed, below.
	const quiet = ['--ignore-scripts', '--no-audit', '--no-fund'];
	await npm(['ci', '--legacy-peer-deps', ...quiet], { cwd: folder });
	report('Preparing SQLite and Node.js.');
	await npm(['rebuild', 'node'], { cwd: folder });
	// Without them, node-gyp would download the headers from nodejs.org.
	const headers = join(folder, nodePackage);
	const env = existsSync(headers) ? { ...process.env, npm_config_nodedir: headers } : process.env;
	await npm(['rebuild', 'sqlite3'], { cwd: folder, env }).catch((cause: unknown) => {
		throw new UserError(
			"n8n's SQLite could be neither downloaded from GitHub nor compiled.",
			'Make GitHub reachable, or install g++, make and python3; then run it again.',
			{ cause },
		);
	});
	await writeFile(stamp, wanted);
	report(`Installed n8n ${version} in ${seconds(performance.now() - started)}.`);
}

/** A fingerprint of what `folder` asks npm for: its package.json and its lock file. */
async function fingerprint(folder: string): Promise<string> {
	const hash = createHash('sha256');
	for (const file of ['package.json', 'package-lock.json']) {
		hash.update(await readFile(join(folder, file)));
	}
	return hash.digest('hex');
}

if (import.meta.main) {
	await runProgram(({ report }) => installN8n({ report }));
}
