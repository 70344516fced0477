import { parseArgs } from 'node:util';
import { Problem } from '../harness/tools/problem.ts';
import type { Effort } from './part.ts';

export interface BenchOptions {
	effort: Effort;
	/** The parts that are wanted. */
	parts: ReadonlySet<string>;
	/** Print the results as JSON, and nothing else. */
	json: boolean;
	/** Put the results into docs/benchmarks.md. */
	write: boolean;
	help: boolean;
}

/** The text of --help. */
export const usageOf = (
	parts: readonly string[],
): string => `Measures this package in a real n8n, beside what one would use without it.

  npm run bench                    all parts, about 12 minutes on 2 cores

  --only PART      one part only, may be given again: ${parts.join(', ')}
  --rounds NUMBER  turns of each contender (default 3)
  --json           print the results as JSON, and nothing else
  --write          put the results into docs/benchmarks.md; all parts only
  --smoke          tiny sizes: shows that everything works, the figures say nothing
  --help           this text`;

/** Reads the command line. Throws a Problem when it makes no sense. */
export function readOptions(args: string[], known: readonly string[]): BenchOptions {
	const usage = usageOf(known);
	const values = parse(args, usage);
	const { only = known, smoke, json, write, help } = values;
	const unknown = only.filter((part) => !known.includes(part));
	if (unknown.length > 0) throw new Problem(`There is no part ${unknown.join(', ')}`, usage);
	const rounds = Number(values.rounds ?? (smoke ? 1 : 3));
	if (!Number.isInteger(rounds) || rounds < 1) {
		throw new Problem(`${values.rounds ?? ''} is no number of rounds`, usage);
	}
	if (write && (smoke || values.only !== undefined)) {
		throw new Problem('--write takes the results of all parts, in full size', usage);
	}
	return {
		effort: { rounds, size: smoke ? 'smoke' : 'full' },
		parts: new Set(only),
		json,
		write,
		help,
	};
}

function parse(args: string[], usage: string) {
	try {
		return parseArgs({
			args,
			options: {
				only: { type: 'string', multiple: true },
				rounds: { type: 'string' },
				smoke: { type: 'boolean', default: false },
				json: { type: 'boolean', default: false },
				write: { type: 'boolean', default: false },
				help: { type: 'boolean', short: 'h', default: false },
			},
		}).values;
	} catch (error) {
		throw new Problem(error instanceof Error ? error.message : String(error), usage);
	}
}
