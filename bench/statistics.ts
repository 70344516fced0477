/** What several rounds of one measurement say together. */
export interface Summary {
	median: number;
	min: number;
	max: number;
	rounds: number;
}

/** The middle of some numbers, or the mean of the two in the middle. Throws if the list is empty. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const half = sorted.length / 2;
	const middle = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1);
	if (middle.length === 0) throw new Error('There is no median of nothing');
	return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

/** Median and spread of the rounds of one measurement. Throws if the list is empty. */
export function summarize(values: readonly number[]): Summary {
	return {
		median: median(values),
		min: Math.min(...values),
		max: Math.max(...values),
		rounds: values.length,
	};
}

/**
 * How far growth is from being proportional: the cost of one item in the larger run over its cost in
 * the smaller one. 1 is linear, below 1 is a fixed cost that is shared out.
 *
 * @param smaller, larger items of a run, and its cost in any unit above 0
 */
export function growth(
	smaller: { items: number; cost: number },
	larger: { items: number; cost: number },
): number {
	return larger.cost / larger.items / (smaller.cost / smaller.items);
}
