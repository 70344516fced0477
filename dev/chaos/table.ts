/** Names and values as a table, in lines. */
export function tableOf(rows: readonly (readonly [name: string, value: unknown])[]): string {
	const width = Math.max(...rows.map(([name]) => name.length));
	return rows.map(([name, value]) => `   ${name.padEnd(width)}   ${String(value)}`).join('\n');
}

/** Counts by their names: "5 (HTTP 500: 4, ECONNREFUSED: 1)". */
export function countsOf(counts: ReadonlyMap<string | number, number>): string {
	const each = [...counts].map(([name, count]) => `${name}: ${count}`);
	return each.length === 0 ? '0' : `${totalOf(counts)} (${each.join(', ')})`;
}

export function totalOf(counts: ReadonlyMap<string | number, number>): number {
	return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
