import type { RunContext } from '../harness/tools/folders.ts';
import type { Report } from '../harness/tools/program.ts';

/** What scenarios get from the runner. */
export interface BenchContext extends RunContext {
	report: Report;
}

/** What a scenario runs, and what it reports. */
export interface Scenario {
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

/** Something that does the work of a scenario. */
export interface Contender {
	/** What is varied, e.g. "20 ms latency"; contenders of the same setting are compared. */
	setting: string;
	name: string;
	/**
	 * Does the work once. Returns values by the names of the measures; one that this run does not have is left out.
	 * Throws if the work was not done right.
	 */
	run: () => Promise<Record<string, number>>;
}

interface Summary {
	median: number;
	min: number;
	max: number;
}

export interface Row extends Pick<Contender, 'setting' | 'name'> {
	measures: Partial<Record<string, Summary>>;
}

/** Looks up a median; NaN if it was not measured. */
export type MedianOf = (setting: string, contender: string, measure: string) => number;

/** A ratio of medians, or a median, that we want to reach. */
export interface Goal {
	/** What is compared, in words. */
	says: string;
	value: number;
	bound: 'at least' | 'at most';
	wanted: number;
}

export interface Result extends Scenario {
	name: string;
	rows: Row[];
}

/**
 * Measures a scenario. Contenders take turns (A B C, A B C …), so that other work of the machine affects all of them
 * alike. Throws if one does not do its work.
 */
export async function measure(name: string, scenario: Scenario, report: Report): Promise<Result> {
	const { contenders, rounds, warmUp = false, measures } = scenario;
	const turns = contenders.map((contender) => ({
		contender,
		runs: new Array<Record<string, number>>(),
	}));
	for (let round = warmUp ? 0 : 1; round <= rounds; round++) {
		for (const { contender, runs } of turns) {
			report(`${name}: ${contender.setting}, ${contender.name}, round ${round} of ${rounds}`);
			const run = await contender.run();
			if (round > 0) runs.push(run);
		}
	}
	const rows = turns.map(({ contender, runs }) => ({
		setting: contender.setting,
		name: contender.name,
		measures: Object.fromEntries(
			measures.map((column) => [column, summarize(runs.flatMap((run) => run[column] ?? []))]),
		),
	}));
	return { ...scenario, name, rows };
}

function summarize(values: readonly number[]): Summary | undefined {
	if (values.length === 0) return undefined;
	const sorted = values.toSorted((a, b) => a - b);
	// Of an even number, the mean of the two in the middle.
	const middle = (sorted.length - 1) / 2;
	const [low = NaN, high = NaN] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
	return { median: (low + high) / 2, min: Math.min(...values), max: Math.max(...values) };
}
