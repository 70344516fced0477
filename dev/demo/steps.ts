import { join } from 'node:path';

import { installN8n } from '../harness/n8n/install.ts';
import { packAndInstall } from '../harness/n8n/package.ts';
import type { N8nProcess } from '../harness/n8n/process.ts';
import { errorMessage, UserError } from '../harness/tools/errors.ts';
import type { RunContext } from '../harness/tools/folders.ts';
import { type Report, seconds } from '../harness/tools/program.ts';

// What `npm run demo` and `npm start` share.

/** Where the sandbox and n8n usually are. */
export const usualPorts = { sandbox: 4010, n8n: 5678 };

/** Runs a part of a run: reports its title, and how long it took. Throws a {@link UserError} when it fails. */
type RunStep = <T>(title: string, work: () => Promise<T>, fix?: string) => Promise<T>;

/** Numbers the steps of a run; `usualFix` is what to do when one fails for a reason that does not say so itself. */
export function stepsOf(report: Report, usualFix: string): RunStep {
	let number = 0;
	return async (title, work, fix = usualFix) => {
		const started = performance.now();
		report(`\n${++number}. ${title}`);
		const result = await work().catch((error: unknown) => {
			const whatToDo = error instanceof UserError ? error.fix : fix;
			throw new UserError(`\nStep ${number} failed: ${errorMessage(error)}`, whatToDo);
		});
		report(`   (${seconds(performance.now() - started)})`);
		return result;
	};
}

/** The first two steps: installs n8n, and this package for the n8n of the run. */
export async function installationSteps(
	report: Report,
	step: RunStep,
	{ folder }: RunContext,
): Promise<void> {
	const fix =
		'Check that npm reaches its registry, that GitHub is reachable or a C++ compiler is there (for SQLite), and that 3 GB of disk are free; then run it again.';
	await step('n8n in dev/n8n/pinned/', () => installN8n({ report }), fix);
	await step('The package, as n8n installs it', () => packAndInstall(join(folder, 'n8n')), fix);
}

/** Stays up until Ctrl-C, which is no failure then. Throws when n8n ends before. */
export async function stayUp(n8n: N8nProcess): Promise<never> {
	process.exitCode = 0;
	await n8n.exited();
	throw new UserError('n8n ended by itself.', `Read ${n8n.logFile}.`);
}
