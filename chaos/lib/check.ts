import { installN8n } from '../../harness/n8n/install.ts';
import { type RunContext, temporaryFolder } from '../../harness/tools/folders.ts';
import { killAllNow } from '../../harness/tools/processes.ts';
import { aborted, runProgram } from '../../harness/tools/program.ts';
import type { Reporter } from '../../harness/tools/terminal.ts';

/** What a check works with. */
export type CheckContext = RunContext & { reporter: Reporter };

/**
 * Installs n8n, checks what it has done, in a temporary folder, and ends the program: with exit code 0 when `check`
 * gives true, 1 when it gives false or throws, 130 after Ctrl-C.
 */
export async function runCheck(
	name: string,
	check: (context: CheckContext) => Promise<boolean>,
): Promise<never> {
	await runProgram(async ({ reporter, cleanup, signal }) => {
		await installN8n({ reporter, signal });
		const folder = await temporaryFolder(name, cleanup);
		// Much of what a check waits for knows no signal: it is not waited for, and what it uses is ended.
		const passed = await Promise.race([check({ reporter, folder, cleanup }), aborted(signal)]);
		signal.throwIfAborted();
		reporter.line(passed === true ? 'All checks passed.' : 'A check FAILED.');
		return passed === true;
	});
	killAllNow();
	process.exit();
}
