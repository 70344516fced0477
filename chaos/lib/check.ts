import { installN8n } from '../../harness/n8n/install.ts';
import { type RunContext, temporaryFolder } from '../../harness/tools/folders.ts';
import { killAllNow } from '../../harness/tools/processes.ts';
import { aborted, runProgram } from '../../harness/tools/program.ts';
import type { Report } from '../../harness/tools/report.ts';

/** What a check works with. */
export type CheckContext = RunContext & { report: Report };

/**
 * Installs n8n, checks what it has done, in a temporary folder, and ends the program: with exit code 0 when `check`
 * gives true, 1 when it gives false or throws, 130 after Ctrl-C.
 */
export async function runCheck(
	name: string,
	check: (context: CheckContext) => Promise<boolean>,
): Promise<never> {
	await runProgram(async ({ report, cleanup, signal }) => {
		await installN8n({ report, signal });
		const folder = await temporaryFolder(name, cleanup);
		// Much of what a check waits for knows no signal: it is not waited for, and what it uses is ended.
		const passed = await Promise.race([check({ report, folder, cleanup }), aborted(signal)]);
		signal.throwIfAborted();
		report(passed === true ? 'All checks passed.' : 'A check FAILED.');
		return passed === true;
	});
	killAllNow();
	process.exit();
}
