import type { Machine } from '../machine.ts';
import type { PartResult } from '../result.ts';
import { machineLine } from './console.ts';
import { toTable } from './table.ts';

const begin = '<!-- results: written by npm run bench -- --write -->';
const end = '<!-- end of results -->';

/** The results as Markdown: what `--write` puts into docs/benchmarks.md. */
export function toMarkdown(machine: Machine, results: readonly PartResult[]): string {
	const parts = results.map((result) =>
		[
			`### ${result.title}`,
			result.about,
			tableOf(toTable(result)),
			tableOf([
				['Goal', 'Wanted', 'Reached', ''],
				...result.goals.map(({ says, bound, wanted, value, met }) => [
					says,
					`${bound} ${wanted}`,
					value.toFixed(2),
					met ? 'met' : '**missed**',
				]),
			]),
		].join('\n\n'),
	);
	return [machineLine(machine), ...parts].join('\n\n');
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
