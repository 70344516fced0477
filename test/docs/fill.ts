/** A table as far as it follows from the code: the first cells of each row, of which the very first names it. */
export type Table = string[][];

/** A comment with the name of a table, its header, and its rows. */
const TABLE = /^(<!-- npm run docs: (.+) -->\n(\|.+\n)\|[-:| ]+\n)((?:\|.*\n)*)/gm;

const cellsOf = (row: string) => row.split(/ *(?<!\\)\| */).slice(1, -1);

/** Writes the rows of the tables in a document. Cells that people wrote stay in the row of that name; one that they have to write is TODO. */
export function fillTables(markdown: string, tables: Record<string, Table>) {
	const names: string[] = [];
	const written = markdown.replace(
		TABLE,
		(_, top: string, name: string, head: string, body: string) => {
			const table = tables[name];
			if (table === undefined) throw new Error(`There is no table "${name}"`);
			names.push(name);
			const before = body.split('\n').map(cellsOf);
			const columns = cellsOf(head);
			const rows = table.map((cells) => {
				if (cells.length > columns.length) throw new Error(`The table "${name}" lacks a column`);
				const own = before.find(([first]) => first === cells[0]) ?? [];
				return columns.map((_, index) => cells[index] ?? own[index] ?? 'TODO');
			});
			return top + rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
		},
	);
	return { written, names };
}
