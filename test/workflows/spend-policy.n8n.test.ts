import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { executionOf, trackPurchase } from '../../dev/harness/scenario/purchase.ts';
import { workflowsFolder } from '../../dev/harness/tools/paths.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import { activated, importFile, useTestEnvironment, withParameters } from './environment.ts';
import { lines, messagesDuring } from './messages.ts';

const environment = useTestEnvironment();

/** Imports it as a person does: imports the table, chooses it, and activates e-mail. */
async function importPolicy(reportOnce: object = {}) {
	const table = await readFile(join(workflowsFolder, 'spend-policy.csv'), 'utf8');
	const value = await environment().n8n.importDataTable(randomUUID(), table);
	const dataTableId = { __rl: true, mode: 'list', value };
	const parameters = { resource: 'row', operation: 'get', returnAll: true, dataTableId };
	return await importFile(environment(), 'spend-policy.json', (file) => {
		const ready = withParameters(activated(file, 'Send e-mail'), 'Rules', parameters);
		return withParameters(ready, 'Report once', reportOnce);
	});
}

// spend-policy.test.ts has every rule.
describe('"Spend policy", with the table that comes with it', () => {
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
				'Rule "Only at home" is broken: the merchant is in RO, and allowed are US, CA.',
				'Approved: 1.00 USD at Corner <Bakery> (RO)',
			),
			lines(
				`The card ${title(card)} broke the spend policy`,
				'Rule "Every purchase" is broken: 1000.01 is more than 1000.00.',
				'Approved: 1 000.01 USD at Corner <Bakery> (RO)',
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
		const inTheMorning = await messagesDuring(environment(), async () => {
			const { status, nodes } = await n8n.run(automation.workflowId, 'Every day at 07:00');
			expect([status, nodes.at(-1)?.name]).toEqual(['success', 'Nothing to do']);
		});
		expect(inTheMorning).toEqual([]);
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
