import type { PartResult, VersionResult } from './suite.ts';

const begin = '<!-- results: written by npm run test:compat -- --write -->';
const end = '<!-- end of results -->';

/** Whether every test passed, and each part has tests. */
export function isCompatible({ parts }: VersionResult): boolean {
	return parts.every(({ passed, failed }) => passed > 0 && failed.length === 0);
}

/** The results as a Markdown table: a row for each part, a column for each n8n; then what was left out. */
export function toMarkdown(results: readonly VersionResult[]): string {
	const heads = results.map(({ n8n, node }) => `n8n ${n8n} (Node.js ${node})`);
	const titles = results[0]?.parts.map(({ title }) => title) ?? [];
	const rows = titles.map((title) => [
		title,
		...results.map(({ parts }) => cell(parts.find((part) => part.title === title))),
	]);
	const table = [['', ...heads], ['-', ...heads.map(() => '-')], ...rows];
	const lines = table.map((cells) => `| ${cells.join(' | ')} |`);
	const left = results.flatMap(({ n8n, parts }) =>
		parts.flatMap(({ title, skipped: [first, ...others] }) => {
			if (first === undefined) return [];
			const more = others.length > 0 ? `, and ${others.length} more` : '';
			return [`- n8n ${n8n}, ${title}: ${first}${more}`];
		}),
	);
	return [...lines, ...(left.length > 0 ? ['', 'Left out:', '', ...left] : [])].join('\n');
}

function cell(part: PartResult | undefined): string {
	if (part === undefined || part.passed + part.failed.length === 0) return 'not run';
	const { passed, failed, skipped } = part;
	const left = skipped.length > 0 ? `, ${skipped.length} left out` : '';
	return failed.length > 0
		? `**${failed.length} of ${passed + failed.length} fail**${left}`
		: `${passed} pass${left}`;
}

/** Puts results between the marks of a page. Throws if the page has none. */
export function insertInto(page: string, results: readonly VersionResult[]): string {
	const [from, to] = [page.indexOf(begin), page.indexOf(end)];
	if (from < 0 || to < from) throw new Error('The page has no place for the results');
	return `${page.slice(0, from + begin.length)}\n\n${toMarkdown(results)}\n\n${page.slice(to)}`;
}
