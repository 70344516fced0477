import type { Machine } from '../machine.ts';
import type { PartResult } from '../result.ts';
import { machineLine } from './console.ts';
import { toTable } from './table.ts';

const begin = '<!-- results: written by npm run bench -- --write -->';
const end = '<!-- end of results -->';

/** The results as Markdown: what `--write` puts into docs/benchmarks.md. */
export function toMarkdown(machine: Machine, results: readonly PartResult[]): string {
	const parts = results.flatMap(({ chart, ...result }) => [
		`### ${result.title}`,
		result.about,
		...(chart ? [`![${chart.title}](${chart.file})`] : []),
		tableOf(toTable(result)),
	]);
	return [machineLine(machine), '### Goals', goalTable(results), ...parts].join('\n\n');
}

/** All goals beside what was measured. */
function goalTable(results: readonly PartResult[]): string {
	const rows = results.flatMap(({ name, goals }) =>
		goals.map(({ says, bound, wanted, value, met }) => [
			name,
			says,
			`${bound} ${wanted}`,
			value.toFixed(2),
			met ? 'reached' : '**not reached**',
		]),
	);
	return tableOf([['Part', 'What', 'Goal', 'Measured', ''], ...rows]);
}

/**
 * Puts results between the markers of a document, in place of those that are there.
 * Throws when it has no such place.
 */
export function putResults(document: string, results: string): string {
	const [before, rest, ...more] = document.split(begin);
	const after = rest?.split(end)[1];
	if (before === undefined || after === undefined || more.length > 0) {
		throw new Error(`The document has no single place for results: ${begin} … ${end}`);
	}
	return `${before}${begin}\n\n${results}\n\n${end}${after}`;
}

function tableOf([heading = [], ...rows]: string[][]): string {
	const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
	return [line(heading), line(heading.map(() => '---')), ...rows.map(line)].join('\n');
}
