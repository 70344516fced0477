import { once } from 'node:events';

import { errorMessage, UserError } from './errors.ts';
import { killAllNow } from './processes.ts';
import type { Report } from './report.ts';

/** What a program ends with after Ctrl-C. */
const interruptedCode = 130;

/** npm passes a terminal's Ctrl-C on to its script, which so gets it twice within moments. */
const echoMs = 500;

/** What a program works with. */
export interface Program {
	report: Report;
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
	const report: Report = (line = '') => void stream.write(`${line}\n`);
	const signal = abortOnInterrupt();
	try {
		await using cleanup = new AsyncDisposableStack();
		process.exitCode = (await main({ report, cleanup, signal })) === false ? 1 : 0;
	} catch (error) {
		process.exitCode = signal.aborted ? interruptedCode : 1;
		if (signal.aborted) return;
		report(errorMessage(error));
		if (error instanceof UserError) report(`What to do: ${error.fix}`);
	}
}

/** Turns Ctrl-C, and being told to end, into an aborted signal; a second Ctrl-C ends the program at once. */
function abortOnInterrupt(): AbortSignal {
	const interrupted = new AbortController();
	let first: number | undefined;
	const handle = () => {
		first ??= performance.now();
		if (!interrupted.signal.aborted) interrupted.abort();
		else if (performance.now() - first > echoMs) {
			killAllNow();
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
