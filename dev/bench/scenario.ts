import type { RunContext } from '../harness/tools/folders.ts';
import type { Report } from '../harness/tools/program.ts';

/** What scenarios get from the runner. */
export interface BenchContext extends RunContext {
	/** Tells what is going on. */
	report: Report;
}

/** One thing that the bench measures. */
export interface Scenario {
	/** As `--only` names it. */
	name: string;
	/** Starts what it needs. */
	plan: (context: BenchContext) => Promise<Plan>;
}

/** What a scenario runs, and what it reports. */
interface Plan {
	title: string;
	/** How it is done, in a sentence or two. */
	about: string;
	/** How often each contender runs. */
	rounds: number;
	/** Runs each contender once more before, without a measurement. */
	warmUp?: boolean;
	/** The columns of the table, with their units; contenders are compared by the first. */
	measures: readonly string[];
	/** The contender that the others are compared with. */
	reference: string;
	contenders: readonly Contender[];
	goals: (medianOf: MedianOf) => Goal[];
}

/** Values of one run, by the names of the measures. A measure that a run does not have is left out. */
export type Measures = Record<string, number>;

/** Something that does the work of a scenario. */
export interface Contender {
	/** What is varied, e.g. "20 ms latency"; contenders of the same setting are compared. */
	setting: string;
	name: string;
	/** Does the work once. Throws if the work was not done right. */
	run: () => Promise<Measures>;
}

/** Median and spread of the rounds. */
interface Summary {
	median: number;
	min: number;
	max: number;
}

/** What a contender measured. */
export interface Row extends Pick<Contender, 'setting' | 'name'> {
	measures: Partial<Record<string, Summary>>;
}

/** Looks up a median. Throws if it was not measured. */
type MedianOf = (setting: string, contender: string, measure: string) => number;

/** A ratio of medians, or a median, that we want to reach. */
export interface Goal {
	/** What is compared, in words. */
	says: string;
	value: number;
	bound: 'at least' | 'at most';
	wanted: number;
}

/** What came of a scenario. */
export interface Result extends Omit<Plan, 'contenders' | 'goals'> {
	name: string;
	rows: Row[];
	goals: Goal[];
}

/** Starts something for the first scenario that needs it; the others get the same. */
export function shared<T>(
	start: (context: BenchContext) => Promise<T>,
): (context: BenchContext) => Promise<T> {
	let started: Promise<T> | undefined;
	return (context) => (started ??= start(context));
}

/** Measures a scenario. Throws if a contender does not do its work. */
export async function measure({ name, plan }: Scenario, context: BenchContext): Promise<Result> {
	const { contenders, goals, ...about } = await plan(context);
	const rows = await runInterleaved(contenders, about, (text) =>
		context.report(`${name}: ${text}`),
	);
	const medianOf: MedianOf = (setting, contender, column) => {
		const row = rows.find((each) => each.setting === setting && each.name === contender);
		const summary = row?.measures[column];
		if (!summary) throw new Error(`This was not measured: ${setting}, ${contender}, ${column}`);
		return summary.median;
	};
	return { name, ...about, rows, goals: goals(medianOf) };
}

/**
 * Lets contenders take turns (A B C, A B C …), so that other work of the machine affects all of them
 * alike.
 */
async function runInterleaved(
	contenders: readonly Contender[],
	{ rounds, warmUp = false, measures }: Pick<Plan, 'rounds' | 'warmUp' | 'measures'>,
	report: Report,
): Promise<Row[]> {
	const turns = contenders.map((contender) => ({ contender, runs: new Array<Measures>() }));
	for (let round = warmUp ? 0 : 1; round <= rounds; round++) {
		for (const { contender, runs } of turns) {
			report(`${contender.setting}, ${contender.name}, round ${round} of ${rounds}`);
			const run = await contender.run();
			if (round > 0) runs.push(run);
		}
	}
	return turns.map(({ contender: { setting, name }, runs }) => ({
		setting,
		name,
		measures: Object.fromEntries(
			measures.map((column) => [column, summarize(runs.flatMap((run) => run[column] ?? []))]),
		),
	}));
}

function summarize(values: readonly number[]): Summary | undefined {
	if (values.length === 0) return undefined;
	return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** The middle of some numbers, or the mean of the two in the middle; NaN of none. */
function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = (sorted.length - 1) / 2;
	return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}
