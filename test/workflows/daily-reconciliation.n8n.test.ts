import { join } from 'node:path';

import { z } from 'zod';

import type { Execution } from '../../harness/n8n/executions.ts';
import { outputOf } from '../../harness/n8n/executions.ts';
import { readWorkflow } from '../../harness/n8n/workflow.ts';
import { workflowsFolder } from '../../harness/tools/paths.ts';
import { type Change, type ChangingProxy, startChangingProxy } from '../support/changingProxy';
import { type Contradiction, contradictions } from './contradictions.ts';
import { type DayOfPurchases, dayOfPurchases, type Outcome } from './dayOfPurchases.ts';
import { importWorkflow, type LiveWorkflow, useTestEnvironment } from './environment.ts';

const trigger = 'Every day at 06:00';
const dayMs = 86_400_000;
const daySchema = z.object({ from: z.string(), to: z.string() });
const reportSchema = z.object({
	day: z.string(),
	summary: z.string(),
	differences: z.array(z.object({ difference: z.string() }).passthrough()),
});

/** A time zone in which it is about noon: "yesterday" stays the same then while the tests run. */
function zoneAtNoon(now: Date): string {
	const ahead = 12 - now.getUTCHours();
	return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

const gone: Change = () => undefined;
const set =
	(values: object): Change =>
	(record) => ({ ...record, ...values });
const isEventList = (path: string) => path.endsWith('/financial-events');

const reportOf = (execution: Execution) =>
	reportSchema.parse(outputOf(execution, 'Compare').items[0]);
const countsOf = (summary: string) =>
	(/(\d+) transactions and (\d+) events/.exec(summary) ?? []).slice(1).map(Number);
const uncompared = (summary: string) => Number(/not compared: (\d+)/.exec(summary)?.[1] ?? 0);

const environment = useTestEnvironment();

// Tests "Daily reconciliation" with a day of purchases, and with lists that were changed on their way.
describe('"Daily reconciliation"', () => {
	let live: LiveWorkflow;
	let proxy: ChangingProxy;
	let ids: DayOfPurchases;

	beforeAll(async () => {
		const { n8n, company } = environment();
		await company.sandbox.setClock(new Date(Date.now() - dayMs));
		ids = await dayOfPurchases(company);
		await company.sandbox.resetClock();
		proxy = await startChangingProxy(company.api.url);
		const { apiKey } = company;
		const key = { baseUrl: proxy.url, apiKey, keyScope: 'account', readOnly: true };
		const credentials = {
			'n8n-nodes-card-platform.cardPlatform': await n8n.addCredential('cardPlatformApi', key),
		};
		const file = await readWorkflow(join(workflowsFolder, 'daily-reconciliation.json'));
		const settings = { executionOrder: 'v1', timezone: zoneAtNoon(new Date()) };
		live = await importWorkflow({ ...environment(), credentials }, { ...file, settings });
	}, 400_000);

	afterAll(async () => {
		await proxy.close();
	});

	const run = async (change: Change = (record) => record): Promise<Execution> => {
		proxy.set(change);
		const execution = await environment().n8n.run(live.id, trigger);
		expect(execution.status).toBe('success');
		return execution;
	};

	/** Changes what one of the two lists says of a transaction. */
	const inList =
		(list: 'transactions' | 'events', name: Outcome, to: Change): Change =>
		(record, path) => {
			if ((list === 'events') !== isEventList(path)) return record;
			const id = isEventList(path) ? record.transactionId : record.id;
			return id === ids[name] ? to(record, path) : record;
		};

	it('finds no difference in what regularly happens', async () => {
		const execution = await run();
		const { day, summary, differences } = reportOf(execution);
		expect(differences).toEqual([]);
		expect(summary).toMatch(/: \d+ transactions and \d+ events compared\. They agree\./);
		expect(summary).toMatch(new RegExp(`^${day}: `));
		expect(countsOf(summary)[0]).toBeGreaterThanOrEqual(Object.keys(ids).length);
		expect(outputOf(execution, 'No differences').items).toEqual([{ summary }]);
		const steps = execution.nodes.map(({ name }) => name);
		for (const step of ['Spreadsheet', 'Send it by e-mail']) expect(steps).not.toContain(step);
	});

	it.each<Contradiction>(contradictions)(
		'finds $title, and nothing else',
		async ({ list, of, values, found }) => {
			const execution = await run(inList(list, of, values ? set(values) : gone));
			const { differences, summary } = reportOf(execution);
			expect(differences).toEqual([expect.objectContaining({ ...found, transactionId: ids[of] })]);
			expect(summary).toContain(`1 difference: 1 × ${found.difference}.`);
			expect(outputOf(execution, 'One row per difference').items).toEqual(differences);
		},
	);

	it.each<['transactions' | 'events', string]>([
		['transactions', '5'],
		['events', '5.000'],
	])('takes 5.00 and, in the list of %s, %s for the same amount', async (list, amount) => {
		const execution = await run(inList(list, 'alone', set({ amount })));
		expect(reportOf(execution).differences).toEqual([]);
	});

	it('compares no settled amount that the events do not tell, and says how many', async () => {
		const before = reportOf(await run());
		// The clearing event is the newer one, which comes first.
		let seen = 0;
		const authorizationOnly = inList('events', 'settled', (record) =>
			seen++ === 0 ? undefined : record,
		);
		const higher = inList('transactions', 'settled', set({ amount: '92.00' }));
		const after = reportOf(
			await run((record, path) => (isEventList(path) ? authorizationOnly : higher)(record, path)),
		);
		expect(after.differences).toEqual([]);
		expect(uncompared(after.summary)).toBe(uncompared(before.summary) + 1);
	});

	it('takes the first moment of the day, and no longer that of the next', async () => {
		const usual = await run();
		const { from, to } = daySchema.parse(outputOf(usual, 'Day to compare').items[0]);
		// The API may or may not count the moments themselves: it is asked for a bit more.
		const asked = proxy.requests.map(({ url }) => new URL(url, 'http://sandbox').searchParams);
		const [query] = asked.filter((each) => each.has('createdAfter'));
		expect(Date.parse(query?.get('createdAfter') ?? '')).toBeLessThan(Date.parse(from));
		expect(Date.parse(query?.get('createdBefore') ?? '')).toBeGreaterThan(Date.parse(to));
		const countsAt = async (moment: string) => {
			const move = set({ createdAt: new Date(moment).toISOString() });
			const [ofList, ofEvents] = [
				inList('transactions', 'alone', move),
				inList('events', 'alone', move),
			];
			const execution = await run((record, path) =>
				(isEventList(path) ? ofEvents : ofList)(record, path),
			);
			expect(reportOf(execution).differences).toEqual([]);
			return countsOf(reportOf(execution).summary);
		};
		const counts = countsOf(reportOf(usual).summary);
		expect(await countsAt(from)).toEqual(counts);
		expect(await countsAt(to)).toEqual(counts.map((count) => count - 1));
	});

	it('reports a day on which nothing happened', async () => {
		expect(outputOf(await run(gone), 'No differences').items).toEqual([
			{ summary: expect.stringContaining('0 transactions and 0 events compared. They agree.') },
		]);
	});

	it('makes a CSV file of the differences, in which nothing is a formula', async () => {
		const execution = await run((record, path) =>
			path === '/transactions' ? { ...record, currency: 'EUR' } : record,
		);
		const { day, differences } = reportOf(execution);
		expect(differences.length).toBeGreaterThanOrEqual(Object.keys(ids).length);
		const { files } = outputOf(execution, 'Spreadsheet');
		expect(files.map(({ fileName }) => fileName)).toEqual([`differences-${day}.csv`]);
		expect(outputOf(execution, 'Send it by e-mail').files).toEqual(files);
		const texts = await Promise.all(files.map((file) => environment().n8n.download(file)));
		const [heads, ...rows] = texts.join('').replace('\uFEFF', '').trim().split('\n');
		expect(heads).toBe(
			'difference,card,merchant,createdAt,transactionId,transactionSays,eventsSay',
		);
		expect(rows).toHaveLength(differences.length);
		expect(rows.find((row) => row.includes(ids.pending))).toMatch(
			/^currency,.*\(…\d{4}\),'=Corner Bakery,.*,EUR,USD$/,
		);
	});

	it.each(['/transactions', '/cards'])(
		'fails, instead of comparing half, without %s',
		async (list) => {
			proxy.refuse(list);
			const execution = await environment().n8n.run(live.id, trigger);
			expect(execution.status).toBe('error');
			expect(execution.nodes.map(({ name }) => name)).not.toContain('Compare');
		},
	);
});
