import { errorMessage, UserError } from '../harness/tools/errors.ts';
import { type Reporter, seconds, withProgress } from '../harness/tools/terminal.ts';

/** A part of a run. */
export interface Step<T> {
	work: () => Promise<T>;
	/** What to do when it fails for a reason that does not say so itself. */
	fix: string;
	/** What came of it. */
	lines: (result: T) => string[];
	/** The work tells by itself how far it is. */
	showsProgress?: boolean;
}

/** Runs a step: tells its title, what came of it and how long it took. Throws a {@link UserError} when it fails. */
export type RunStep = <T>(title: string, step: Step<T>) => Promise<T>;

/** Numbers the steps of a run and tells them to `reporter`. */
export function stepsOf(reporter: Reporter): RunStep {
	let number = 0;
	return async (title, { work, fix, lines: linesOf, showsProgress = false }) => {
		const started = performance.now();
		const elapsed = () => seconds(performance.now() - started);
		reporter.line();
		reporter.line(`${++number}. ${title}`);
		const result = await (
			showsProgress
				? work()
				: withProgress(() => reporter.progress(`   … still at it, ${elapsed()}`), work)
		).catch((error: unknown) => {
			const whatToDo = error instanceof UserError ? error.fix : fix;
			throw new UserError(`Step ${number} failed: ${errorMessage(error)}`, whatToDo);
		});
		for (const line of linesOf(result)) reporter.line(`   ${line}`);
		reporter.line(`   (${elapsed()})`);
		return result;
	};
}
