import { DateTime } from 'luxon';

import { outputOf } from '../../dev/harness/n8n/executions.ts';
import type { WorkflowFile } from '../../dev/harness/n8n/workflow.ts';
import { requestJson } from '../../dev/harness/tools/json.ts';
import { activated, filledIn, importFor, useTestEnvironment } from './environment.ts';
import { runExport, withDataTable } from './spreadsheet.ts';

const columns = 'Due date,Account,Description,Type,Status,Amount,Paid,Payment ID'.split(',');

const environment = useTestEnvironment(() => ({ keyScope: 'customer' }));
let withTable: (file: WorkflowFile) => WorkflowFile;

beforeAll(async () => {
	withTable = await withDataTable(environment().n8n, 'Card platform payments', columns, [
		'Amount',
		'Paid',
	]);
});

const name = 'monthly-payments-spreadsheet.json';

/** Imports the workflow with the accounts entered, and email turned on. */
async function importIt(accounts: string) {
	const change = (file: WorkflowFile) =>
		activated(filledIn(withTable(file), { accounts }), 'Send it by email');
	return (await importFor(environment(), name, { readOnly: true }, change)).id;
}

describe('"Payments to a spreadsheet"', () => {
	it('sends every payment of last month, of every account, and keeps each row once', async () => {
		const { n8n, company, mailServer } = environment();
		const id = await importIt('1002, 1001');
		const { rowIds, fileName, content, csv } = await runExport(n8n, id, 'Every month');
		const lastMonth = DateTime.local().minus({ months: 1 });
		const from = lastMonth.startOf('month').toISODate();
		const to = lastMonth.endOf('month').toISODate();
		const expected = await Promise.all(
			['1002', '1001'].map(async (accountId) => {
				const query = new URLSearchParams({ from, to, accountId }).toString();
				const headers = { authorization: `Bearer ${company.apiKey}` };
				const url = `${company.api.url}/payments?${query}`;
				const { data } = await requestJson<{ data: Record<string, unknown>[] }>(url, { headers });
				return data.map(({ dueDate, amount, status, type, descriptor, id }) => {
					const paid = status === 'paid' ? amount : '0.00';
					return [dueDate, accountId, descriptor, type, status, amount, paid, id].map(String);
				});
			}),
		);
		expect(expected.flat()).not.toEqual([]);

		expect(fileName).toBe(`payments-${lastMonth.toFormat('yyyy-MM')}.csv`);
		expect(csv).toEqual([columns, ...expected.flat()]);
		const [mail, ...others] = mailServer.mails.splice(0);
		expect(others).toEqual([]);
		expect(mail).toMatchObject({
			to: [{ address: 'finance@example.com' }],
			subject: `Payments of ${lastMonth.toFormat('LLLL yyyy')}`,
			files: [{ name: fileName, content }],
		});

		expect((await runExport(n8n, id, 'Every month')).rowIds).toEqual(rowIds);
	});

	it('succeeds at once with nothing but the credential', async () => {
		const { n8n } = environment();
		const own = { readOnly: true, accountId: '1002' };
		const { id } = await importFor(environment(), name, own, withTable);
		expect((await runExport(n8n, id, 'Every month')).rows).not.toEqual([]);
	});

	it('sends nothing, but fails, with an account of somebody else', async () => {
		const { n8n, mailServer } = environment();
		mailServer.mails.splice(0);
		const id = await importIt('1001, 4711');
		const execution = await n8n.run(id, 'Every month');
		expect(execution.status).toBe('error');
		const { error, hint } = outputOf(execution, 'Payments');
		expect(`${error} ${hint}`).toContain('no account of this API key');
		expect(mailServer.mails).toEqual([]);
	});
});
