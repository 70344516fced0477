import { codeStep, type Json } from './codeStep';
import { readCsv } from './spreadsheet.ts';

const writeFiles = codeStep('bookkeeping-file.json', 'Write the files');

const settings = {
	...{ format: 'quickbooks', dateFormat: 'MM/dd/yyyy', dateOf: 'settled' },
	...{ purchases: 'negative', decimals: '.' },
};

/** A row as the data table keeps it. */
const row = (cells: Json = {}): Json => ({
	...{ id: 1, Settled: '2026-05-04', Purchased: '2026-04-30', Card: 'Team travel (4242)' },
	...{ Merchant: 'Corner Bakery', Amount: '12.30', Currency: 'USD', Direction: 'debit' },
	...{ Transaction_ID: 'one', Exported: null },
	...cells,
});

/** A file before n8n makes it. */
interface File {
	fileName: string;
	summary: string;
	currency: string;
	lastRow: number;
	text: string;
}

/** The files for these rows, with the cells of each; `changes` change the settings. */
function files(rows: Json[], changes: Json = {}) {
	const outputs = { Settings: [{ ...settings, ...changes }] };
	const made = writeFiles({ outputs, input: rows }) as unknown as File[];
	return made.map((file) => ({ ...file, cells: readCsv(file.text.trimEnd()) }));
}

/** The lines of the only file, below the names of its columns. */
const linesOf = (rows: Json[], changes: Json = {}) => files(rows, changes)[0]?.cells.slice(1);

describe('"Bookkeeping file"', () => {
	it.each<[string, string[], string[]]>([
		[
			'quickbooks',
			['Date', 'Description', 'Amount'],
			['05/04/2026', 'Corner Bakery Team travel 4242', '-12.30'],
		],
		[
			'xero',
			['Date', 'Amount', 'Payee', 'Description', 'Reference'],
			['05/04/2026', '-12.30', 'Corner Bakery', 'Team travel (4242)', 'one'],
		],
		[
			'plain',
			['Settled', 'Purchased', 'Card', 'Merchant', 'Amount', 'Currency', 'Transaction ID'],
			['2026-05-04', '2026-04-30', 'Team travel (4242)', 'Corner Bakery', '-12.30', 'USD', 'one'],
		],
	])('has the columns of %s', (format, names, cells) => {
		const [file] = files([row()], { format });
		expect(file?.cells).toEqual([names, cells]);
		expect(file?.text).toBe(`${names.join()}\r\n${cells.join()}\r\n`);
	});

	it.each<[string, string, Json, Json]>([
		['a purchase', '-12.30', {}, {}],
		['a refund', '12.30', { Direction: 'credit' }, {}],
		['a purchase, the other way', '12.30', {}, { purchases: 'positive' }],
		['a refund, the other way', '-12.30', { Direction: 'credit' }, { purchases: 'positive' }],
		['nothing', '0.00', { Amount: '0' }, {}],
		['one decimal', '-5.50', { Amount: '5.5' }, {}],
		['more decimals', '-5.125', { Amount: '5.1250' }, {}],
		['more than a float holds', '-9007199254740993.01', { Amount: '9007199254740993.01' }, {}],
		['a comma', '-12,30', {}, { decimals: ',' }],
	])('writes the amount of %s as %s', (_, expected, cells, changes) => {
		const lines = linesOf([row(cells)], { format: 'xero', ...changes });
		const [line = []] = lines ?? [];
		expect(line.join().split(changes.decimals === ',' ? ';' : ',')[1]).toBe(expected);
	});

	it('has the day of the purchase, if Settings say so, as the program expects it', () => {
		const changes = { dateOf: 'purchased', dateFormat: 'd.M.yy' };
		expect(linesOf([row()], changes)?.[0]?.[0]).toBe('30.4.26');
	});

	it('writes what no program takes for something else', () => {
		const named = row({ Merchant: '=1+1, "Café" & Söhne\n#2', Card: '-Ops (0001)' });
		expect(linesOf([named])?.[0]?.[1]).toBe('1 1 Café Söhne 2 -Ops 0001');
		expect(linesOf([named], { format: 'xero' })?.[0]).toEqual([
			...['05/04/2026', '-12.30', `'=1+1, "Café" & Söhne #2`, `'-Ops (0001)`, 'one'],
		]);
		expect(files([row()], { format: 'xero', decimals: ',' })[0]?.text).toContain('04/2026;-12,30;');
	});

	it('makes a file for each currency, and says what is in it', () => {
		const rows = [
			row({ id: 7, Amount: '0.10' }),
			row({ id: 8, Amount: '1005', Currency: 'EUR' }),
			row({ id: 9, Amount: '0.20' }),
			row({ id: 10, Amount: '1', Direction: 'credit' }),
		];
		expect(files(rows)).toMatchObject([
			{ currency: 'EUR', summary: '1 line, together -1,005.00 EUR', lastRow: 8 },
			{ currency: 'USD', summary: '3 lines, together 0.70 USD', lastRow: 10 },
		]);
		expect(files(rows)[1]?.fileName).toMatch(/^card-transactions-USD-\d{4}-\d\d-\d\d-\d{4}\.csv$/);
	});

	it('makes several files of more lines than a program imports', () => {
		const rows = Array.from({ length: 1000 }, (_, index) => row({ id: 1000 - index }));
		const [first, second, ...others] = files(rows);
		expect([first?.cells.length, first?.lastRow]).toEqual([1000, 999]);
		expect([second?.cells.length, second?.lastRow, others]).toEqual([2, 1000, []]);
		expect(second?.fileName).toMatch(/-2\.csv$/);
		expect(files(rows, { format: 'plain' })).toHaveLength(1);
	});

	it.each<[string, Json]>([
		['its amount', { Amount: '12,30' }],
		['no amount', { Amount: null }],
		['a sign', { Amount: '-5.00' }],
		['its direction', { Direction: null }],
		['no currency', { Currency: null }],
		['no date', { Settled: null }],
	])('makes no file, and names the row, if a row cannot be read because of %s', (_, cells) => {
		const wrong = row({ Transaction_ID: 'wrong', ...cells });
		expect(() => files([row(), wrong])).toThrow(/cannot be read: 1\. No file is made.*: wrong \(/);
	});

	it.each([
		['format', 'sage'],
		['dateOf', 'today'],
		['purchases', 'minus'],
		['decimals', ''],
	])('refuses a %s that is not offered', (name, value) => {
		expect(() => files([row()], { [name]: value })).toThrow(`"${value}" in Settings, ${name}, is`);
	});
});
