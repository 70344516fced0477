import { readSheet } from 'read-excel-file/node';

import { outputOf } from '../../harness/n8n/executions.ts';
import { activated, importFor, useTestEnvironment } from './environment.ts';
import { googleSheets, inSpreadsheet } from './googleSheet.ts';

const dayMs = 86_400_000;
const columns = [
	'Date',
	'Card',
	'Last four',
	'Merchant',
	'Amount',
	'Currency',
	'Status',
	'Exact amount',
	'Direction',
	'Transaction ID',
];

const environment = useTestEnvironment();

test('"Card transactions to a spreadsheet" writes each transaction of the last days once, as it is now', async () => {
	const { n8n, company, internet } = environment();
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

	const spreadsheet = 'a-spreadsheet-for-card-transactions';
	const sheets = await googleSheets(n8n);
	const smtp = await n8n.addCredential('smtp', { host: '127.0.0.1' });
	const { id } = await importFor(
		environment(),
		'card-transactions-to-a-spreadsheet.json',
		{ readOnly: true },
		(file) => activated(inSpreadsheet(file, spreadsheet), 'Make the Excel file'),
		{ ...sheets, 'n8n-nodes-base.emailSend': smtp },
	);
	const rows = () => internet.rows(spreadsheet, 'Transactions');
	const run = async () => {
		const execution = await n8n.run(id, 'Every day at 06:00');
		expect(execution.status).toBe('success');
		const [names = [], ...all] = await rows();
		expect(names).toEqual(columns);
		const byId = new Map(all.map((row) => [row.at(-1), row]));
		expect(byId.size).toBe(all.length);
		const amounts = [recent, pending, declined, refund].map((each) => byId.get(each)?.[4]);
		return { execution, byId, amounts };
	};

	const { byId, amounts } = await run();
	expect(byId.has(old)).toBe(false);
	expect(amounts).toEqual([0.1, 80, 0, -33.3]);
	expect(byId.get(refund)).toEqual([
		expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
		// The apostrophe of our columns: a name is a formula in no spreadsheet.
		"'=1+1",
		expect.stringMatching(/^\d{4}$/),
		'+Corner "Café"',
		-33.3,
		'USD',
		'settled',
		'33.30',
		'credit',
		refund,
	]);

	await sandbox.simulateStep('clearing', pending, '79.99');
	await sandbox.simulateStep('reversal', pending);
	const again = await run();
	expect(again.amounts).toEqual([0.1, 79.99, 0, -33.3]);
	expect(again.byId.size).toBe(byId.size);

	const [file] = outputOf(again.execution, 'Make the Excel file').files;
	if (!file) throw new Error('There is no file');
	expect(file.fileName).toMatch(/^card-transactions-\d{4}-\d\d-\d\d\.xlsx$/);
	const filled = (await rows()).map((row) => row.map((value) => (value === '' ? null : value)));
	expect(await readSheet(await n8n.download(file))).toEqual(filled);
});
