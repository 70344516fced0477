import { join } from 'node:path';

import { readWorkflow } from '../../harness/n8n/workflow.ts';
import type { Automation } from '../../harness/scenario/automation.ts';
import { trackPurchase } from '../../harness/scenario/purchase.ts';
import { workflowsFolder } from '../../harness/tools/paths.ts';
import { cardEvent, execute } from '../trigger/events.ts';
import { importSubscribed, useTestEnvironment } from './environment.ts';
import { lines, sentDuring, slackMessagesDuring } from './slackMessages.ts';

const environment = useTestEnvironment();

// Tests "Slack alert on declines": the very text that Slack gets.
describe('"Slack alert on declines"', () => {
	let automation: Automation;

	beforeAll(async () => {
		const file = await readWorkflow(join(workflowsFolder, 'slack-alert-on-declines.json'));
		automation = await importSubscribed(environment(), file);
	}, 400_000);

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
});
