import { once } from 'node:events';

import { errorMessage, UserError } from './errors.ts';
import { killAllNow } from './processes.ts';
import { type Reporter, terminal } from './terminal.ts';

/** What a program ends with after Ctrl-C. */
const interruptedCode = 130;

/** npm passes a terminal's Ctrl-C on to its script, which so gets it twice within moments. */
const echoMs = 500;

/** What a program works with. */
export interface Program {
	reporter: Reporter;
	/** Gets everything that has to be ended or removed, however the program ends. */
	cleanup: AsyncDisposableStack;
	/** Aborts on Ctrl-C. */
	signal: AbortSignal;
}

/**
 * Runs a program, ends what it gave to `cleanup`, and sets the exit code: 0, or 1 when `main` gives false
 * or throws, or 130 after Ctrl-C if `main` has not returned by itself. A second Ctrl-C ends it at once.
 */
export async function runProgram(
	main: (program: Program) => Promise<unknown>,
	stream: NodeJS.WriteStream = process.stdout,
): Promise<void> {
	const reporter = terminal(stream);
	const signal = abortOnInterrupt(reporter);
	try {
		await using cleanup = new AsyncDisposableStack();
		process.exitCode = (await main({ reporter, cleanup, signal })) === false ? 1 : 0;
	} catch (error) {
		process.exitCode = signal.aborted ? interruptedCode : 1;
		if (signal.aborted) return;
		reporter.line(errorMessage(error));
		if (error instanceof UserError) reporter.line(`What to do: ${error.fix}`);
	} finally {
		reporter.end();
	}
}

/** Turns Ctrl-C, and being told to end, into an aborted signal; a second Ctrl-C ends the program at once. */
function abortOnInterrupt(reporter: Reporter): AbortSignal {
	const interrupted = new AbortController();
	let first: number | undefined;
	const handle = () => {
		first ??= performance.now();
		if (!interrupted.signal.aborted) interrupted.abort();
		else if (performance.now() - first > echoMs) {
			killAllNow();
			reporter.end();
			process.exit(interruptedCode);
		}
	};
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, handle);
	return interrupted.signal;
}

/** Resolves when a signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
	if (!signal.aborted) await once(signal, 'abort');
}
