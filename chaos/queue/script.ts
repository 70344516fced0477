import { Cleanup } from '../../harness/tools/cleanup.ts';
import { errorMessage } from '../../harness/tools/errors.ts';
import { abortOnInterrupt, interruptedCode, reportFailure } from '../../harness/tools/program.ts';
import { type Reporter, terminal } from '../../harness/tools/terminal.ts';

/** What a script works with. */
export interface Script {
	reporter: Reporter;
	/** Gets everything that has to be ended or removed, however the script ends. */
	cleanup: Cleanup;
}

/**
 * Runs a script that proves something, cleans up after it, and ends the program: with 0 when `prove` gives
 * true, 1 when it gives false or throws, 130 after Ctrl-C. A second Ctrl-C ends at once.
 */
export async function runScript(prove: (script: Script) => Promise<boolean>): Promise<never> {
	const [reporter, cleanup] = [terminal(), new Cleanup()];
	const signal = abortOnInterrupt();
	const interrupted = new Promise<number>((resolve) => {
		signal.addEventListener('abort', () => resolve(interruptedCode), { once: true });
	});
	const proved = prove({ reporter, cleanup }).then(
		(isKept) => (isKept ? 0 : 1),
		(error: unknown) => {
			if (!signal.aborted) reportFailure(reporter, error);
			return 1;
		},
	);
	const code = await Promise.race([proved, interrupted]);
	await cleanup.run().catch((error: unknown) => reporter.line(errorMessage(error)));
	process.exit(code);
}
