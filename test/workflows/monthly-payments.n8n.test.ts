import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { readSheet } from 'read-excel-file/node';
import { z } from 'zod';

import type { Execution } from '../../harness/n8n/executions.ts';
import { outputOf } from '../../harness/n8n/executions.ts';
import { readWorkflow, type WorkflowFile } from '../../harness/n8n/workflow.ts';
import { requestJson } from '../../harness/tools/json.ts';
import { workflowsFolder } from '../../harness/tools/paths.ts';
import { openDatabase } from '../../sandbox/database/open.ts';
import { insertPayment } from '../../sandbox/payments/payment.ts';
import { seedDatabase } from '../../sandbox/seed/seed.ts';
import { importWorkflow, useTestEnvironment } from './environment.ts';

/** The time zone that n8n has where nobody sets one. */
const usualZone = 'America/New_York';

const columns = [
	'Due date',
	'Amount',
	'Exact amount',
	'Status',
	'Type',
	'Description',
	'Payment ID',
];

/** Amounts in minor units that a careless conversion would change, and a plain one. */
const amounts = [25_000, 10, 1, 99_999_999_999_99, 123_456_78];

const monthSchema = z.object({ month: z.string() });
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

const environment = useTestEnvironment((folder) => {
	const db = join(folder, 'payments.db');
	seedPayments(db);
	return { db };
});

beforeAll(async () => {
	file = await readWorkflow(join(workflowsFolder, 'monthly-payments-spreadsheet.json'));
});

/** The days of the month before the one that a moment lies in, in a time zone. */
function monthBefore(moment: Date, timeZone: string): { name: string; from: string; to: string } {
	const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: 'numeric' });
	const part = (type: string) =>
		Number(parts.formatToParts(moment).find((each) => each.type === type)?.value);
	// Day 0 of a month is the last one of the month before.
	const last = new Date(Date.UTC(part('year'), part('month') - 1, 0)).toISOString().slice(0, 10);
	const name = last.slice(0, 7);
	return { name, from: `${name}-01`, to: last };
}

const daysFrom = (day: string, count: number) =>
	new Date(Date.parse(day) + count * 24 * 60 * 60_000).toISOString().slice(0, 10);

/** The small company with more payments in each of the months than a page holds, and one on each side of it. */
function seedPayments(path: string): void {
	const db = openDatabase(path);
	db.transaction(() => {
		seedDatabase(db, 'small', new Date());
		for (const { from, to } of new Map(months.map((month) => [month.name, month])).values()) {
			const days = [daysFrom(from, -1), daysFrom(to, 1), from, to];
			for (let number = 0; number < 130; number++) {
				insertPayment(db, {
					id: randomUUID(),
					accountId: 1001,
					amount: amounts[number % amounts.length] ?? 0,
					dueDate: days[number] ?? daysFrom(from, number % 28),
					status: 'paid',
					type: 'automatic',
					descriptor: number === 3 ? '=1+1' : `Statement ${number}, "café" & more`,
				});
			}
		}
	});
	db.close();
}

async function rowsOf(execution: Execution) {
	expect(execution.status).toBe('success');
	const [spreadsheet] = outputOf(execution, 'Make the spreadsheet').files;
	if (!spreadsheet) throw new Error('There is no file');
	expect(spreadsheet).toMatchObject({ fileName: expect.stringMatching(/^payments-.*\.xlsx$/) });
	return readSheet(await environment().n8n.download(spreadsheet));
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
	it('makes an Excel file of every payment of last month, with the amounts as they are', async () => {
		const { id } = await importWorkflow(environment(), file);
		const execution = await environment().n8n.run(id, 'Every month');
		const { items } = outputOf(execution, 'Last month');
		const month = months.find(({ name }) => name === monthSchema.parse(items[0]).month);
		expect(items).toEqual([{ from: month?.from, to: month?.to, month: month?.name }]);

		const { api, apiKey } = environment().company;
		const headers = { authorization: `Bearer ${apiKey}` };
		const query = new URLSearchParams({ from: month?.from ?? '', to: month?.to ?? '' }).toString();
		const { data } = await requestJson(`${api.url}/payments?${query}`, paymentsSchema, { headers });
		expect(data.length).toBeGreaterThan(100);
		const expected = data.map(({ dueDate, amount, status, type, descriptor, id: paymentId }) => [
			dueDate,
			Number(amount),
			amount,
			status,
			type,
			descriptor,
			paymentId,
		]);
		expect(await rowsOf(execution)).toEqual([columns, ...expected]);
	});

	it.each([
		['2026-03-01T06:00:00Z', 'Europe/Berlin', '2026-02-01', '2026-02-28'],
		['2024-03-01T06:00:00Z', 'Europe/Berlin', '2024-02-01', '2024-02-29'],
		['2026-01-31T12:00:00Z', 'Europe/Berlin', '2025-12-01', '2025-12-31'],
		['2026-03-31T23:30:00Z', 'Europe/Berlin', '2026-03-01', '2026-03-31'],
		['2026-04-01T02:30:00Z', 'America/New_York', '2026-02-01', '2026-02-28'],
	])('takes the month before %s in %s', async (moment, zone, from, to) => {
		const { id } = await importWorkflow(environment(), at(moment, zone));
		const execution = await environment().n8n.run(id, 'Every month');
		expect(outputOf(execution, 'Last month').items).toMatchObject([{ from, to }]);
	});

	it('takes days as expressions give them: a DateTime and a Date', async () => {
		const month = '$now.minus({ months: 1 })';
		const days = {
			from: `={{ ${month}.startOf('month') }}`,
			to: `={{ new Date(${month}.endOf('month').toMillis()) }}`,
		};
		const nodes = file.nodes.map((node) =>
			node.name === 'Payments'
				? { ...node, parameters: { ...Object(node.parameters), ...days } }
				: node,
		);
		const run = async (workflow: WorkflowFile) => {
			const { id } = await importWorkflow(environment(), workflow);
			return outputOf(await environment().n8n.run(id, 'Every month'), 'Payments').items;
		};
		const payments = await run({ ...file, nodes });
		expect(payments.length).toBeGreaterThan(100);
		expect(payments).toEqual(await run(file));
	});

	it('makes a file that says so when there were no payments', async () => {
		const { id } = await importWorkflow(environment(), at('2001-05-01T12:00:00Z', usualZone));
		const sheet = await rowsOf(await environment().n8n.run(id, 'Every month'));
		const said = 'No payments from 2001-04-01 to 2001-04-30';
		expect(sheet).toEqual([columns, [null, null, null, null, null, said, null]]);
	});
});
