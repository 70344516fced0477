import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { type Browser, chromium, selectors } from 'playwright-core';

import { repositoryFolder } from '../tools/paths.ts';
import { runProcess } from '../tools/processes.ts';

/** Holds the unpacked Chromium; npm removes it with the package when it installs another. */
const unpacked = join(repositoryFolder, 'node_modules', '@sparticuz', 'chromium', 'unpacked');

// The package is ESM only, which jest cannot load; a separate Node.js process can.
const UNPACK = `import chromium from '@sparticuz/chromium';
await chromium.executablePath();`;

/** Where Linux looks for libraries. First the machine's: Chromium's are made for glibc 2.34 or later. */
const libraryFolders = ['/usr/lib/x86_64-linux-gnu', '/usr/lib64', join(unpacked, 'al2023', 'lib')];

/**
 * The editor asks npm about community nodes; nothing may depend on what the internet says. Not by routes of the browser's
 * context: they would switch off its cache, and the editor is some ten megabytes.
 */
const ONLY_THIS_MACHINE =
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1';

/** Far more than any answer of a page takes, even on a busy machine, in milliseconds. */
export const timeoutMs = 60_000;

/**
 * Starts the Chromium that `npm ci` brings, with its libraries and its font for a machine without, and
 * without its calls home. Throws when it cannot run here.
 * The arguments that its package proposes are left out: they would switch web security off.
 */
export async function startBrowser(): Promise<Browser> {
	if (!existsSync(unpacked)) await unpack();
	// The attribute that n8n's editor marks its parts with; `getByTestId` looks for it.
	selectors.setTestIdAttribute('data-test-id');
	return chromium.launch({
		executablePath: join(unpacked, 'chromium'),
		args: ['--disable-background-networking', '--no-proxy-server', ONLY_THIS_MACHINE],
		env: {
			...process.env,
			LD_LIBRARY_PATH: libraryFolders.join(':'),
			// Its folder `fonts` is searched after the machine's, by every configuration of fonts.
			XDG_DATA_HOME: unpacked,
		},
	});
}

/** Unpacks Chromium. Several processes may do so at once: each in a folder that gets its name when it is whole. */
async function unpack(): Promise<void> {
	const { platform, arch } = process;
	if (`${platform} ${arch}` !== 'linux x64') {
		throw new Error(
			`The browser needs Linux on x64, e.g. in a container; this is ${platform} on ${arch}.`,
		);
	}
	const folder = await mkdtemp(`${unpacked}-`);
	await runProcess(process.execPath, ['--input-type=module', '--eval', UNPACK], {
		cwd: import.meta.dirname,
		// The package unpacks to TMPDIR, and its libraries only where it believes to run on AWS Lambda.
		env: { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' },
	});
	await rename(folder, unpacked).catch(() => rm(folder, { recursive: true, force: true }));
}
