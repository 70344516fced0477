/** A table as far as it follows from the code: the first cells of each row, of which the very first names it. */
export type Table = string[][];

/** A comment with the name of a table, its header, and its rows. */
const TABLE = /^(<!-- npm run docs: (.+) -->\n(\|.+\n)\|[-:| ]+\n)((?:\|.*\n)*)/gm;

/** In a cell that a person has to write. */
const MISSING = 'TODO';

const cellsOf = (row: string) => row.split(/ *(?<!\\)\| */).slice(1, -1);

/** Writes the rows of the tables in a document. Cells that people wrote stay in the row of that name. */
export function fillTables(file: string, markdown: string, tables: Record<string, Table>) {
	const names: string[] = [];
	/** Where a cell is missing. */
	const missing: string[] = [];
	const written = markdown.replace(
		TABLE,
		(_, top: string, name: string, head: string, body: string) => {
			const table = tables[name];
			if (table === undefined) throw new Error(`${file}: there is no table "${name}"`);
			names.push(name);
			const before = body.split('\n').map(cellsOf);
			const rows = table.map((cells) => {
				const own = before.find(([first]) => first === cells[0]);
				return cellsOf(head).map((column, index) => {
					const cell = cells[index] ?? own?.[index] ?? MISSING;
					if (cell === MISSING)
						missing.push(
							`${file}, table "${name}", row "${cells[0] ?? ''}": write the cell "${column}"`,
						);
					return cell;
				});
			});
			return top + rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
		},
	);
	return { written, names, missing };
}
