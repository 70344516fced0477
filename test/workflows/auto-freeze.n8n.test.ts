import { z } from 'zod';

import { type Execution, outputOf } from '../../harness/n8n/executions.ts';
import { readWorkflow, type WorkflowFile } from '../../harness/n8n/workflow.ts';
import type { Card } from '../../harness/publicApi.ts';
import type { Automation } from '../../harness/scenario/automation.ts';
import { type Outcome, trackPurchase } from '../../harness/scenario/purchase.ts';
import { deliver, signedDelivery } from '../../harness/signing.ts';
import { workflowFile } from '../../harness/tools/paths.ts';
import type { Purchase } from '../../sandbox/client.ts';
import { cardEvent, execute } from '../trigger/events.ts';
import { activated, importSubscribed, useTestEnvironment } from './environment.ts';
import { lines, sentDuring, slackMessagesDuring, withMissingChannel } from './slackMessages.ts';

const connectionsSchema = z.record(
	z.object({ main: z.array(z.array(z.object({ node: z.string() }).passthrough())) }),
);

const lastStep = ({ nodes }: Execution) => nodes.at(-1)?.name;

const environment = useTestEnvironment();

// Tests "Auto-freeze on suspicious event" with Slack; firstWorkflow.n8n.test.ts has it as it is imported.
describe('"Auto-freeze on suspicious event"', () => {
	/** What Slack gets of a card that was frozen; `facts` are the reason, the amount and the merchant. */
	const frozen = ({ id, name, lastFour }: Card, createdAt: string, ...facts: string[]) =>
		lines(
			`Froze the card ${name} (…${lastFour}, ID ${id})`,
			...facts,
			`Time: ${createdAt}`,
			'If this was a false alarm, unfreeze the card in the dashboard.',
		);
	let automation: Automation;

	// The workflow as a person has it who has Slack.
	beforeAll(async () => {
		const file = activated(await readWorkflow(workflowFile), 'Notify Slack');
		automation = await importSubscribed(environment(), file);
	}, 400_000);

	const declined = ({ id: cardId }: Card): Purchase => ({
		cardId,
		amount: '20.00',
		merchantName: 'Corner Bakery',
		merchantCountry: 'US',
		decline: { reason: 'incorrect_pin' },
	});

	const buy = (purchase: Purchase): Promise<Outcome> =>
		trackPurchase({ ...environment().company, ...automation }, purchase);

	it('leaves the card active at two declines within an hour, and freezes it at the third', async () => {
		const [card] = environment().company.active;
		let createdAt = '';
		const told = await slackMessagesDuring(environment(), async () => {
			const first = await buy(declined(card));
			const second = await buy(declined(card));
			expect([first.card.status, second.card.status]).toEqual(['active', 'active']);
			const third = await buy(declined(card));
			expect(third.execution.status).toBe('success');
			expect(third.card.status).toBe('frozen');
			({ createdAt } = third.event);
		});
		expect(told).toEqual([
			frozen(
				card,
				createdAt,
				'Why: 3 declines within one hour',
				'Amount: 20.00 USD',
				'Merchant: Corner Bakery',
				'Country: US',
			),
		]);
	});

	it('sends to the channel of the node, and nothing else to the internet', async () => {
		const { api, active } = environment().company;
		const [card] = active;
		await api.unfreeze(card.id);
		const event = cardEvent(card.id, { isSuccess: false, merchantCountry: 'RO' });
		const sent = await sentDuring(environment(), () => execute(automation, event));
		expect(sent).toEqual([
			{ url: 'https://slack.com/api/chat.postMessage', channel: '#card-alerts' },
		]);
	});

	describe('with events that are sent by hand', () => {
		beforeAll(() => environment().company.sandbox.unsubscribe({ id: automation.endpointId }));

		/** Declines which the card platform lists, so many minutes before `end`. */
		const declinesBefore = async (end: Date, card: Card, minutes: readonly number[]) => {
			const { sandbox } = environment().company;
			for (const each of minutes) {
				await sandbox.setClock(new Date(end.getTime() - each * 60_000));
				await sandbox.authorize(declined(card));
			}
			await sandbox.resetClock();
		};

		// Each case has a day of its own, so that none counts the declines of another.
		it.each([
			['after two within the hour freezes it', 1, [59, 1], [], 'frozen'],
			['after one within the hour does not', 2, [61, 1], [], 'active'],
			['after many over an hour ago does not', 3, [90, 75, 61], [], 'active'],
			['before others does not', 4, [-1, -2, -3], [], 'active'],
			['after one, and many of another card, does not', 5, [1], [1, 2, 3, 4], 'active'],
			['as the only one does not', 6, [], [], 'active'],
		])('a decline of a card %s', async (_, daysAgo, own, others, status) => {
			const { api, active } = environment().company;
			const [other, card] = active;
			await api.unfreeze(card.id);
			const end = new Date(Date.now() - daysAgo * 24 * 60 * 60_000);
			await declinesBefore(end, card, own);
			await declinesBefore(end, other, others);
			const event = cardEvent(card.id, { isSuccess: false, createdAt: end.toISOString() });
			const execution = await execute(automation, event);
			expect(execution.status).toBe('success');
			expect(await api.card(card.id)).toMatchObject({ status });
		});

		it.each([
			['an approved purchase just below 1000', { amount: '999.99' }, 'active'],
			['an approved purchase of far more', { amount: '20000.00' }, 'frozen'],
			['a large decline at home', { isSuccess: false, amount: '1000.00' }, 'active'],
			['a decline at home', { isSuccess: false }, 'active'],
			['an approved purchase abroad', { merchantCountry: 'RO' }, 'active'],
			['a decline in no country', { isSuccess: false, merchantCountry: undefined }, 'active'],
			['a decline at home in lower case', { isSuccess: false, merchantCountry: 'us' }, 'active'],
			['a large reversal', { amount: '5000.00', isReversal: true }, 'active'],
			['a large refund', { amount: '5000.00', amountDirection: 'credit' }, 'active'],
			[
				'an event with hardly any fields',
				{ isSuccess: undefined, merchantCountry: undefined, amount: undefined },
				'active',
			],
		])('after %s the card is as it should be', async (_, changes, status) => {
			const { api, active } = environment().company;
			const [, card] = active;
			await api.unfreeze(card.id);
			const execution = await execute(automation, cardEvent(card.id, changes));
			expect(execution.status).toBe('success');
			expect(await api.card(card.id)).toMatchObject({ status });
		});

		it.each([
			[
				'a decline abroad',
				{ isSuccess: false, merchantCountry: 'RO', merchantName: 'A & B <!channel> *bold*' },
				[
					'Why: declined outside US',
					'Amount: 12.30 USD',
					'Merchant: A &amp; B &lt;!channel&gt; *bold*',
					'Country: RO',
				],
			],
			[
				'a large purchase',
				{ amount: '1000.00', merchantName: undefined, merchantCountry: undefined },
				['Why: an amount of 1000.00 or more', 'Amount: 1000.00 USD', 'Merchant: ', 'Country: '],
			],
		])('freezes the card after %s, and says why', async (_, changes, told) => {
			const { api, active } = environment().company;
			const [, card] = active;
			await api.unfreeze(card.id);
			const createdAt = new Date().toISOString();
			const messages = await slackMessagesDuring(environment(), () =>
				execute(automation, cardEvent(card.id, { createdAt, ...changes })),
			);
			expect(messages).toEqual([frozen(card, createdAt, ...told)]);
			expect(await api.card(card.id)).toMatchObject({ status: 'frozen' });
		});

		it('freezes the card after a large purchase also if its events cannot be read', async () => {
			const { api, sandbox, active } = environment().company;
			const [, card] = active;
			await api.unfreeze(card.id);
			const path = `/cards/${card.id}/financial-events`;
			await sandbox.setFaults([{ kind: 'status', status: 500, path }]);
			const event = cardEvent(card.id, { amount: '1000.00' });
			const execution = await execute(automation, event).finally(() => sandbox.setFaults([]));
			expect(execution.status).toBe('success');
			expect(await api.card(card.id)).toMatchObject({ status: 'frozen' });
		});

		it('sends no message for a card that was frozen before', async () => {
			const { api, active } = environment().company;
			const [, card] = active;
			await api.changeCard(card.id, 'freeze');
			const event = cardEvent(card.id, { amount: '1000.00' });
			const messages = await slackMessagesDuring(environment(), async () => {
				const execution = await execute(automation, event);
				expect([execution.status, lastStep(execution)]).toEqual(['success', 'Nothing to do?']);
			});
			expect(messages).toEqual([]);
			expect(await api.card(card.id)).toMatchObject({ status: 'frozen' });
		});

		it('accepts the event of an archived card, so that it is not delivered again', async () => {
			const card = environment().company.cards.find(({ status }) => status === 'archived');
			const event = cardEvent(card?.id ?? '', { amount: '1000.00' });
			const messages = await slackMessagesDuring(environment(), async () => {
				const execution = await execute(automation, event);
				expect([execution.status, lastStep(execution)]).toEqual(['success', 'Nothing to do?']);
			});
			expect(messages).toEqual([]);
		});

		it('freezes a card that cannot be looked up, and says so', async () => {
			const { api, sandbox, active } = environment().company;
			const [, { id }] = active;
			await api.unfreeze(id);
			const path = `/cards/${id}`;
			await sandbox.setFaults([{ kind: 'status', status: 403, method: 'GET', path }]);
			const event = cardEvent(id, { isSuccess: false, merchantCountry: 'RO' });
			const messages = await slackMessagesDuring(environment(), () =>
				execute(automation, event).finally(() => sandbox.setFaults([])),
			);
			expect(messages).toEqual([expect.stringMatching(`^Froze the card .*ID ${id}`)]);
			expect(await api.card(id)).toMatchObject({ status: 'frozen' });
		});

		it('says that a card could not be frozen, and freezes it when the event is delivered again', async () => {
			const { api, sandbox, active } = environment().company;
			const [, card] = active;
			await api.unfreeze(card.id);
			const event = cardEvent(card.id, { amount: '1000.00' });
			const { n8n, workflowId, webhookUrl, signingSecret } = automation;
			const path = `/cards/${card.id}/freeze`;
			await sandbox.setFaults([{ kind: 'status', status: 403, path }]);
			const messages = await slackMessagesDuring(environment(), async () => {
				const delivery = signedDelivery(event, signingSecret);
				expect(await deliver(webhookUrl, delivery).finally(() => sandbox.setFaults([]))).toBe(500);
				expect(await deliver(webhookUrl, delivery)).toBe(200);
			});
			expect(messages).toEqual([
				expect.stringMatching(
					/^COULD NOT FREEZE the card .+ \(…\d{4}, ID .+\)\nWhy: .+\nAmount: [^]+\nFreeze it by hand. What went wrong: .+/,
				),
				expect.stringContaining('Froze the card '),
			]);
			const [, failed] = await n8n.executions(workflowId);
			expect(failed?.status).toBe('error');
			expect(failed?.nodes.at(-1)?.error).toBe(messages[0]);
			expect(await api.card(card.id)).toMatchObject({ status: 'frozen' });
		});
	});

	describe('for a person', () => {
		const freezeWith = async (change: (file: WorkflowFile) => WorkflowFile) => {
			const { api, sandbox, active } = environment().company;
			const { id } = active[1];
			await api.unfreeze(id);
			const own = await importSubscribed(environment(), change(await readWorkflow(workflowFile)));
			await sandbox.unsubscribe({ id: own.endpointId });
			const delivery = signedDelivery(cardEvent(id, { amount: '1000.00' }), own.signingSecret);
			const statuses = [await deliver(own.webhookUrl, delivery)];
			const [execution] = await own.n8n.waitForExecutions(own.workflowId);
			statuses.push(await deliver(own.webhookUrl, delivery));
			return { execution, statuses, card: await api.card(id) };
		};

		it('who has deleted the step for Slack, it freezes the card', async () => {
			const { execution, statuses, card } = await freezeWith((file) => {
				const nodes = file.nodes.filter(({ name }) => name !== 'Notify Slack');
				const connections = Object.entries(connectionsSchema.parse(file.connections)).map(
					([from, { main }]) => {
						const left = main.map((to) => to.filter(({ node }) => node !== 'Notify Slack'));
						return [from, { main: left }] as const;
					},
				);
				return { ...file, nodes, connections: Object.fromEntries(connections) };
			});
			expect([execution.status, card.status]).toEqual(['success', 'frozen']);
			expect(statuses).toEqual([200, 200]);
		});

		it('whose Slack refuses the message, it freezes the card, fails, and is content with the next delivery', async () => {
			const { execution, statuses, card } = await freezeWith(withMissingChannel);
			expect([execution.status, card.status]).toEqual(['error', 'frozen']);
			expect(statuses).toEqual([500, 200]);
			expect(outputOf(execution, 'Notify Slack').error).toMatch(/channel_not_found/);
		});
	});
});
