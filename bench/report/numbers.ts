import type { Figure, Goal } from '../result.ts';

/** A number with three significant digits, without an exponent: 1240, 12.4, 0.124. */
export function rounded(value: number): string {
	return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

/** A figure as text: its median with its unit, and the spread of its rounds. */
export function asText({ median, min, max, unit, rounds }: Figure): string {
	const spread = rounds > 1 ? ` (${rounded(min)}–${rounded(max)})` : '';
	return `${rounded(median)} ${unit}${spread}`;
}

/** What was reached of a goal, and whether that is enough. */
export function goalAsText({ value, bound, wanted, met }: Goal): string {
	return `${value.toFixed(2)}, goal ${bound} ${wanted}: ${met ? 'reached' : 'not reached'}`;
}
