import { filledIn, importFor, useTestEnvironment } from './environment.ts';
import { runExport, withDataTable } from './spreadsheet.ts';

const dayMs = 86_400_000;
const columns =
	'Date,Card,Merchant,Country,Category,Amount,Declined amount,Currency,Status,Decline reason,Account,Transaction ID'.split(
		',',
	);

const environment = useTestEnvironment();

test('"Card transactions to a spreadsheet" writes each transaction of the last days once, as it is now, with nothing but a key', async () => {
	const { n8n, company } = environment();
	const { sandbox, api, account } = company;
	const cardId = await api.createCard('=1+1', account.id);
	const buy = async (amount: string, decline?: { reason: string }) => {
		const merchant = { merchantName: '+Corner "Café"', merchantCountry: 'US' };
		const purchase = { cardId, amount, ...merchant, ...(decline && { decline }) };
		return (await sandbox.authorize(purchase)).event.transactionId;
	};
	await sandbox.setClock(new Date(Date.now() - 35 * dayMs));
	const old = await buy('1.00');
	await sandbox.setClock(new Date(Date.now() - 25 * dayMs));
	const recent = await buy('0.10');
	await sandbox.resetClock();
	const pending = await buy('80.00');
	const declined = await buy('45.00', { reason: 'suspected_fraud' });
	const refunded = await buy('90.00');
	await sandbox.simulateStep('clearing', refunded);
	const refund = (await sandbox.simulateStep('refund', refunded, '33.30')).event.transactionId;

	const withTable = await withDataTable(n8n, 'Card platform transactions', columns, [
		'Amount',
		'Declined amount',
	]);
	const { id } = await importFor(
		environment(),
		'card-transactions-to-a-spreadsheet.json',
		{ readOnly: true },
		(file) => filledIn(withTable(file), { account: 'Operating' }),
	);
	const run = async () => {
		const made = await runExport(n8n, id, 'Every day at 06:00');
		const byId = new Map(made.rows.map((row) => [row.Transaction_ID, row]));
		expect(byId.size).toBe(made.rows.length);
		const amounts = [recent, pending, declined, refund].map((each) => byId.get(each)?.Amount);
		return { ...made, byId, amounts };
	};

	const { byId, amounts, rowIds } = await run();
	expect(byId.has(old)).toBe(false);
	expect(amounts).toEqual([0.1, 80, 0, -33.3]);
	expect(byId.get(refund)).toMatchObject({
		Date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
		// The apostrophe of our columns: a name is a formula in no spreadsheet.
		Card: expect.stringMatching(/^'=1\+1 \(\d{4}\)$/) as string,
		Merchant: `'+Corner "Café"`,
		Country: 'US',
		Currency: 'USD',
		Status: 'settled',
		Account: 'Operating',
	});

	await sandbox.simulateStep('clearing', pending, '79.99');
	await sandbox.simulateStep('reversal', pending);
	const again = await run();
	expect(again.amounts).toEqual([0.1, 79.99, 0, -33.3]);
	// The same rows of the table: nothing is there twice.
	expect(again.rowIds).toEqual(rowIds);

	expect(again.fileName).toMatch(/^card-transactions-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/);
	const [names, ...rows] = again.csv;
	expect(names).toEqual(columns);
	expect(rows.map((row) => row.at(-1)).sort()).toEqual([...again.byId.keys()].sort());
	const cells = (transaction: string, ...of: string[]) => {
		const row = rows.find((each) => each.at(-1) === transaction);
		return of.map((column) => row?.[columns.indexOf(column)]);
	};
	expect(cells(refund, 'Amount', 'Declined amount')).toEqual(['-33.30', '']);
	expect(cells(declined, 'Amount', 'Declined amount', 'Status', 'Decline reason')).toEqual([
		...['0.00', '45.00', 'declined', 'suspected fraud'],
	]);
});
