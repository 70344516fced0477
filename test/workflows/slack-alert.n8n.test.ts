import { join } from 'node:path';

import { outputOf } from '../../harness/n8n/executions.ts';
import { readWorkflow, type WorkflowFile } from '../../harness/n8n/workflow.ts';
import type { Automation } from '../../harness/scenario/automation.ts';
import { trackPurchase } from '../../harness/scenario/purchase.ts';
import { workflowsFolder } from '../../harness/tools/paths.ts';
import { cardEvent, execute, executionAfter } from '../trigger/events.ts';
import { activated, importSubscribed, importWorkflow, useTestEnvironment } from './environment.ts';
import { pollsSoon } from './pollingFile.ts';
import { lines, sentDuring, slackMessagesDuring } from './slackMessages.ts';

const environment = useTestEnvironment();

// Tests "Slack alert on declines": the very text that Slack gets, by webhook and by polling.
describe('"Slack alert on declines"', () => {
	let file: WorkflowFile;
	let automation: Automation;

	// With both triggers, as a person has it who has followed all of its notes.
	beforeAll(async () => {
		file = await readWorkflow(join(workflowsFolder, 'slack-alert-on-declines.json'));
		const nodes = file.nodes.map(pollsSoon);
		const all = activated({ ...file, nodes }, 'Declined purchase by webhook', 'Notify Slack');
		automation = await importSubscribed(environment(), all);
	}, 400_000);

	/** The execution that a poll starts for an event. */
	const polled = (workflowId: string, { event }: { event: { id: string } }) =>
		executionAfter(environment().n8n, workflowId, event, 120_000);

	const link = (cardId: string) => `https://dashboard.example.com/cards/${cardId}`;

	it('tells of a declined purchase that the card platform reports, and of no other', async () => {
		const [card] = environment().company.active;
		await environment().company.api.unfreeze(card.id);
		const { sandbox } = environment().company;
		const usual = { cardId: card.id, merchantName: 'Elektronik Outlet', merchantCountry: 'RO' };
		const messages = await slackMessagesDuring(environment(), async () => {
			await sandbox.authorize({ ...usual, amount: '4.00' });
			const decline = { reason: 'suspected_fraud' };
			await trackPurchase(
				{ ...environment().company, ...automation },
				{ ...usual, amount: '2450.00', currency: 'EUR', decline },
			);
		});
		expect(messages).toEqual([
			lines(
				'Declined: 2450.00 EUR',
				'Merchant: Elektronik Outlet',
				'Country: RO',
				`Card: ${card.name} (…${card.lastFour})`,
				'Reason: suspected_fraud',
				link(card.id),
			),
		]);
	});

	it.each<[string, object, [amount: string, merchant: string, country: string, reason: string]]>([
		[
			'a merchant whose name is markup',
			{ merchantName: '<!channel> & <https://evil.example|Tom>', merchantCountry: 'A>B' },
			['12.30 USD', '&lt;!channel&gt; &amp; &lt;https://evil.example|Tom&gt;', 'A&gt;B', ''],
		],
		[
			'no merchant and no amount',
			{ merchantName: undefined, merchantCountry: undefined, amount: undefined },
			[' USD', '', '', ''],
		],
		[
			'nothing but the card',
			{
				merchantName: '',
				merchantCountry: undefined,
				amount: undefined,
				currency: undefined,
				issues: undefined,
				createdAt: undefined,
			},
			[' ', '', '', ''],
		],
		[
			'two reasons',
			{ issues: [{ reason: 'a<b' }, { origin: 'network' }, { reason: 'card_frozen' }] },
			['12.30 USD', 'Corner Bakery', 'US', 'a&lt;b, card_frozen'],
		],
	])('reads well with %s', async (_, changes, [amount, merchant, country, reason]) => {
		const { id, name, lastFour } = environment().company.active[1];
		const event = cardEvent(id, { isSuccess: false, ...changes });
		const messages = await slackMessagesDuring(environment(), () => execute(automation, event));
		expect(messages).toEqual([
			lines(
				`Declined: ${amount}`,
				`Merchant: ${merchant}`,
				`Country: ${country}`,
				`Card: ${name} (…${lastFour})`,
				`Reason: ${reason}`,
				link(id),
			),
		]);
	});

	it('tells of a card that nobody knows, too', async () => {
		const id = '00000000-0000-4000-8000-000000000000';
		const event = cardEvent(id, { isSuccess: false });
		const messages = await slackMessagesDuring(environment(), async () => {
			const { status } = await execute(automation, event);
			expect(status).toBe('success');
		});
		expect(messages).toEqual([
			lines(
				'Declined: 12.30 USD',
				'Merchant: Corner Bakery',
				'Country: US',
				`Card: ${id}, which could not be looked up`,
				'Reason: ',
				link(id),
			),
		]);
	});

	it('sends to the channel of the node, and nothing else to the internet', async () => {
		const event = cardEvent('00000000-0000-4000-8000-000000000000', { isSuccess: false });
		const sent = await sentDuring(environment(), () => execute(automation, event));
		expect(sent).toEqual([
			{ url: 'https://slack.com/api/chat.postMessage', channel: '#card-alerts' },
		]);
	});

	it('alerts once of a decline that both triggers find, and of one whose delivery was lost', async () => {
		const { sandbox, active } = environment().company;
		const cardId = active[1].id;
		const decline = { reason: 'suspected_fraud' };
		const messages = await slackMessagesDuring(environment(), async () => {
			await trackPurchase(
				{ ...environment().company, ...automation },
				{ cardId, amount: '5.00', merchantName: 'Delivered', decline },
			);
			await sandbox.unsubscribe({ id: automation.endpointId });
			// A poll emits the oldest event first, so it has seen the delivered one by then.
			const lost = { cardId, amount: '5.00', merchantName: 'Lost', decline };
			await polled(automation.workflowId, await sandbox.authorize(lost));
		});
		expect(messages.map((text) => /Merchant: (.*)/.exec(text)?.[1])).toEqual(['Delivered', 'Lost']);
	});

	it('as it is imported, polls, and needs neither a webhook nor Slack', async () => {
		const { company } = environment();
		const credentials = Object.entries(environment().credentials).filter(
			([type]) => type !== 'n8n-nodes-base.slack',
		);
		const { id } = await importWorkflow(
			{ ...environment(), credentials: Object.fromEntries(credentials) },
			{ ...file, nodes: file.nodes.map(pollsSoon) },
		);
		const purchase = { cardId: company.active[1].id, amount: '6.00' };
		const bought = await company.sandbox.authorize({ ...purchase, decline: { reason: 'x' } });
		const execution = await polled(id, bought);
		expect(execution.status).toBe('success');
		expect(outputOf(execution, 'Write the message').items).toHaveLength(1);
	});
});
