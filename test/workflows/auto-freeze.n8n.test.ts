import { randomUUID } from 'node:crypto';

import { outputOf } from '../../dev/harness/n8n/executions.ts';
import { trackPurchase } from '../../dev/harness/scenario/purchase.ts';
import { deliver, signedDelivery } from '../../dev/harness/signing.ts';
import { toReadable } from '../../nodes/CardPlatform/events/item';
import type { Purchase } from '../../sandbox/client.ts';
import { cardEvent } from '../trigger/events.ts';
import { activated, importFile, useTestEnvironment } from './environment.ts';
import { lines, messagesDuring } from './messages.ts';

const environment = useTestEnvironment();

const importIt = () =>
	importFile(environment(), 'auto-freeze-on-suspicious-event.json', (file) =>
		activated(file, 'Send e-mail'),
	);

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
				`Froze ${card.name} (•••• ${card.lastFour})`,
				'Why: 3 or more declines within one hour',
				'Declined: 20.00 USD at A & B (US), incorrect pin',
				'Time: now',
				'If this was a false alarm, unfreeze the card:',
				`http://localhost:4010/dashboard/cards/${card.id}`,
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
				/^COULD NOT FREEZE the card [^]*\nFreeze it by hand. What went wrong: [^]+/,
			),
			expect.stringMatching(/^Froze /),
		]);
		const failed = (await n8n.executions(workflowId)).find(({ status }) => status === 'error');
		if (failed === undefined) throw new Error('No execution failed');
		expect(outputOf(failed, 'Fail the execution').error).toContain(
			`COULD NOT FREEZE the card ${card.id}: `,
		);
		expect(await api.card(card.id)).toMatchObject({ status: 'frozen' });
	});

	describe('decides', () => {
		const decline = { isSuccess: false };
		let workflowId: string;

		beforeAll(async () => {
			const automation = await importIt();
			await environment().company.sandbox.unsubscribe({ id: automation.endpointId });
			({ workflowId } = automation);
		});

		/** The step at which the workflow ends after an event of a new card; `before` is done to the card first. */
		const endAfter = async (changes: object, before?: (cardId: string) => Promise<unknown>) => {
			const { n8n, company } = environment();
			const cardId = await company.api.createCard(randomUUID(), company.account.id);
			await before?.(cardId);
			const event = toReadable({ ...cardEvent(cardId, changes) }, false);
			const { nodes } = await n8n.run(workflowId, 'Card event', [event]);
			const ends = ['Frozen', 'Nothing to do', 'Fail the execution'];
			const { status } = await company.api.card(cardId);
			return [nodes.map(({ name }) => name).filter((name) => ends.includes(name)), status];
		};

		it.each<[string, object, boolean]>([
			['an approved purchase just below 1000', { amount: '999.99' }, false],
			['an approved purchase of 99, which is a larger string', { amount: '99.00' }, false],
			['a large decline at home', { ...decline, amount: '1000.00' }, false],
			['a decline at home in lower case', { ...decline, merchantCountry: 'us' }, false],
			['an approved purchase abroad', { merchantCountry: 'RO' }, false],
			['a large reversal', { amount: '5000.00', isReversal: true }, false],
			['a large refund', { amount: '5000.00', amountDirection: 'credit' }, false],
			['hardly any fields', { isSuccess: undefined, amount: undefined }, false],
			['a decline abroad', { ...decline, merchantCountry: 'RO' }, true],
			['a decline in an unknown country', { ...decline, merchantCountry: undefined }, true],
			['a large purchase', { amount: '1000.00' }, true],
			['a far larger purchase', { amount: '20000.00' }, true],
		])('after %s, %j, whether to freeze: %s', async (_, changes, freezes) => {
			const expected = freezes ? [['Frozen'], 'frozen'] : [['Nothing to do'], 'active'];
			expect(await endAfter(changes)).toEqual(expected);
		});

		it.each(['freeze', 'archive'] as const)(
			'that a card needs nothing after %s by somebody else, so that the event does not come again',
			async (verb) => {
				const messages = await messagesDuring(environment(), async () => {
					const [ends] = await endAfter({ amount: '1000.00' }, (cardId) =>
						environment().company.api.changeCard(cardId, verb),
					);
					expect(ends).toEqual(['Nothing to do']);
				});
				expect(messages).toEqual([]);
			},
		);
	});
});
