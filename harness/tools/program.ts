import { errorMessage, UserError } from './errors.ts';
import { onInterrupt } from './interruption.ts';
import { killAllNow } from './processes.ts';
import type { Reporter } from './terminal.ts';

/** What a program ends with after Ctrl-C. */
export const interruptedCode = 130;

/**
 * Turns Ctrl-C into an aborted signal. A second Ctrl-C ends the program at once, with all that it has
 * started; `remove` takes away what it wrote, without waiting.
 */
export function abortOnInterrupt(remove?: () => void): AbortSignal {
	return onInterrupt(() => {
		killAllNow();
		remove?.();
		process.exit(interruptedCode);
	});
}

/** Says what went wrong, and what to do where a person can do something about it. */
export function reportFailure(reporter: Reporter, error: unknown): void {
	reporter.line(errorMessage(error));
	if (error instanceof UserError) reporter.line(`What to do: ${error.fix}`);
}

/** Runs a program; gives its exit code: 0, 1 when it failed and `failed` was told, 130 after Ctrl-C. */
export async function exitCodeOf(
	run: () => Promise<void> | void,
	signal: AbortSignal,
	failed: (error: unknown) => void,
): Promise<number> {
	try {
		await run();
		return 0;
	} catch (error) {
		if (signal.aborted) return interruptedCode;
		failed(error);
		return 1;
	}
}
