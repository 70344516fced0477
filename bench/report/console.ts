import type { Machine } from '../machine.ts';
import type { PartResult } from '../result.ts';
import { goalAsText } from './numbers.ts';
import { toTable } from './table.ts';

/** The machine in one line. */
export const machineLine = ({ cores, processor, memoryGb, node, n8n, date }: Machine): string =>
	`${cores} cores (${processor}), ${memoryGb} GB of memory, n8n ${n8n} on SQLite, Node.js ${node}, ${date}`;

/** The results for a terminal. */
export function toConsole(machine: Machine, results: readonly PartResult[]): string {
	const parts = results.map((result) =>
		[
			result.title,
			'',
			...aligned(toTable(result)).map((line) => `  ${line}`),
			'',
			...result.goals.map((goal) => `  ${goal.says}: ${goalAsText(goal)}`),
		].join('\n'),
	);
	return [machineLine(machine), ...parts].join('\n\n');
}

function aligned(table: string[][]): string[] {
	const widths = (table[0] ?? []).map((_, column) =>
		Math.max(...table.map((row) => row[column]?.length ?? 0)),
	);
	return table.map((row) =>
		row
			.map((cell, column) => cell.padEnd(widths[column] ?? 0))
			.join('  ')
			.trimEnd(),
	);
}
