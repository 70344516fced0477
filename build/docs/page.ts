/** A table of a document. The first cell of a row identifies it. */
export interface Table {
	head: string[];
	/** An undefined cell is written by hand in the document, and kept. */
	rows: (string | undefined)[][];
}

const marksOf = (name: string) => [`<!-- generated: ${name} -->`, '<!-- /generated -->'] as const;

/** The cells of a Markdown table, by the first cell of the row. */
function readRows(markdown: string): Map<string | undefined, string[]> {
	const lines = markdown.split('\n').filter((line) => line.startsWith('|'));
	const rows = lines.map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
	return new Map(rows.map(([, ...cells]) => [cells[0], cells]));
}

function toMarkdown({ head, rows }: Table, old: string): string {
	const written = readRows(old);
	const body = rows.map((cells) => {
		const [key = ''] = cells.map((cell) => cell?.replaceAll('|', '\\|'));
		return cells.map((cell, index) => cell?.replaceAll('|', '\\|') ?? written.get(key)?.[index]);
	});
	const lines = [head, ...body].map((cells) => `| ${cells.join(' | ')} |`);
	return lines.toSpliced(1, 0, `${'|---'.repeat(head.length)}|`).join('\n');
}

/**
 * Puts tables into a document, each between its marks.
 *
 * @param tables by the name in their marks
 * @throws Error if the document has no place for one of them
 */
export function putTables(page: string, tables: Record<string, Table>): string {
	return Object.entries(tables).reduce((text, [name, table]) => {
		const [begin, end] = marksOf(name);
		const from = text.indexOf(begin) + begin.length;
		const to = text.indexOf(end, from);
		if (!text.includes(begin) || to < 0) throw new Error(`The page has no place for: ${name}`);
		const old = text.slice(from, to);
		return `${text.slice(0, from)}\n\n${toMarkdown(table, old)}\n\n${text.slice(to)}`;
	}, page);
}
