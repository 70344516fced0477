import { once } from 'node:events';

import { errorMessage, UserError } from './errors.ts';
import { killAll, killCommands } from './processes.ts';

/** What a program ends with after Ctrl-C. */
const interruptedCode = 130;

/** Tells a person what is going on, line by line. */
export type Report = (line: string) => void;

export interface Program {
	report: Report;
	/** Gets everything that has to be ended or removed, however the program ends. */
	cleanup: AsyncDisposableStack;
	/** Aborts on Ctrl-C. What `main` waits for need not know it. */
	signal: AbortSignal;
}

/**
 * Runs a program, ends what it gave to `cleanup`, and exits: with 0, or with 1 when `main` gives false or throws. On
 * Ctrl-C, `main` is not waited for, and the code is 130, unless `main` has set `process.exitCode`. A
 * second Ctrl-C ends everything at once.
 */
export async function runProgram(main: (program: Program) => Promise<unknown>): Promise<void> {
	const report: Report = (line) => void process.stdout.write(`${line}\n`);
	const interrupt = new AbortController();
	const { signal } = interrupt;
	let first = Infinity;
	const onSignal = () => {
		// npm passes Ctrl-C on, so that one comes twice within moments.
		if (performance.now() - first > 500) {
			killAll();
			process.exit(interruptedCode);
		}
		first = Math.min(first, performance.now());
		interrupt.abort();
	};
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
	try {
		await using cleanup = new AsyncDisposableStack();
		const running = main({ report, cleanup, signal });
		const result = await Promise.race([running, once(signal, 'abort')]);
		if (signal.aborted) {
			process.exitCode ??= interruptedCode;
			killCommands();
		} else process.exitCode = result === false ? 1 : 0;
	} catch (error) {
		process.exitCode = 1;
		report(errorMessage(error));
		if (error instanceof UserError) report(`What to do: ${error.fix}`);
	}
	// What an interrupted `main` has started since.
	killAll();
	process.exit();
}

/** A time in seconds, with one decimal, from milliseconds: "12.3 s". */
export function seconds(ms: number): string {
	return `${(ms / 1000).toFixed(1)} s`;
}
