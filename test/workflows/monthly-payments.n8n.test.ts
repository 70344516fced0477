import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { readSheet } from 'read-excel-file/node';
import { z } from 'zod';

import type { StoredCredential } from '../../harness/n8n/client.ts';
import type { Execution } from '../../harness/n8n/executions.ts';
import { outputOf } from '../../harness/n8n/executions.ts';
import { cardPlatform, readWorkflow, type WorkflowFile } from '../../harness/n8n/workflow.ts';
import { addApiCredential } from '../../harness/scenario/automation.ts';
import { requestJson } from '../../harness/tools/json.ts';
import { workflowsFolder } from '../../harness/tools/paths.ts';
import { openDatabase } from '../../sandbox/database/open.ts';
import { insertPayment } from '../../sandbox/payments/payment.ts';
import { seedDatabase } from '../../sandbox/seed/seed.ts';
import { activated, filledIn, importWorkflow, useTestEnvironment } from './environment.ts';
import { googleSheets, inSpreadsheet } from './googleSheet.ts';
import { type MailServer, startMailServer } from './mailServer.ts';

/** The time zone that n8n has where nobody sets one. */
const usualZone = 'America/New_York';

const columns = [
	'Account',
	'Due date',
	'Paid',
	'Exact amount',
	'Status',
	'Type',
	'Description',
	'Payment ID',
];

/** Amounts in minor units that a careless conversion would change, and a plain one. */
const amounts = [25_000, 10, 1, 99_999_999_999_99, 123_456_78];

const monthSchema = z.object({ month: z.string(), from: z.string(), to: z.string() });
const paymentsSchema = z.object({
	data: z.array(
		z.object({
			id: z.string(),
			amount: z.string(),
			dueDate: z.string(),
			status: z.string(),
			type: z.string(),
			descriptor: z.string(),
		}),
	),
});

const hourMs = 60 * 60_000;
/** The month before this one, and the one that comes next where this one ends while the tests run. */
const months = [0, hourMs].map((later) => monthBefore(new Date(Date.now() + later), usualZone));
let file: WorkflowFile;
let mailServer: MailServer;
let credentials: Record<string, StoredCredential>;

const environment = useTestEnvironment((folder) => {
	const db = join(folder, 'payments.db');
	seedPayments(db);
	return { db, keyScope: 'customer' };
});

beforeAll(async () => {
	const { n8n, company, credentials: usual } = environment();
	file = await readWorkflow(join(workflowsFolder, 'monthly-payments-spreadsheet.json'));
	mailServer = await startMailServer();
	credentials = {
		...usual,
		...(await googleSheets(n8n)),
		[cardPlatform.action]: await addApiCredential(n8n, company, { readOnly: true }),
		'n8n-nodes-base.emailSend': await n8n.addCredential('smtp', mailServer.credential),
	};
});

afterAll(() => mailServer.close());

/** The days of the month before the one that a moment lies in, in a time zone. */
function monthBefore(moment: Date, timeZone: string): z.infer<typeof monthSchema> {
	const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: 'numeric' });
	const part = (type: string) =>
		Number(parts.formatToParts(moment).find((each) => each.type === type)?.value);
	// Day 0 of a month is the last one of the month before.
	const last = new Date(Date.UTC(part('year'), part('month') - 1, 0)).toISOString().slice(0, 10);
	const month = last.slice(0, 7);
	return { month, from: `${month}-01`, to: last };
}

const daysFrom = (day: string, count: number) =>
	new Date(Date.parse(day) + count * 24 * 60 * 60_000).toISOString().slice(0, 10);

/** The small company with more payments in each of the months than a page holds, and one on each side of it. */
function seedPayments(path: string): void {
	const db = openDatabase(path);
	db.transaction(() => {
		seedDatabase(db, 'small', new Date());
		for (const { from, to } of new Map(months.map((each) => [each.month, each])).values()) {
			const days = [daysFrom(from, -1), daysFrom(to, 1), from, to];
			for (let number = 0; number < 130; number++) {
				insertPayment(db, {
					id: randomUUID(),
					accountId: number < 120 ? 1001 : 1002,
					amount: amounts[number % amounts.length] ?? 0,
					dueDate: days[number] ?? daysFrom(from, number % 28),
					// A failed one, and its repetition.
					status: number === 4 ? 'failed' : 'paid',
					type: 'automatic',
					descriptor: number === 3 ? '=1+1' : `Statement ${number}, "café" & more`,
				});
			}
		}
	});
	db.close();
}

/** Imports the workflow with the accounts entered, and the other settings of a workflow. */
async function importFor(accounts: string, workflow = file) {
	// A person has to enter them.
	expect(JSON.stringify(workflow.nodes)).toContain('"name":"accounts","value":""');
	const entered = filledIn(workflow, 'Settings', { accounts });
	return importWorkflow({ ...environment(), credentials }, entered);
}

async function run(accounts: string, workflow = file): Promise<Execution> {
	const { id } = await importFor(accounts, workflow);
	return environment().n8n.run(id, 'Every month');
}

async function fileOf(execution: Execution) {
	expect(execution.status).toBe('success');
	const [spreadsheet] = outputOf(execution, 'Make the spreadsheet').files;
	if (!spreadsheet) throw new Error('There is no file');
	const content = await environment().n8n.download(spreadsheet);
	return { name: spreadsheet.fileName, content, rows: await readSheet(content) };
}

/** The payments of an account in the month that a run exported, as the API lists them, in rows. */
async function expectedRows(accountId: string, { from, to }: { from: string; to: string }) {
	const { api, apiKey } = environment().company;
	const headers = { authorization: `Bearer ${apiKey}` };
	const query = new URLSearchParams({ from, to, accountId }).toString();
	const { data } = await requestJson(`${api.url}/payments?${query}`, paymentsSchema, { headers });
	return data.map(({ dueDate, amount, status, type, descriptor, id }) => {
		const paid = status === 'paid' ? Number(amount) : 0;
		return [accountId, dueDate, paid, amount, status, type, descriptor, id];
	});
}

/** The workflow as if it ran at another moment, in another time zone. */
function at(moment: string, timezone: string): WorkflowFile {
	const now = `DateTime.fromISO('${moment}')`;
	const nodes = file.nodes.map((node) =>
		node.name === 'Last month'
			? { ...node, parameters: JSON.parse(JSON.stringify(node.parameters).replaceAll('$now', now)) }
			: node,
	);
	return { ...file, nodes, settings: { executionOrder: 'v1', timezone } };
}

describe('Payments to a spreadsheet every month', () => {
	it('sends every payment of last month, of every account, with the amounts as they are', async () => {
		const execution = await run('1002, 1001,1002');
		const { items } = outputOf(execution, 'Last month');
		const month = monthSchema.parse(items[0]);
		expect(months).toContainEqual(month);

		const first = await expectedRows('1002', month);
		const second = await expectedRows('1001', month);
		expect(first.length).toBeGreaterThanOrEqual(10);
		expect(second.length).toBeGreaterThan(100);
		expect(second.map((row) => row[4])).toContain('failed');
		const { name, content, rows } = await fileOf(execution);
		expect(rows).toEqual([columns, ...first, ...second]);
		expect(name).toBe(`payments-${month.month}-1002-1001.xlsx`);

		const [mail, ...others] = mailServer.mails.splice(0);
		expect(others).toEqual([]);
		expect(mail).toContain('To: finance@example.com');
		expect(mail).toContain(`Subject: Payments of ${month.month}, 1002-1001`);
		expect(mail).toContain(name);
		expect(mail).toContain(content.toString('base64'));
	});

	it('keeps the rows in a Google sheet, once each, if that step is activated', async () => {
		const spreadsheet = 'a-spreadsheet-for-the-payments';
		const workflow = activated(inSpreadsheet(file, spreadsheet), 'Add or update the rows');
		const rows = () => environment().internet.rows(spreadsheet, 'Payments');
		const { id } = await importFor('1001,1002', workflow);
		const execution = await environment().n8n.run(id, 'Every month');
		const written = await rows();
		expect(written).toEqual((await fileOf(execution)).rows);
		await environment().n8n.run(id, 'Every month');
		expect(await rows()).toEqual(written);
	});

	it.each([
		['2026-03-01T06:00:00Z', 'Europe/Berlin', '2026-02-01', '2026-02-28'],
		['2024-03-01T06:00:00Z', 'Europe/Berlin', '2024-02-01', '2024-02-29'],
		['2026-01-31T12:00:00Z', 'Europe/Berlin', '2025-12-01', '2025-12-31'],
		['2026-03-31T23:30:00Z', 'Europe/Berlin', '2026-03-01', '2026-03-31'],
		['2026-04-01T02:30:00Z', 'America/New_York', '2026-02-01', '2026-02-28'],
	])('takes the month before %s in %s', async (moment, zone, from, to) => {
		const execution = await run('1001', at(moment, zone));
		expect(outputOf(execution, 'Last month').items).toMatchObject([{ from, to }]);
	});

	it.each([
		['', 'Accounts', 'Enter the IDs of your accounts in Settings'],
		['1001, 4711', 'Payments', 'no account of this API key'],
	])('sends nothing, but fails, with the accounts "%s"', async (accounts, step, reason) => {
		mailServer.mails.splice(0);
		const execution = await run(accounts);
		expect(execution.status).toBe('error');
		const { error, hint } = outputOf(execution, step);
		expect(`${error} ${hint}`).toContain(reason);
		expect(mailServer.mails).toEqual([]);
	});

	it('sends a file that says so when there were no payments', async () => {
		const workflow = at('2001-05-01T12:00:00Z', usualZone);
		const { name, rows } = await fileOf(await run('1001, 1002', workflow));
		const said = 'No payments from 2001-04-01 to 2001-04-30';
		const row = ['1001, 1002', null, null, null, null, null, said, null];
		expect(rows).toEqual([columns, row]);
		expect(name).toBe('payments-2001-04-1001-1002.xlsx');
		expect(mailServer.mails.at(-1)).toContain(name);
	});
});
