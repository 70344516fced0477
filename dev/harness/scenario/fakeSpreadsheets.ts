/** The rows of a sheet; the first one holds the names of the columns. */
export type Rows = (string | number | boolean)[][];

interface Write {
	range: string;
	values: Rows;
}

/** The sheets that every spreadsheet has. */
const titles = ['Transactions', 'Payments'];

/** The first column and row of a range such as `Payments!B3:C4` or `Payments!2:5`, counted from 0. */
function startOf(range: string): { title: string; column: number; row: number } {
	const [, title = '', letters = '', row] = /^(.+)!([A-Z]?)(\d+)/.exec(range) ?? [];
	if (row === undefined) throw new Error(`no range: ${range}`);
	return { title, column: letters === '' ? 0 : letters.charCodeAt(0) - 65, row: Number(row) - 1 };
}

/** As much of the API of Google Sheets as n8n's *Append or Update Row* uses; every spreadsheet exists. */
export class FakeSpreadsheets {
	readonly #sheets = new Map<string, Rows>();

	/** The rows of a sheet; empty until something is written. */
	rows(spreadsheet: string, title: string): Rows {
		return this.#sheets.get(`${spreadsheet} ${title}`) ?? [];
	}

	/** Answers a request to sheets.googleapis.com. */
	respond(method: string, url: URL, body: string): object {
		const [, spreadsheet = '', action = ''] =
			/^\/v4\/spreadsheets\/([^/:]+)[/:]?(.*)$/.exec(decodeURIComponent(url.pathname)) ?? [];
		if (action === 'values:batchUpdate') {
			const { data, valueInputOption } = JSON.parse(body) as {
				data: Write[];
				valueInputOption: string;
			};
			for (const { range, values } of data) {
				this.#write(spreadsheet, range, values, valueInputOption);
			}
			return {};
		}
		// The only one is that which adds empty rows at the end: these sheets have no end.
		if (action === 'batchUpdate') return {};
		const range = action.replace('values/', '');
		if (method === 'PUT') {
			const { values } = JSON.parse(body) as Write;
			this.#write(spreadsheet, range, values, url.searchParams.get('valueInputOption'));
			return {};
		}
		if (range === '') {
			return { sheets: titles.map((title, sheetId) => ({ properties: { sheetId, title } })) };
		}
		const rows = this.rows(spreadsheet, range.replaceAll("'", ''));
		// Google omits `values` if there are none.
		return rows.length === 0 ? { range } : { range, values: rows.map((row) => row.map(String)) };
	}

	#write(spreadsheet: string, range: string, values: Rows, option: string | null): void {
		const start = startOf(range);
		const rows = this.rows(spreadsheet, start.title);
		for (const [down, from] of values.entries()) {
			const row = (rows[start.row + down] ??= []);
			for (const [right, value] of from.entries()) {
				const isFormula = option !== 'RAW' && /^[=+]/.test(String(value));
				row[start.column + right] = isFormula ? '#FORMULA!' : value;
			}
		}
		this.#sheets.set(`${spreadsheet} ${start.title}`, rows);
	}
}
