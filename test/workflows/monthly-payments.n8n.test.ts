import { DateTime } from 'luxon';

import { outputOf } from '../../dev/harness/n8n/executions.ts';
import type { WorkflowFile } from '../../dev/harness/n8n/workflow.ts';
import { requestJson } from '../../dev/harness/tools/json.ts';
import {
	activated,
	filledIn,
	importFor,
	useTestEnvironment,
	withParameters,
} from './environment.ts';
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

/** Imports the workflow with the accounts entered, and email and a Google sheet turned on, as after a sign-in. */
async function importIt(accounts: string, spreadsheet: string) {
	const { n8n } = environment();
	const oauthTokenData = { access_token: 'for-the-stand-in', token_type: 'Bearer' };
	const google = { clientId: 'client', clientSecret: 'secret', oauthTokenData };
	const sheets = await n8n.addCredential('googleSheetsOAuth2Api', google);
	const url = `https://docs.google.com/spreadsheets/d/${spreadsheet}/edit#gid=0`;
	const documentId = { __rl: true, mode: 'url', value: url };
	const change = (file: WorkflowFile) =>
		activated(
			withParameters(filledIn(withTable(file), { accounts }), 'Google sheet', { documentId }),
			'Google sheet',
			'Send it by email',
		);
	const key = { readOnly: true };
	const more = { 'n8n-nodes-base.googleSheets': sheets };
	return (await importFor(environment(), name, key, change, more)).id;
}

describe('"Payments to a spreadsheet"', () => {
	it('sends every payment of last month, of every account, and keeps each row once in a Google sheet', async () => {
		const { n8n, company, internet, mailServer } = environment();
		const spreadsheet = 'a-spreadsheet-for-the-payments';
		const id = await importIt('1002, 1001', spreadsheet);
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
		expect(mail).toContain('To: finance@example.com');
		expect(mail).toContain(`Subject: Payments of ${lastMonth.toFormat('LLLL yyyy')}`);
		expect(mail).toContain(content.toString('base64'));

		expect((await runExport(n8n, id, 'Every month')).rowIds).toEqual(rowIds);
		const numbers = expected
			.flat()
			.map((row) => row.map((cell, at) => ([5, 6].includes(at) ? Number(cell) : cell)));
		expect(await internet.rows(spreadsheet, 'Payments')).toEqual([columns, ...numbers]);
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
		const id = await importIt('1001, 4711', 'another-spreadsheet-of-payments');
		const execution = await n8n.run(id, 'Every month');
		expect(execution.status).toBe('error');
		const { error, hint } = outputOf(execution, 'Payments');
		expect(`${error} ${hint}`).toContain('no account of this API key');
		expect(mailServer.mails).toEqual([]);
	});
});
