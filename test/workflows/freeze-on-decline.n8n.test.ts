import { join } from 'node:path';

import { outputOf } from '../../harness/n8n/executions.ts';
import { readWorkflow } from '../../harness/n8n/workflow.ts';
import type { Automation } from '../../harness/scenario/automation.ts';
import { trackPurchase } from '../../harness/scenario/purchase.ts';
import { deliver, signedDelivery } from '../../harness/signing.ts';
import { workflowsFolder } from '../../harness/tools/paths.ts';
import { cardEvent, execute } from '../trigger/events.ts';
import { importSubscribed, useTestEnvironment } from './environment.ts';

const large = { amount: '500.00' };
const abroad = { merchantCountry: 'RO' };
const because = (reason: string) => [{ origin: 'network', reason, severity: 'error' }];

const environment = useTestEnvironment();

const steps = ['Declined purchase', 'Suspicious?', 'Freeze the card', 'What happened'];

// Tests "Freeze on suspicious decline", the first workflow of README.md, as it is imported.
describe('"Freeze on suspicious decline"', () => {
	let automation: Automation;

	beforeAll(async () => {
		const file = await readWorkflow(join(workflowsFolder, 'freeze-on-decline.json'));
		automation = await importSubscribed(environment(), file);
	}, 400_000);

	it('freezes the card of a suspicious decline, and lists what happened', async () => {
		const [{ id }] = environment().company.active;
		const { execution, card } = await trackPurchase(
			{ ...environment().company, ...automation },
			{
				cardId: id,
				amount: '980.00',
				merchantName: 'Elektronik Outlet',
				merchantCountry: 'RO',
				decline: { reason: 'suspected_fraud' },
			},
		);
		expect([execution.status, card.status]).toEqual(['success', 'frozen']);
		expect(execution.nodes.map(({ name }) => name)).toEqual(steps);
		expect(outputOf(execution, 'What happened').items).toEqual([
			{
				card: id,
				status: 'frozen',
				amount: '980.00 USD',
				merchant: 'Elektronik Outlet',
				country: 'RO',
			},
		]);
	});

	describe('with events that are sent by hand', () => {
		beforeAll(() => environment().company.sandbox.unsubscribe({ id: automation.endpointId }));

		it.each([
			['at home for 12.30', {}, 'active'],
			['at home for 99.00', { amount: '99.00' }, 'active'],
			['at home for 499.99', { amount: '499.99' }, 'active'],
			['at home for 500.00', large, 'frozen'],
			['at home for 1000.00', { amount: '1000.00' }, 'frozen'],
			['at home for 20000.00', { amount: '20000.00' }, 'frozen'],
			['at home, in lower case', { merchantCountry: 'us' }, 'active'],
			['abroad for 0.01', { ...abroad, amount: '0.01' }, 'frozen'],
			['in an unknown country', { merchantCountry: undefined }, 'active'],
			['in a country without a name', { merchantCountry: '' }, 'active'],
			['in an unknown country for 500.00', { ...large, merchantCountry: undefined }, 'frozen'],
			['at home for an unknown amount', { amount: undefined }, 'active'],
			['at home for 500.00, without reasons', { ...large, issues: undefined }, 'frozen'],
			['at home for 500.00, as fraud', { ...large, issues: because('suspected_fraud') }, 'frozen'],
			['at home for lack of funds', { ...large, issues: because('insufficient_funds') }, 'active'],
			[
				'at home after wrong PINs',
				{ ...large, issues: because('pin_try_limit_exceeded') },
				'frozen',
			],
			[
				'at home for a suspicion and lack of funds',
				{ ...large, issues: ['suspected_fraud', 'insufficient_funds'].flatMap(because) },
				'frozen',
			],
			[
				'at home for lack of credit',
				{ ...large, issues: because('insufficient_credit') },
				'active',
			],
			['at home over the limit', { ...large, issues: because('card_limit_exceeded') }, 'active'],
			['abroad for lack of funds', { ...abroad, issues: because('insufficient_funds') }, 'frozen'],
		])('after a decline %s, the card is as it should be', async (_, changes, status) => {
			const { api, active } = environment().company;
			const [{ id }] = active;
			await api.unfreeze(id);
			const event = cardEvent(id, { isSuccess: false, ...changes });
			const execution = await execute(automation, event);
			expect(execution.status).toBe('success');
			expect(await api.card(id)).toMatchObject({ status });
			expect(execution.nodes.map(({ name }) => name)).toEqual(
				status === 'frozen' ? steps : steps.slice(0, 2),
			);
		});

		it('an approved purchase starts nothing, even if it is large and abroad', async () => {
			const { api, active } = environment().company;
			const [{ id }] = active;
			const { n8n, workflowId, webhookUrl, signingSecret } = automation;
			await api.unfreeze(id);
			const before = (await n8n.executions(workflowId)).length;
			const approved = cardEvent(id, { amount: '5000.00', merchantCountry: 'RO' });
			expect(await deliver(webhookUrl, signedDelivery(approved, signingSecret))).toBe(200);
			// A decline that is executed afterwards shows that n8n is done with what came before.
			await execute(automation, cardEvent(id, { isSuccess: false }));
			expect((await n8n.executions(workflowId)).length).toBe(before + 1);
			expect(await api.card(id)).toMatchObject({ status: 'active' });
		});

		it('shows an execution as failed if the card could not be frozen', async () => {
			const archived = environment().company.cards.find(({ status }) => status === 'archived');
			const event = cardEvent(archived?.id ?? '', { isSuccess: false, amount: '1000.00' });
			const execution = await execute(automation, event);
			expect(execution.status).toBe('error');
			expect(outputOf(execution, 'Freeze the card').error).toMatch(/archived/);
		});
	});
});
