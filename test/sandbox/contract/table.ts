/**
 * Draws which operations were answered with which statuses.
 *
 * @param pairs what is documented
 * @param exercised how often each pair was seen, e.g. "GET /cards 200"
 * @returns one line for each operation and a column for each status; a documented pair that was
 * never seen is a "–"
 */
export function formatTable(
	pairs: readonly { operation: string; status: number }[],
	exercised: ReadonlyMap<string, number>,
): string {
	const statuses = [...new Set(pairs.map(({ status }) => status))].sort((a, b) => a - b);
	const operations = [...new Set(pairs.map(({ operation }) => operation))];
	const width = Math.max(...operations.map(({ length }) => length));
	const documented = new Set(pairs.map(({ operation, status }) => `${operation} ${status}`));
	const cell = (name: string) => {
		const count = exercised.get(name);
		return (count === undefined ? (documented.has(name) ? '–' : '') : String(count)).padStart(5);
	};
	const seen = [...documented].filter((name) => exercised.has(name)).length;
	return [
		`${'operation'.padEnd(width)}${statuses.map((status) => String(status).padStart(5)).join('')}`,
		...operations.map(
			(operation) =>
				operation.padEnd(width) + statuses.map((status) => cell(`${operation} ${status}`)).join(''),
		),
		`${seen} of ${documented.size} pairs exercised`,
		'',
	].join('\n');
}
