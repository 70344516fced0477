import { cpus, totalmem } from 'node:os';

import { n8nIn } from '../harness/n8n/version.ts';
import { n8nFolder } from '../harness/tools/paths.ts';
import type { Goal, MedianOf, Result, Row } from './scenario.ts';

const begin = '<!-- results: written by npm run bench -- --write -->';
const end = '<!-- end of results -->';

/** Where the results go: all of them, and what users read of them. */
export const RESULT_PAGES = { all: 'dev/bench/README.md', summary: 'docs/scaling.md' };

/** What figures depend on; nothing that names the machine. n8n runs on the same Node.js as the bench. */
export function describeMachine(): string {
	const processor = cpus()[0]?.model.trim() ?? 'unknown';
	const memory = `${Math.round(totalmem() / 1e9)} GB of memory`;
	const date = new Date().toISOString().slice(0, 10);
	return `${cpus().length} cores (${processor}), ${memory}, n8n ${n8nIn(n8nFolder).n8n} on SQLite, Node.js ${process.versions.node}, ${date}`;
}

/** All measurements as Markdown: a table for each scenario. */
export function toMarkdown(results: readonly Result[]): string {
	return results
		.flatMap((result) => [
			`### ${result.title}`,
			`${result.about} Rounds: ${result.rounds}.`,
			tableOf(rowsOf(result)),
		])
		.join('\n\n');
}

/** Each goal, and what was measured, as a Markdown table. */
export function goalTable(results: readonly Result[]): string {
	const rows = results.flatMap((result) =>
		goalsOf(result).map((goal) => [
			result.name,
			goal.says,
			`${goal.bound} ${goal.wanted}`,
			`${goal.value.toFixed(2)}${isMet(goal) ? '' : ' **missed**'}`,
		]),
	);
	return tableOf([['', 'What', 'Goal', 'Measured'], ...rows]);
}

/** What users want to know: what is compared with n8n's own nodes, by the first measure of a scenario. */
const COMPARED = [
	{
		says: '20 000 transactions, over TLS',
		of: ['export', '20 ms latency, TLS', 'HTTP Request + Split Out'],
		isTime: true,
	},
	{ says: 'Forged deliveries', of: ['deliveries', 'forged, default engine', 'Webhook + Code'] },
	{ says: 'Genuine deliveries', of: ['deliveries', 'genuine, default engine', 'Webhook + Code'] },
	{ says: 'Genuine deliveries, lazy', of: ['deliveries', 'genuine, lazy', 'Webhook + Code'] },
] as const;

/** A bar for each comparison: how many times as fast this package is. */
export function barChart(results: readonly Result[]): string {
	const bars = COMPARED.map(({ says, of: [name, setting, other], ...each }) => {
		const result = results.find((one) => one.name === name);
		const [main = ''] = result?.measures ?? [];
		const [ours = NaN, theirs = NaN] = result
			? [result.reference, other].map((contender) => mediansOf(result)(setting, contender, main))
			: [];
		const times = 'isTime' in each ? theirs / ours : ours / theirs;
		const bar = '█'.repeat(Math.max(1, Math.round(2 * times)) || 0);
		return `${says.padEnd(30)}${times.toFixed(1).padStart(5)} × ${other.padEnd(25)} ${bar}`;
	});
	return ['```text', ...bars, '```'].join('\n');
}

/** What was measured; NaN for what was not. */
const mediansOf =
	({ rows }: Result): MedianOf =>
	(setting, contender, measure) => {
		const row = rows.find((each) => each.setting === setting && each.name === contender);
		return row?.measures[measure]?.median ?? NaN;
	};

/** The goals with what was measured; one without a measurement is missed. */
const goalsOf = (result: Result): Goal[] => result.goals(mediansOf(result));

const isMet = ({ value, bound, wanted }: Goal): boolean =>
	bound === 'at least' ? value >= wanted : value <= wanted;

/** Puts results between the marks of a page. Throws if it has none. */
export function putResults(page: string, results: string): string {
	const [from, to] = [page.indexOf(begin), page.indexOf(end)];
	if (from < 0 || to < from) throw new Error('The page has no place for the results');
	return `${page.slice(0, from)}${begin}\n\n${results}\n\n${page.slice(to)}`;
}

/** A number with three significant digits, without an exponent: 1240, 12.4, 0.124. */
const rounded = (value: number): string =>
	Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);

function tableOf([head = [], ...rows]: string[][]): string {
	return [head, head.map(() => '-'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function rowsOf({ rows, measures, reference }: Result): string[][] {
	const [main = ''] = measures;
	const ratioOf = ({ setting, measures: its }: Row) => {
		const ours = rows.find((row) => row.setting === setting && row.name === reference);
		const [over, under] = [its[main], ours?.measures[main]];
		return over && under ? (over.median / under.median).toFixed(2) : '';
	};
	return [
		['', 'Contender', ...measures, `× ${reference}`],
		...rows.map((row) => [
			row.setting,
			row.name,
			...measures.map((column) => cell(row.measures[column])),
			ratioOf(row),
		]),
	];
}

/** The median and, unless all rounds are the same, their smallest and largest value. */
function cell(summary: Row['measures'][string]): string {
	if (!summary) return '';
	const [middle, min, max] = [summary.median, summary.min, summary.max].map(rounded);
	return min === max ? `${middle}` : `${middle} (${min}–${max})`;
}
