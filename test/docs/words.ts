/** Names as code. */
export const code = (text: string) => `\`${text}\``;
/** Each once; a dash for none. */
export const list = (texts: string[], separator = ', ') =>
	[...new Set(texts)].join(separator) || '–';
export const number = (value: number) => value.toLocaleString('en');

/** Milliseconds in the largest unit without a fraction. */
export function time(ms: number): string {
	const [unit, size] = Object.entries({ hour: 3_600_000, minute: 60_000, second: 1_000 }).find(
		([, each]) => ms % each === 0,
	) ?? ['millisecond', 1];
	return `${number(ms / size)} ${unit}${ms === size ? '' : 's'}`;
}
