import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { eventually } from '../../../dev/harness/tools/waiting.ts';

const CLI = join(__dirname, '../../../sandbox/cli.ts');
const STDIO: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];

interface RunningCli {
	process: ChildProcess;
	output(): { stdout: string; stderr: string };
	/** Waits until it has ended; gives its exit code, or the signal that ended it. */
	ended: Promise<number | string>;
	/** Waits until it has greeted; gives the address without a path. */
	url(): Promise<string>;
}

const running = new Set<ChildProcess>();
const folders = new Set<string>();

afterEach(() => {
	for (const child of running) child.kill('SIGKILL');
	running.clear();
	for (const folder of folders) rmSync(folder, { recursive: true, force: true });
	folders.clear();
});

/** Starts `sandbox/cli.ts` as a separate process; it is killed after the test. */
export const runCli = (...args: string[]): RunningCli => runCliAfter('', ...args);

/** As runCli, in a Node that runs a piece of code first. */
export function runCliAfter(code: string, ...args: string[]): RunningCli {
	const options = ['--import', `data:text/javascript,${code}`];
	const child = spawn(process.execPath, [...options, CLI, ...args], { stdio: STDIO });
	running.add(child);
	let [stdout, stderr] = ['', ''];
	child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
	child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
	return {
		process: child,
		output: () => ({ stdout, stderr }),
		ended: once(child, 'close').then(() => child.exitCode ?? String(child.signalCode)),
		url: () =>
			eventually(() => {
				const [, url] = /(http:\/\/[^\s"]+)\/v1\/public/.exec(stdout) ?? [];
				if (url === undefined) throw new Error(`the sandbox did not greet: ${stdout}${stderr}`);
				return url;
			}),
	};
}

/** Makes a folder that is removed after the test; gives the path of a file in it. */
export function temporaryFile(name: string): string {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
	folders.add(folder);
	return join(folder, name);
}
