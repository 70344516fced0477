import { outputOf } from '../../dev/harness/n8n/executions.ts';
import { trackPurchase } from '../../dev/harness/scenario/purchase.ts';
import { deliver, signedDelivery } from '../../dev/harness/signing.ts';
import type { Purchase } from '../../sandbox/client.ts';
import { cardEvent } from '../trigger/events.ts';
import { activated, importFile, useTestEnvironment } from './environment.ts';
import { lines, messagesDuring } from './messages.ts';

const environment = useTestEnvironment();

const importIt = () =>
	importFile(environment(), 'auto-freeze-on-suspicious-event.json', (file) =>
		activated(file, 'Send e-mail'),
	);

// auto-freeze.test.ts has every decision.
describe('"Auto-freeze on suspicious event"', () => {
	it('freezes a card at its third decline within an hour, and says so', async () => {
		const { company } = environment();
		const automation = await importIt();
		const [card] = company.active;
		const declined: Purchase = {
			cardId: card.id,
			amount: '20.00',
			merchantName: 'A & B',
			merchantCountry: 'US',
			decline: { reason: 'incorrect_pin' },
		};
		const statuses: string[] = [];
		const messages = await messagesDuring(environment(), async () => {
			for (let count = 0; count < 3; count++) {
				const outcome = await trackPurchase({ ...company, ...automation }, declined);
				statuses.push(outcome.card.status);
			}
		});
		expect(statuses).toEqual(['active', 'active', 'frozen']);
		expect(
			messages.map((text) => text.replace(/(?<=^Time: )\d+ \w{3} 20\d\d, \d\d:\d\d \S+$/m, 'now')),
		).toEqual([
			lines(
				`Froze the card ${card.name} (…${card.lastFour}, ID ${card.id})`,
				'Why: 3 declines within one hour',
				'Amount: 20.00 USD',
				'Merchant: A & B',
				'Country: US',
				'Time: now',
				'If this was a false alarm, unfreeze the card in the dashboard.',
			),
		]);
		await company.sandbox.unsubscribe({ id: automation.endpointId });
	});

	it('says that a card could not be frozen, and freezes it when the event is delivered again', async () => {
		const { api, sandbox, active } = environment().company;
		const { n8n, workflowId, webhookUrl, signingSecret, endpointId } = await importIt();
		await sandbox.unsubscribe({ id: endpointId });
		const card = active[1];
		const event = cardEvent(card.id, { amount: '1000.00' });
		await sandbox.setFaults([{ kind: 'status', status: 403, path: `/cards/${card.id}/freeze` }]);
		const messages = await messagesDuring(environment(), async () => {
			const delivery = signedDelivery(event, signingSecret);
			expect(await deliver(webhookUrl, delivery).finally(() => sandbox.setFaults([]))).toBe(500);
			expect(await deliver(webhookUrl, delivery)).toBe(200);
		});
		expect(messages).toEqual([
			expect.stringMatching(
				/^COULD NOT FREEZE the card [^]*\nFreeze it by hand. What went wrong: .+/,
			),
			expect.stringContaining('Froze the card '),
		]);
		const failed = (await n8n.executions(workflowId)).find(({ status }) => status === 'error');
		if (failed === undefined) throw new Error('No execution failed');
		expect(outputOf(failed, 'Fail the execution').error).toBe(messages[0]);
		expect(await api.card(card.id)).toMatchObject({ status: 'frozen' });
	});
});
