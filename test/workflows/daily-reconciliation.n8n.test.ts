import { parse } from 'csv-parse/sync';

import { outputOf } from '../../dev/harness/n8n/executions.ts';
import { type ChangingProxy, startChangingProxy } from '../support/changingProxy';
import { dayOfPurchases } from './dayOfPurchases.ts';
import { importFor, type LiveWorkflow, useTestEnvironment } from './environment.ts';

const trigger = 'Every day at 06:00';
const dayMs = 86_400_000;

/** A time zone in which it is about noon: "yesterday" stays the same then while the tests run. */
function zoneAtNoon(now: Date): string {
	const ahead = 12 - now.getUTCHours();
	return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

const environment = useTestEnvironment();

// daily-reconciliation.test.ts has every difference.
describe('"Daily reconciliation"', () => {
	let live: LiveWorkflow;
	let proxy: ChangingProxy;

	beforeAll(async () => {
		const { sandbox, cards, api } = environment().company;
		await sandbox.setClock(new Date(Date.now() - dayMs));
		await dayOfPurchases(sandbox, cards);
		await sandbox.resetClock();
		proxy = await startChangingProxy(api.url);
		const key = { baseUrl: proxy.url, readOnly: true };
		const settings = { executionOrder: 'v1', timezone: zoneAtNoon(new Date()) };
		live = await importFor(environment(), 'daily-reconciliation.json', key, (file) => ({
			...file,
			settings,
		}));
	}, 400_000);

	afterAll(() => proxy.close());

	it('finds no difference in a day of purchases, and makes a CSV file of those that a change makes', async () => {
		const { n8n } = environment();
		const quiet = await n8n.run(live.id, trigger);
		expect(outputOf(quiet, 'No differences').items).toEqual([
			{
				summary: expect.stringMatching(
					/: \d\d transactions and \d\d events compared\. They agree\./,
				),
			},
		]);

		proxy.set((record, path) =>
			path === '/transactions' ? { ...record, currency: 'EUR', status: 'declined' } : record,
		);
		const execution = await n8n.run(live.id, trigger);
		proxy.set((record) => record);
		expect(execution.status).toBe('success');
		const { files } = outputOf(execution, 'Make the file');
		expect(files).toMatchObject([
			{ fileName: expect.stringMatching(/^differences-\d{4}-.*\.csv$/) },
		]);
		expect(outputOf(execution, 'Send it by email').files).toEqual(files);
		const texts = await Promise.all(files.map((file) => n8n.download(file)));
		const [heads, ...rows] = parse(texts.join(''), { bom: true });
		expect(heads?.join()).toBe(
			'Difference,Card,Merchant,Time,Transaction says,Events say,Transaction ID',
		);
		expect(rows).toHaveLength(outputOf(execution, 'One row per difference').items.length);
		expect(rows.map((row) => row.join()).join('\n')).toMatch(
			/currency,.*\(\d{4}\),'=Corner Bakery,.*,EUR,USD,/,
		);
		// Which only events that were read right can tell.
		expect(rows.map((row) => row.join()).join('\n')).toMatch(/status,.*,declined,approved,/);
	});

	it.each(['/transactions', '/cards'])(
		'fails, instead of comparing half, without %s',
		async (list) => {
			const { n8n, company } = environment();
			const fault = { kind: 'status', status: 401, path: list, times: 1 } as const;
			await company.sandbox.setFaults([fault]);
			const execution = await n8n.run(live.id, trigger);
			expect(execution.status).toBe('error');
			expect(execution.nodes.map(({ name }) => name)).not.toContain('Compare');
		},
	);
});
