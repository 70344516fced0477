import { codeStep, type Json } from './codeStep';

const sumPerCard = codeStep('last-month-by-card.json', 'Sum per card');
const totals = codeStep('last-month-by-card.json', 'Totals');
const transactionRows = codeStep('card-transactions-to-a-spreadsheet.json', 'Columns');
const paymentRows = codeStep('monthly-payments-spreadsheet.json', 'Columns');
const compareDay = codeStep('daily-reconciliation.json', 'Compare');

/** A transaction, as "For a Spreadsheet" gives it. */
const transaction = (changes: Json = {}): Json => ({
	...{ localDate: '2026-05-04', merchant: 'Shop', amountNumber: 5, currency: 'USD' },
	...{ status: 'settled', cardName: 'One', cardLastFour: '0001', cardId: 'card', id: 'id' },
	...changes,
});

const payment = (changes: Json = {}): Json => ({
	...{ dueDate: '2026-05-04', descriptor: 'Bill', type: 'autopay', status: 'paid' },
	...{ amount: '5.00', id: 'id' },
	...changes,
});

const rowsOf = {
	'Card transactions to a spreadsheet': (...Transactions: Json[]) =>
		transactionRows({
			outputs: { Settings: [{ account: '=a' }], 'Card events': [{}], Transactions },
		}),
	'Payments to a spreadsheet': (...input: Json[]) =>
		paymentRows({
			input,
			outputs: {
				Settings: [{ paidStatus: 'paid' }],
				Accounts: input.map(() => ({ account: '+1' })),
			},
		}),
	'Daily reconciliation': (...Transactions: Json[]) => {
		const outputs = { 'Day to compare': [{ from: '2026-05-04', to: '2026-05-05' }], Transactions };
		const [{ differences } = {}] = compareDay({ outputs });
		return differences as Json[];
	},
};

test.each<[keyof typeof rowsOf, Json]>([
	['Card transactions to a spreadsheet', transaction({ amountNumber: null })],
	['Payments to a spreadsheet', payment({ amount: null })],
	['Payments to a spreadsheet', payment({ amount: '12,30' })],
])('"%s" fails, and names it, if an amount cannot be read', (name, wrong) => {
	const good = { ...wrong, id: 'good', amount: '1.00', amountNumber: 1 };
	expect(() => rowsOf[name](good, wrong)).toThrow(/amount cannot be read: 1\b.* id\b/);
});

test('"Last month by card" names when and where, and minds no decline', () => {
	const of = (changes: Json) => transaction({ amountNumber: null, ...changes });
	const input = [of({}), of({ status: 'declined' }), of({ id: 'nameless', merchant: null })];
	expect(() => sumPerCard({ input })).toThrow(
		'cannot be read: 2. The sums would be wrong without them: id (2026-05-04, Shop); nameless (2026-05-04)',
	);
});

test('"Card transactions to a spreadsheet" fails also if the amount of a decline cannot be read', () => {
	const rows = (amount: string) =>
		transactionRows({
			outputs: {
				Settings: [{ account: '' }],
				'Card events': [{ transactionId: 'id', eventType: 'declined', amount }],
				Transactions: [transaction({ status: 'declined', amountNumber: 0 })],
			},
		});
	expect(rows('7.50')).toEqual([expect.objectContaining({ Amount: 0, 'Declined amount': 7.5 })]);
	expect(() => rows('7,50')).toThrow(/amount cannot be read: 1\b.* id$/);
});

/** Every text is a formula. */
const formula = (record: Json) =>
	Object.fromEntries(
		Object.entries(record).map(([name, value]) => [
			name,
			typeof value === 'string' ? `=${value}` : value,
		]),
	);

test.each<[keyof typeof rowsOf, Json]>([
	['Card transactions to a spreadsheet', transaction({ status: '@s', id: 'id' })],
	['Payments to a spreadsheet', { ...formula(payment()), amount: '-5.00' }],
	[
		'Daily reconciliation',
		{
			...formula({ id: 'i', cardId: 'c', merchantName: 'm', amount: '1', currency: 'U' }),
			createdAt: '2026-05-04',
		},
	],
])('"%s" writes no formula but what the node has made safe', (name, record) => {
	const rows = rowsOf[name](record);
	expect(rows).toHaveLength(1);
	const cells = Object.entries(rows[0] ?? {}).filter(
		([column, value]) =>
			/^[=+@-]/.test(String(value)) && !['Amount', 'Paid', 'Status'].includes(column),
	);
	expect(cells).toEqual([]);
});

test('"Last month by card" keeps the row of a card whose only purchase was declined later, with 0', () => {
	const declined = transaction({ cardId: 'other', amountNumber: 0, status: 'declined' });
	const rows = sumPerCard({
		input: [
			declined,
			transaction(),
			transaction({ amountNumber: 0.125 }),
			{ ...transaction(), status: 'declined', amountNumber: 0 },
		],
	});
	const cells = (all: Json[]) => all.map((row) => [row['Card ID'], row.Spent, row.Transactions]);
	expect(cells(rows)).toEqual([
		['card', 5.125, 2],
		['other', 0, 0],
	]);
	expect(cells(totals({ input: rows }))[2]).toEqual(['', 5.125, 2]);
});
