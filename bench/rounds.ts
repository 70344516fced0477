import { type Figure, type Unit } from './result.ts';
import { summarize } from './statistics.ts';

/** Something that one contender does, and what it measures each time. */
export interface Contender {
	setting: string;
	name: string;
	/** Does the work once; gives its measures by name. Throws when the work was not done right. */
	run: () => Promise<Record<string, number>>;
}

/** How often contenders run, and which of them. */
export interface Rounds {
	rounds: number;
	/** Tells which rows are wanted, by setting and contender; all by default. */
	isWanted?: (row: string) => boolean;
}

/**
 * Lets contenders take turns (A B C, A B C …), so that whatever else the machine does hits them all
 * alike, and sums up each of their measures.
 *
 * @param units of the measures, by name; a measure without one is not reported
 * @param onTurn gets the name of the next turn before it runs
 */
export async function runInterleaved(
	contenders: readonly Contender[],
	{ rounds, isWanted = () => true }: Rounds,
	units: Readonly<Record<string, Unit>>,
	onTurn: (text: string) => void,
): Promise<Figure[]> {
	const results = contenders
		.filter(({ setting, name }) => isWanted(`${setting}, ${name}`))
		.map((contender) => ({ contender, turns: new Array<Record<string, number>>() }));
	for (let round = 1; round <= rounds; round++) {
		for (const { contender, turns } of results) {
			onTurn(`${contender.setting}, ${contender.name}, round ${round} of ${rounds}`);
			turns.push(await contender.run());
		}
	}
	return results.flatMap(({ contender: { setting, name }, turns }) =>
		Object.entries(units).flatMap(([measure, unit]) => {
			const values = turns.map((turn) => turn[measure]).filter((value) => value !== undefined);
			return values.length === 0
				? []
				: [{ setting, contender: name, measure, unit, ...summarize(values) }];
		}),
	);
}
