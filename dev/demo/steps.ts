import { join } from 'node:path';

import { installN8n } from '../harness/n8n/install.ts';
import { packAndInstall } from '../harness/n8n/package.ts';
import type { N8nProcess } from '../harness/n8n/process.ts';
import { integer } from '../harness/tools/commandLine.ts';
import { assert, errorMessage, UserError } from '../harness/tools/errors.ts';
import type { RunContext } from '../harness/tools/folders.ts';
import { aborted } from '../harness/tools/program.ts';
import { type Report, seconds } from '../harness/tools/report.ts';

// What `npm run demo` and `npm start` share.

/** Where the sandbox usually is, and what chooses another port. */
export const usualSandboxPort = { usual: 4010, flag: '--sandbox-port' };

/** Where n8n usually is, and what chooses another port. */
export const usualN8nPort = { usual: 5678, flag: '--n8n-port' };

/** Reads an option that is a port. */
export const portOption = integer(1, 65_535);

/** A part of a run. */
interface Step<T> {
	work: () => Promise<T>;
	/** What to do when it fails for a reason that does not say so itself. */
	fix: string;
	/** What came of it. */
	lines: (result: T) => string[];
}

/** Runs a step: tells its title, what came of it and how long it took. Throws a {@link UserError} when it fails. */
type RunStep = <T>(title: string, step: Step<T>) => Promise<T>;

/** Numbers the steps of a run and tells them to `report`. */
export function stepsOf(report: Report): RunStep {
	let number = 0;
	return async (title, { work, fix, lines }) => {
		const started = performance.now();
		report(`\n${++number}. ${title}`);
		const result = await work().catch((error: unknown) => {
			const whatToDo = error instanceof UserError ? error.fix : fix;
			throw new UserError(`\nStep ${number} failed: ${errorMessage(error)}`, whatToDo);
		});
		for (const line of lines(result)) report(`   ${line}`);
		report(`   (${seconds(performance.now() - started)})`);
		return result;
	};
}

/** The first two steps: installs n8n, and this package for the n8n of the run. */
export async function installationSteps(
	report: Report,
	step: RunStep,
	{ folder, signal }: RunContext,
): Promise<void> {
	await step('n8n in dev/n8n/pinned/', {
		work: () => installN8n({ report, signal }),
		fix: 'Check that npm reaches its registry, that GitHub is reachable or a C++ compiler is there (for SQLite), and that 3 GB of disk are free; then run it again.',
		lines: (version) => [`n8n ${version}`],
	});
	await step('The package, as n8n installs it', {
		work: () => packAndInstall(join(folder, 'n8n'), signal),
		fix: 'Run `npm run build` and `npm pack` by themselves and see what they say.',
		lines: ({ name, version, entryCount, size }) => [
			`${name}-${version}.tgz, ${entryCount} files, ${(size / 1000).toFixed(0)} kB, installed as a community package`,
		],
	});
}

/** Waits for Ctrl-C. Throws, with `fix`, when n8n ends before. */
export async function stayUp(n8n: N8nProcess, signal: AbortSignal, fix: string): Promise<void> {
	await Promise.race([n8n.exited(), aborted(signal)]);
	assert(signal.aborted, 'n8n ended by itself', fix);
}
