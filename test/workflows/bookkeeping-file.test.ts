import { parse } from 'csv-parse/sync';
import { DateTime } from 'luxon';

import { codeStep, type Json } from './codeStep';

const checkSettings = codeStep('bookkeeping-file.json', 'Check the settings');
const compare = codeStep('bookkeeping-file.json', 'Compare');
const writeFiles = codeStep('bookkeeping-file.json', 'Write the files');
const done = codeStep('bookkeeping-file.json', 'Done');

const today = DateTime.fromISO('2026-12-01T06:00:00Z', { zone: 'utc' });
const settings = {
	...{ firstDay: '2026-10-01', days: '90', format: 'plain', dateFormat: 'yyyy-MM-dd' },
	...{ dateOf: 'purchased', purchases: 'negative', decimals: '.' },
	...{ account: 'Operating', billCurrency: 'USD' },
};

/** A transaction as the API lists it, with the names of its card. */
const transaction = (changes: Json = {}): Json => ({
	...{ id: 'one', cardId: 'card', amount: '12.30', amountDirection: 'debit', currency: 'USD' },
	...{ status: 'settled', createdAt: '2026-11-30T23:30:00Z', merchantName: 'Corner Bakery' },
	...{ cardName: 'Team travel', cardLastFour: '7751' },
	...changes,
});

/** What a step reads, and when. */
interface Read {
	transactions?: Json[];
	events?: Json[];
	bills?: Json[];
	/** The rows of the data table. */
	table?: Json[];
	changes?: Json;
	now?: DateTime;
}

/** The items that n8n gives on, if a step has none. */
const orEmpty = (items: Json[]) => (items.length === 0 ? [{}] : items);

/** What "Compare" makes of it. */
function compared({ transactions = [], events = [], bills = [], table = [], ...more }: Read) {
	const globals = { $now: more.now ?? today };
	const entered = { outputs: { Settings: [{ ...settings, ...more.changes }] }, globals };
	const outputs = {
		...{ 'Check the settings': checkSettings(entered), Transactions: orEmpty(transactions) },
		...{ 'Card events': orEmpty(events), 'Card bill': orEmpty(bills) },
		'Handed over': orEmpty(table),
	};
	return compare({ outputs, globals });
}

/** Its lines. */
const linesOf = (read: Read) => compared(read).filter(({ File }) => File !== undefined);

/** The rows that the data table then has: IDs go up from 1. */
const recorded = (lines: Json[], before: Json[] = []) => [
	...before,
	...lines.map((row, index) => ({ id: before.length + index + 1, Sent: null, ...row })),
];

/** The files that "Write the files" makes of what "Compare" gave. */
function filesOf(items: Json[], table: Json[] = []) {
	const lines = items.filter(({ File }) => File !== undefined);
	const outputs = {
		'Handed over': orEmpty(table),
		...(lines.length > 0 && { 'Record the lines': recorded(lines, table).slice(table.length) }),
		Compare: items,
	};
	return writeFiles({ outputs }) as { fileName: string; text: string; summary: string }[];
}

/** The lines of the only file, below the names of its columns. */
function onlyFile(read: Read) {
	const [file, ...others] = filesOf(compared(read));
	expect(others).toEqual([]);
	return parse(file?.text ?? '', { bom: true });
}

/** What the lines say: what, which transaction, how much. */
const differences = (read: Read) =>
	linesOf(read).map(({ What, Transaction_ID, Amount, Currency }) =>
		[What, Transaction_ID, Amount, Currency].join(' '),
	);

describe('"Bookkeeping file"', () => {
	it.each<[string, Json, Json[], string[]]>([
		['a purchase that settled', {}, [], ['settled one 12.30 USD']],
		['a refund', { amountDirection: 'credit' }, [], ['settled one -12.30 USD']],
		[
			'a credit with a sign',
			{ amountDirection: 'credit', amount: '-3' },
			[],
			['settled one -3.00 USD'],
		],
		['what is pending', { status: 'pending' }, [], []],
		['what was released', { status: 'released', amount: '0.00' }, [], []],
		['what was handed over', {}, [{}], []],
		['what settled again', { amount: '100' }, [{}], ['amount changed one 87.70 USD']],
		['what is released later', { status: 'released' }, [{}], ['no longer settled one -12.30 USD']],
		['what is pending again', { status: 'pending' }, [{}], ['no longer settled one -12.30 USD']],
		[
			'what settled once more',
			{},
			[{}, { Amount: '-12.30', File: 'b' }],
			['settled one 12.30 USD'],
		],
		['what was handed over twice', {}, [{}, { File: 'b' }], ['amount changed one -12.30 USD']],
		['a file that was recorded twice', {}, [{}, {}], []],
		[
			'another currency',
			{ currency: 'eur' },
			[{}],
			['no longer settled one -12.30 USD', 'settled one 12.30 EUR'],
		],
		['what was purchased before firstDay', { createdAt: '2026-09-30T23:59:59Z' }, [], []],
		[
			'what left the window',
			{ createdAt: '2026-08-01T00:00:00Z', status: 'released' },
			[{ Created: '2026-08-01T00:00:00.000Z' }],
			[],
		],
		[
			'more than a float holds',
			{ amount: '9007199254740993.01' },
			[{}],
			['amount changed one 9007199254740980.71 USD'],
		],
	])('has the difference of %s', (_, changes, handed, expected) => {
		const row = { File: 'a', Transaction_ID: 'one', Amount: '12.30', Currency: 'USD' };
		const Created = '2026-11-30T23:30:00.000Z';
		const table = handed.map((more, index) => ({ id: index + 1, ...row, Created, ...more }));
		const transactions = [transaction(changes)];
		const found = differences({ transactions, table, changes: { firstDay: '2026-10-01' } });
		expect(found.sort()).toEqual(expected);
	});

	const details = {
		transactionId: 'one',
		...{ category: 'restaurants', merchantCountry: 'US' },
	};

	it.each<[string, string[], string[]]>([
		[
			'quickbooks',
			['Date', 'Description', 'Amount'],
			['2026-11-30', 'Corner Bakery Team travel 7751', '-12.30'],
		],
		[
			'xero',
			['Date', 'Amount', 'Payee', 'Description', 'Reference'],
			['2026-11-30', '-12.30', 'Corner Bakery', 'Team travel (7751)', 'one'],
		],
		[
			'plain',
			'Date,Card,Merchant,Category,Country,Amount,Currency,What,Account,Transaction ID'.split(','),
			'2026-11-30,Team travel (7751),Corner Bakery,restaurants,US,-12.30,USD,settled,Operating,one'.split(
				',',
			),
		],
	])('has the columns of %s', (format, names, cells) => {
		const read = { transactions: [transaction()], events: [{}, details], changes: { format } };
		expect(onlyFile(read)).toEqual([names, cells]);
	});

	it.each<[string, string, Json, Json]>([
		['a purchase', '-12.30', {}, {}],
		['a refund', '12.30', { amountDirection: 'credit' }, {}],
		['a purchase, the other way', '12.30', {}, { purchases: 'positive' }],
		['a refund, the other way', '-12.30', { amountDirection: 'credit' }, { purchases: 'positive' }],
		['one decimal', '-5.50', { amount: '5.5' }, {}],
		['more decimals', '-5.125', { amount: '5.1250' }, {}],
		['a comma', '-12,30', {}, { decimals: ',' }],
	])('writes the amount of %s as %s', (_, expected, cells, changes) => {
		const lines = compared({
			transactions: [transaction(cells)],
			changes: { format: 'xero', ...changes },
		});
		const [, line = ''] = filesOf(lines)[0]?.text.split('\r\n') ?? [];
		expect(line.split(changes.decimals === ',' ? ';' : ',')[1]).toBe(expected);
	});

	it('has the day of the purchase or of the run, in the time zone of the workflow, as the program expects it', () => {
		const now = today.setZone('Asia/Tokyo');
		const changes = { format: 'quickbooks', dateFormat: 'd.M.yy' };
		const read = { transactions: [transaction()], now, changes };
		expect(onlyFile(read)[1]?.[0]).toBe('1.12.26');
		expect(onlyFile({ ...read, now: today })[1]?.[0]).toBe('30.11.26');
		expect(onlyFile({ ...read, changes: { ...changes, dateOf: 'today' } })[1]?.[0]).toBe('1.12.26');
	});

	it('writes nothing that a spreadsheet takes for a formula, and no more than a cell', () => {
		const merchantName = '=1+1, "Café" & Söhne\n#2';
		const named = transaction({ merchantName, cardName: '-Ops', id: '+1' });
		const events = [{ transactionId: '+1', category: '@SUM', merchantCountry: 'a;=b' }];
		const read = { transactions: [named], events, changes: { account: '=x' } };
		expect(onlyFile(read)[1]).toEqual([
			...['2026-11-30', "'-Ops (7751)", `'=1+1, "Café" & Söhne #2`, "'@SUM", "a;'=b", '-12.30'],
			...['USD', 'settled', "'=x", "'+1"],
		]);
		// A spreadsheet that splits at semicolons takes what follows one for a cell.
		expect(filesOf(compared(read))[0]?.text).toContain(`"a;'=b"`);
		const short = onlyFile({ ...read, changes: { format: 'quickbooks' } });
		expect(short[1]?.[1]).toBe('1 1 Café Söhne 2 -Ops 7751');
		const table = linesOf(read).map(({ Card, Merchant }) => [Card, Merchant]);
		expect(table).toEqual([["'-Ops (7751)", `'${merchantName.replace('\n', ' ')}`]]);
	});

	const other = transaction({ id: 'other', currency: 'EUR', amount: '5' });

	it.each<[string, Json]>([
		['its amount', { amount: '12,30' }],
		['a sign in the amount', { amount: '1-2' }],
		['two signs', { amount: '--5' }],
		['no amount', { amount: null }],
		['a total beyond decimals', { amount: '1.1234567890123' }],
		['its direction', { amountDirection: 'in' }],
		['a status that the API does not describe', { status: 'cleared' }],
		['no status', { status: null }],
		['no time', { createdAt: null }],
	])(
		'fails in the end, and names it, if a transaction cannot be read because of %s; other currencies do not wait',
		(_, cells) => {
			const wrong = transaction({ id: 'wrong', ...cells });
			const [first, ...others] = compared({ transactions: [transaction(), wrong, other] });
			expect([first?.Transaction_ID, others]).toEqual(['other', []]);
			const outputs = { Compare: [first ?? {}] };
			expect(() => done({ outputs })).toThrow(
				/^Cannot be read: 1\. There is no new file in USD\. Ask your provider about wrong \(/,
			);
		},
	);

	it('fails in the end if nothing but that is new, or a currency or a card bill cannot be read', () => {
		const failureOf = (read: Read) => String(compared(read)[0]?.failure);
		const nameless = transaction({ currency: '=USD' });
		expect(failureOf({ transactions: [transaction({ amount: '?' })] })).toContain('one (? USD');
		expect(failureOf({ transactions: [nameless, other] })).toContain('one (12.30 =USD debit');
		expect(failureOf({ transactions: [transaction({ id: '', currency: null })] })).toMatch(
			/^Cannot be read: 1\. Ask/,
		);
		expect(failureOf({ bills: [{ id: 'bill', amount: 'ten' }] })).toContain(
			'the card bill bill (ten)',
		);
		expect(failureOf({ transactions: [transaction()] })).toBe('');
	});

	it('hands nothing over if a row of the table cannot be read, or what it has is not listed any more', () => {
		const [row = {}] = recorded(linesOf({ transactions: [transaction()] }));
		const read = { transactions: [other], table: [row] };
		expect(() => compared(read)).toThrow(
			/does not list .* handed over: 1\. .*another account\?.*: one$/,
		);
		expect(() => compared({ ...read, table: [{ ...row, Amount: 'x' }] })).toThrow('"x" in row 1');
		expect(differences({ ...read, changes: { firstDay: '2026-12-01' } })).toEqual([]);
	});

	it('makes a file for each currency, named by month and content, and says what is in it', () => {
		const refund = transaction({ id: 'two', amountDirection: 'credit', amount: '0.10' });
		const lines = compared({
			transactions: [transaction(), refund, other],
			bills: [{ id: 'b', amount: '10.00' }],
		});
		const [eur, usd, ...none] = filesOf(lines);
		expect(none).toEqual([]);
		expect(eur?.fileName).toMatch(/^card-transactions-2026-11-EUR-\w{8,13}\.csv$/);
		expect(eur?.summary).toMatch(/^Lines: 1\. Purchases less refunds: 5\.00 EUR\.\n/);
		expect(usd?.summary).toBe(
			'Lines: 2. Purchases less refunds: 12.20 USD.\n\nPurchases of November 2026 that have settled, less refunds: 12.20 USD, 5.00 EUR. Card bills due in December 2026: 10.00 USD. Difference: 2.20 USD.',
		);
	});

	it('compares the month with the card bill, and says what of it is missing', () => {
		const monthOf = (read: Read) => String(compared(read)[0]?.month).replace(/.*refunds: /, '');
		const earlier = transaction({ id: 'earlier', createdAt: '2026-10-31T23:00:00Z' });
		const transactions = [earlier, transaction({ amount: '1234.50' })];
		const bill = (amount: string) => ({ id: amount, amount });
		expect(monthOf({ transactions, bills: [bill('1000'), bill('234.50')] })).toBe(
			'1,234.50 USD. Card bills due in December 2026: 1,234.50 USD. They agree.',
		);
		expect(monthOf({ transactions, bills: [bill('2000000.00')] })).toMatch(
			/2,000,000\.00 USD\. Difference: -1,998,765\.50 USD\.$/,
		);
		const error = 'The service is down';
		expect(monthOf({ bills: [{ error }], events: [{ error }] })).toBe(
			`none. Categories and countries are missing: ${error} The card bill could not be read: ${error}`,
		);
	});

	it('makes several files of more lines than a program imports', () => {
		const transactions = Array.from({ length: 1000 }, (_, index) =>
			transaction({ id: `${index}` }),
		);
		const lengths = (format: string) =>
			filesOf(compared({ transactions, changes: { format } })).map(
				({ text }) => text.trimEnd().split('\r\n').length,
			);
		expect(lengths('xero')).toEqual([1000, 2]);
		expect(lengths('plain')).toEqual([1001]);
	});

	it('names a file differently if another one had the same content before', () => {
		let table: Json[] = [];
		const made = ['settled', 'pending', 'settled'].map((status) => {
			const items = compared({ transactions: [transaction({ status })], table });
			const [file] = filesOf(items, table);
			table = recorded(items, table).map((row) => ({ ...row, Sent: 'now' }));
			return file;
		});
		expect(made[2]?.text).toBe(made[0]?.text);
		expect(new Set(made.map((file) => file?.fileName)).size).toBe(3);
	});

	it('makes a file that was not sent once more, exactly as it was, and none that was sent', () => {
		const lines = compared({ transactions: [transaction()] });
		const [made] = filesOf(lines);
		const table = recorded(lines);
		const again = (table: Json[]) => {
			const items = compared({ transactions: [transaction()], table });
			expect(items).toHaveLength(1);
			return filesOf(items, table);
		};
		expect(again(table)).toEqual([made]);
		// Recorded by two runs at once, and sent by one of them.
		const twice = [...table, ...table.map((row) => ({ ...row, id: 9 }))];
		expect(again(twice).map(({ text }) => text)).toEqual([made?.text]);
		const sent = twice.map((row, index) => ({ ...row, Sent: index === 0 ? 'now' : null }));
		expect(again(sent)).toEqual([]);
	});

	it.each<[string, string]>([
		['format', 'sage'],
		['dateOf', 'now'],
		['purchases', 'minus'],
		['decimals', ''],
		...['', '2026-13-01', '01/11/2026'].map((value): [string, string] => ['firstDay', value]),
		...['', '61', '367', '90.5', 'ninety'].map((value): [string, string] => ['days', value]),
		...['MM/DD/YYYY', 'D', 'MM/dd', 'MM/MM/yyyy', 'yyyy', 'dd/MM/yyyy HH', 'mm/dd/yyyy', ''].map(
			(value): [string, string] => ['dateFormat', value],
		),
		['billCurrency', 'usd'],
	])('refuses %s "%s" in Settings', (name, value) => {
		const outputs = { Settings: [{ ...settings, [name]: value }] };
		expect(() => checkSettings({ outputs, globals: { $now: today } })).toThrow(
			`${name} in Settings is "${value}". Enter `,
		);
	});

	it.each(['MM/dd/yyyy', 'dd/MM/yyyy', 'yyyy-MM-dd', 'd.M.yy', 'd. M. yyyy', 'dd-MMM-yyyy'])(
		'takes the date format %s',
		(dateFormat) => {
			const outputs = { Settings: [{ ...settings, dateFormat }] };
			expect(checkSettings({ outputs, globals: { $now: today } })).toHaveLength(1);
		},
	);
});
