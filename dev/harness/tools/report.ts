/** Tells a person what is going on, line by line. */
export type Report = (line?: string) => void;

/** A time in seconds, with one decimal, from milliseconds: "12.3 s". */
export function seconds(ms: number): string {
	return `${(ms / 1000).toFixed(1)} s`;
}
