import {
	commandLine,
	integer,
	InvalidArgumentError,
	Option,
} from '../harness/tools/commandLine.ts';
import { errorMessage } from '../harness/tools/errors.ts';
import type { BenchSize } from './suite.ts';

export interface BenchOptions {
	benchSize: BenchSize;
	/** The parts to measure. */
	parts: ReadonlySet<string>;
	/** Print the results as JSON, and nothing else. */
	json: boolean | undefined;
	/** Put the results into docs/benchmarks.md. */
	write: boolean | undefined;
}

/** Reads the command line. Ends the program after `--help`, and if an option is invalid. */
export function readOptions(args: readonly string[], known: readonly string[]): BenchOptions {
	const command = commandLine(
		'npm run bench --',
		'Measures this package in a real n8n, beside what one would use without it: about 30 minutes on two idle cores.',
	)
		.addOption(new Option('--only <parts...>', 'measure these parts only').choices(known))
		.option(
			'--rows <pattern>',
			'measure the rows whose "setting, contender" matches a regular expression only',
			pattern,
		)
		.option('--rounds <number>', 'runs of each contender (default: 3)', integer(1))
		.option('--json', 'print the results as JSON, and nothing else')
		.option('--write', 'put the results into docs/benchmarks.md and its chart; all parts only')
		.option(
			'--quick',
			'tiny sizes and one round: shows that everything works, the figures say nothing',
		)
		.parse(args, { from: 'user' });
	const { only, rows, quick, rounds = quick ? 1 : 3, json, write } = command.opts();
	if (write && (quick || only !== undefined || rows !== undefined)) {
		command.error('error: --write takes the results of all parts, in full size');
	}
	return {
		benchSize: {
			rounds,
			size: quick ? 'quick' : 'full',
			isWanted: (row) => rows?.test(row) ?? true,
		},
		parts: new Set(only ?? known),
		json,
		write,
	};
}

/** Reads a regular expression that ignores case. */
function pattern(source: string): RegExp {
	try {
		return new RegExp(source, 'i');
	} catch (error) {
		throw new InvalidArgumentError(errorMessage(error));
	}
}
