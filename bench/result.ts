import type { Summary } from './statistics.ts';

/** Units that figures come in; KB are 10³ bytes, MB 10⁶. */
export type Unit =
	'ms' | '/s' | 'µs' | 'KB' | 'MB' | 'requests' | 'records' | 'connections' | '×' | '%';

/** One thing that was measured, over all rounds. */
export interface Figure extends Summary {
	/** What was varied, e.g. "20 ms latency"; figures of one setting stand together. */
	setting: string;
	/** Who did the work. */
	contender: string;
	/** What was measured of it, e.g. "whole workflow". */
	measure: string;
	unit: Unit;
}

/** A ratio of medians that we want to reach. */
export interface Goal {
	/** What is compared, in words. */
	says: string;
	value: number;
	bound: 'at least' | 'at most';
	wanted: number;
	met: boolean;
}

/** What one part of the bench found out. */
export interface PartResult {
	/** As `--only` names it. */
	name: string;
	title: string;
	/** How it was done, in a sentence or two. */
	about: string;
	/** The contender that the others are compared with, and by what. */
	reference: Pick<Figure, 'contender' | 'measure'>;
	/** A picture of the reference's measure: its file in docs/, and a title. */
	chart?: { file: string; title: string };
	figures: Figure[];
	goals: Goal[];
}

/** A goal, with what was reached. */
export function goal(
	says: string,
	value: number,
	bound: 'at least' | 'at most',
	wanted: number,
): Goal {
	const met = bound === 'at least' ? value >= wanted : value <= wanted;
	return { says, value, bound, wanted, met };
}

/** A figure that was not measured, or not in this run. */
class NotMeasured extends Error {}

/** The goals whose figures were measured: a run of some rows has not got all. */
export function goalsOf(...goals: (() => Goal)[]): Goal[] {
	return goals.flatMap((compute) => {
		try {
			return [compute()];
		} catch (error) {
			if (error instanceof NotMeasured) return [];
			throw error;
		}
	});
}

/** The median of a figure. Throws when it was not measured. */
export function medianOf(
	figures: readonly Figure[],
	setting: string,
	contender: string,
	measure: string,
): number {
	const found = figures.find(
		(each) => each.setting === setting && each.contender === contender && each.measure === measure,
	);
	if (found === undefined) {
		throw new NotMeasured(`This was not measured: ${setting}, ${contender}, ${measure}`);
	}
	return found.median;
}
