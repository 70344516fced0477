import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parse } from 'csv-parse/sync';

import { outputOf } from '../../dev/harness/n8n/executions.ts';
import type { WorkflowFile } from '../../dev/harness/n8n/workflow.ts';
import { executionOf, trackPurchase } from '../../dev/harness/scenario/purchase.ts';
import { workflowsFolder } from '../../dev/harness/tools/paths.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import {
	activated,
	eventItem,
	importFile,
	useTestEnvironment,
	withParameters,
} from './environment.ts';
import { lines, messagesDuring } from './messages.ts';

const environment = useTestEnvironment();

// Each of them would react to the purchases of the next test.
afterEach(() => environment().n8n.unpublishAll());

/** Imports it as a person does: imports the table, chooses it, and activates email. */
async function importPolicy(
	reportOnce: object = {},
	change: (file: WorkflowFile) => WorkflowFile = (file) => file,
) {
	const table = await readFile(join(workflowsFolder, 'spend-policy.csv'), 'utf8');
	const value = await environment().n8n.importDataTable(randomUUID(), table);
	const dataTableId = { __rl: true, mode: 'list', value };
	const parameters = { resource: 'row', operation: 'get', returnAll: true, dataTableId };
	return await importFile(environment(), 'spend-policy.json', (file) => {
		const ready = withParameters(activated(change(file), 'Send email'), 'Rules', parameters);
		return withParameters(ready, 'Report once', reportOnce);
	});
}

// spend-policy.test.ts has every rule.
describe('"Spend policy", with the table that comes with it', () => {
	it('tries its rules on the last 30 days, and freezes nothing, tells nobody and remembers nothing', async () => {
		const { company, n8n } = environment();
		const { sandbox, api, account } = company;
		const cardId = await api.createCard('Trial', account.id);
		const decline = { decline: { reason: 'incorrect_pin' } };
		const shop = { merchantName: 'Corner Bakery', merchantCountry: 'US' };
		await sandbox.setClock(new Date(Date.now() - 10 * 86_400_000));
		for (const amount of ['6.00', '7.00', '8.00']) {
			await sandbox.advanceClock(60);
			await sandbox.authorize({ cardId, amount, ...shop, ...decline });
		}
		await sandbox.resetClock();

		const { workflowId } = await importPolicy();
		const before = new Set((await sandbox.requests()).map(({ number }) => number));
		const tryRules = async () => {
			const execution = await n8n.run(workflowId, 'Try the rules');
			expect(execution.status).toBe('success');
			expect(execution.nodes.map(({ name }) => name)).toEqual([
				...['Try the rules', 'Period', 'Past events', 'Rules', 'Compare with the rules'],
				...['Trial run?', 'What would happen', 'Make the file'],
			]);
			const { items } = outputOf(execution, 'What would happen');
			const [file] = outputOf(execution, 'Make the file').files;
			if (!file) throw new Error('There is no file');
			const table = items as Record<string, string>[];
			return { table, file: String(await n8n.download(file)), name: file.fileName };
		};
		let made: Awaited<ReturnType<typeof tryRules>> | undefined;
		const told = await messagesDuring(environment(), async () => {
			made = await tryRules();
		});
		expect(told).toEqual([]);
		const { table = [], file = '', name } = made ?? {};
		const [totals, ...rows] = table;
		expect(totals?.['What would happen']).toMatch(
			/^\d+ \w{3} \d{4} to \d+ \w{3} \d{4}: \d+ events, \d+ alerts, 1 card would have been frozen \(Trial /,
		);
		const own = rows.filter(({ Card }) => Card?.startsWith('Trial'));
		expect(own.map((row) => Object.values(row))).toEqual([
			[
				...['freeze', expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/) as string],
				...[expect.stringMatching(/^Trial \(•••• \d{4}\)$/) as string, '8.00', 'USD'],
				...[
					'Corner Bakery',
					'US',
					'Rule "Several declines" is broken: 3 declines within one hour.',
				],
			],
		]);
		expect((await api.card(cardId)).status).toBe('active');
		const requests = (await sandbox.requests()).filter(({ number }) => !before.has(number));
		expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']));
		// One list of the transactions, one of the cards, and one of the events of each card: none for an event.
		expect(new Set(requests.map(({ path }) => path)).size).toBe(requests.length);

		expect(name).toMatch(/^rules-tried-\d{4}-\d\d-\d\d\.csv$/);
		const [names, first, ...others] = parse(file, { bom: true });
		expect([names?.slice(0, 3), first?.[0]]).toEqual([
			['What would happen', 'When', 'Card'],
			totals?.['What would happen'],
		]);
		expect(others).toEqual(rows.map((row) => Object.values(row)));
		expect((await tryRules()).table).toEqual(table);
	});

	it('reports each rule once for all steps of a purchase, freezes at the third decline, and finds no mistake in the table', async () => {
		const { company, n8n } = environment();
		const automation = await importPolicy();
		const [card, other] = company.active;
		const buy = (cardId: string, amount: string, more: object = {}) =>
			trackPurchase(
				{ ...company, ...automation },
				{ cardId, amount, merchantName: 'Corner <Bakery>', merchantCountry: 'US', ...more },
			);
		const title = ({ name, lastFour }: typeof card) => `${name} (•••• ${lastFour})`;
		const reported = await messagesDuring(environment(), async () => {
			expect((await buy(card.id, '1000.00')).card.status).toBe('active');
			const { event } = await buy(card.id, '1.00', { merchantCountry: 'RO' });
			for (const [kind, amount] of [['increment', '1000.01'], ['clearing']] as const) {
				const step = await company.sandbox.simulateStep(kind, event.transactionId, amount);
				const executed = () => executionOf(n8n, automation.workflowId, step.event.id);
				await waitUntil(executed, { what: `the execution of the ${kind}`, withinMs: 60_000 });
			}
		});
		expect(reported).toEqual([
			lines(
				`The card ${title(card)} broke the spend policy`,
				'Rule "Only at home" is broken: the merchant is in RO (allowed: US, CA).',
				'Approved: 1.00 USD at Corner <Bakery> (RO)',
			),
			lines(
				`The card ${title(card)} broke the spend policy`,
				'Rule "Every purchase" is broken: 1,000.01 USD is more than 1,000.00.',
				'Approved: 1,000.01 USD at Corner <Bakery> (RO)',
			),
		]);

		const decline = { reason: 'incorrect_pin' };
		const statuses: string[] = [];
		const declines = await messagesDuring(environment(), async () => {
			for (let count = 0; count < 3; count++) {
				statuses.push((await buy(other.id, '5.00', { decline })).card.status);
			}
		});
		expect(statuses).toEqual(['active', 'active', 'frozen']);
		expect(declines).toEqual([
			lines(
				`Froze ${title(other)}`,
				'Rule "Several declines" is broken: 3 declines within one hour.',
				'Declined: 5.00 USD at Corner <Bakery> (US), incorrect pin',
			),
		]);
		const later = await messagesDuring(environment(), async () => {
			const { execution, event } = await buy(other.id, '5.00', { decline });
			expect(execution.nodes.at(-1)?.name).toBe('Was frozen before');
			// Another decline of the same instant: each counts the other, as in a trial run.
			const { createdAt } = event;
			const items = [eventItem(other.id, { isSuccess: false, createdAt })];
			await n8n.run(automation.workflowId, 'Purchase', items);
		});
		expect(later).toEqual(
			[4, 5].map((count): unknown =>
				expect.stringMatching(
					`^${other.name} .* was already frozen\n.*: ${count} declines within one hour\\.\n`,
				),
			),
		);
		const inTheMorning = await messagesDuring(environment(), async () => {
			const { status, nodes } = await n8n.run(automation.workflowId, 'Every day at 07:00');
			expect([status, nodes.at(-1)?.name]).toEqual(['success', 'Nothing to do']);
		});
		expect(inTheMorning).toEqual([]);
	});

	// n8n knows no step that somebody has deleted, also if the step did not run.
	it('compares purchases also without what tries the rules', async () => {
		const trial = ['Try the rules', 'Period', 'Past events'];
		const automation = await importPolicy({}, (file) => ({
			...file,
			nodes: file.nodes.filter(({ name }) => !trial.includes(name)),
			connections: Object.fromEntries(
				Object.entries(file.connections as object).filter(([name]) => !trial.includes(name)),
			),
		}));
		const { company } = environment();
		const { execution } = await trackPurchase(
			{ ...company, ...automation },
			{ cardId: company.active[0].id, amount: '1.00', merchantCountry: 'US' },
		);
		expect([execution.status, execution.nodes.at(-1)?.name]).toEqual(['success', 'Nothing to do']);
	});

	it('fails if what was reported cannot be remembered any more', async () => {
		const { company, n8n } = environment();
		const { workflowId } = await importPolicy({ options: { historySize: 1 } });
		const [{ id }] = company.active;
		const broken = { amount: '2000.00', merchantName: 'Bakery', merchantCountry: 'RO' };
		const { event } = await company.sandbox.authorize({ cardId: id, ...broken });
		const executed = () => executionOf(n8n, workflowId, event.id);
		const what = 'the execution of the purchase';
		expect(await waitUntil(executed, { what, withinMs: 60_000 })).toMatchObject({
			status: 'error',
		});
	});
});
