import { DateTime } from 'luxon';

import { importFor, useTestEnvironment, withParameters } from './environment.ts';
import { runExport, withDataTable } from './spreadsheet.ts';

const environment = useTestEnvironment();

test('"Last month by card" adds up what each card spent, by currency, once', async () => {
	const { n8n, company } = environment();
	const { sandbox, api, account } = company;
	const cardId = await api.createCard('Sums', account.id);
	const buy = async (amount: string, more: object = {}) =>
		(await sandbox.authorize({ cardId, amount, merchantName: 'Shop', ...more })).event
			.transactionId;
	await buy('9.00');
	const now = new Date();
	await sandbox.setClock(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15)));
	await buy('0.10');
	await buy('0.20');
	await buy('5.00', { currency: 'EUR' });
	await buy('7.00', { decline: { reason: 'suspected_fraud' } });
	const refunded = await buy('40.00');
	await sandbox.simulateStep('clearing', refunded);
	await sandbox.simulateStep('refund', refunded, '30.00');
	await sandbox.resetClock();

	const columns = 'Month,Card,Currency,Spent,Transactions,Card_ID'.split(',');
	const { id } = await importFor(
		environment(),
		'last-month-by-card.json',
		{ readOnly: true },
		await withDataTable(n8n, 'Last month by card', columns, ['Spent', 'Transactions']),
	);
	const { rows, rowIds } = await runExport(n8n, id, 'Every month');
	const months = [0, 1].map((ago) => DateTime.utc().minus({ months: ago }).toFormat('yyyy-MM'));
	expect(new Set(rows.map((row) => row.Month))).toEqual(new Set([months[1]]));
	const sums = expect.stringMatching(/^Sums \(\d{4}\)$/) as string;
	const byCurrency = rows.filter((row) => row.Card_ID === cardId);
	expect(
		byCurrency.toSorted((a, b) => String(b.Currency).localeCompare(String(a.Currency))),
	).toEqual([
		expect.objectContaining({ Card: sums, Currency: 'USD', Spent: 10.3, Transactions: 4 }),
		expect.objectContaining({ Card: sums, Currency: 'EUR', Spent: 5, Transactions: 1 }),
	]);
	const again = await runExport(n8n, id, 'Every month');
	expect(again.rowIds).toEqual(rowIds);
	expect(again.fileName).toBe(`card-spend-${months[1]}.csv`);
	const [names, ...lines] = again.csv;
	expect(names?.join()).toBe('Month,Card,Currency,Spent,Transactions,Card ID');
	expect(lines.find((line) => line.at(-1) === cardId && line[2] === 'USD')?.[3]).toBe('10.30');
	const totals = lines.slice(rows.length);
	expect(totals.map((line) => line[1])).toEqual(totals.map(() => 'Total'));
	for (const [, , currency, total] of totals) {
		const spent = rows.filter((row) => row.Currency === currency).map((row) => Number(row.Spent));
		expect(total).toBe(spent.reduce((sum, each) => sum + each, 0).toFixed(2));
	}

	const workflow = { name: '', ...(await n8n.workflow(id)) };
	const filters = { period: 'thisMonth' };
	const { nodes } = withParameters(workflow, 'Transactions', { filters });
	await n8n.changeWorkflow(id, { nodes });
	const other = await runExport(n8n, id, 'Every month');
	expect(other.rows.filter((row) => row.Card_ID === cardId)).toEqual([
		expect.objectContaining({ Month: months[0], Spent: 9 }),
	]);
});
