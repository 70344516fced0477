/** Names as code. */
export const code = (text: string) => `\`${text}\``;
/** Each once; a dash for none. */
export const list = (texts: string[], separator = ', ') =>
	[...new Set(texts)].join(separator) || '–';
export const number = (value: number) => value.toLocaleString('en');
const count = (value: number, unit: string) => `${number(value)} ${unit}${value === 1 ? '' : 's'}`;

/** Milliseconds in the largest unit without a fraction. */
export function time(ms: number): string {
	if (ms % 3_600_000 === 0) return count(ms / 3_600_000, 'hour');
	return ms % 60_000 === 0 ? count(ms / 60_000, 'minute') : count(ms / 1_000, 'second');
}

export function groupBy<T>(of: T[], keyOf: (one: T) => string): [string, T[]][] {
	const keys = [...new Set(of.map(keyOf))];
	return keys.map((key) => [key, of.filter((one) => keyOf(one) === key)]);
}

/** One after the other: they share jest's timers. */
export async function mapInOrder<T, R>(of: T[], task: (one: T) => Promise<R>): Promise<R[]> {
	const results: R[] = [];
	for (const one of of) results.push(await task(one));
	return results;
}
