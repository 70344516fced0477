import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { temporaryFolder } from '../../../dev/harness/tools/folders.ts';
import { repositoryFolder } from '../../../dev/harness/tools/paths.ts';
import { startProcess, stopProcess } from '../../../dev/harness/tools/processes.ts';
import { waitUntil } from '../../../dev/harness/tools/waiting.ts';
import { usePackedPackage } from './shared.ts';

/** A folder for the tests of a file, and what runs scripts of dev/demo/ that keep all they write in it; they end after the last test. */
export function useScripts() {
	const cleanup = new AsyncDisposableStack();
	let folder: string;
	beforeAll(async () => {
		await usePackedPackage();
		folder = await temporaryFolder('scripts', cleanup);
	});
	afterAll(() => cleanup.disposeAsync(), 180_000);
	jest.setTimeout(900_000);

	/** Runs a script. */
	const start = (script: string, ...args: string[]) => {
		let output = '';
		const file = join(repositoryFolder, 'dev', 'demo', script);
		const run: ChildProcess = startProcess(process.execPath, [file, ...args], {
			onOutput: (text) => (output += text),
			env: { ...process.env, TZ: 'Asia/Kolkata', TMPDIR: folder },
		});
		cleanup.defer(() => stopProcess(run));
		return {
			output: () => output,
			/** Waits for something that it prints. */
			printed: (text: string) =>
				waitUntil(
					() => {
						if (run.exitCode !== null) throw new Error(`It ended: ${output}`);
						return output.includes(text);
					},
					{ what: text, withinMs: 600_000 },
				),
			/** Presses Ctrl-C, unless it ends by itself; returns the exit code. */
			end: async (signal?: 'SIGINT') => {
				const closed = once(run, 'close');
				if (signal) run.kill(signal);
				await closed;
				return run.exitCode;
			},
		};
	};
	return { start, folder: () => folder };
}
