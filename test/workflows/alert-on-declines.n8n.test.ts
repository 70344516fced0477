import { trackPurchase } from '../../harness/scenario/purchase.ts';
import { activated, importFile, useTestEnvironment } from './environment.ts';
import { lines, sentDuring, slackMessagesDuring } from './slackMessages.ts';

const environment = useTestEnvironment();

// alert-on-declines.test.ts has the message with other events.
test('"Alert on declines" tells of a declined purchase, and of no other', async () => {
	const { company } = environment();
	const automation = await importFile(environment(), 'alert-on-declines.json', (file) =>
		activated(file, 'Declined purchase by webhook', 'Notify Slack'),
	);
	const [card] = company.active;
	const usual = {
		cardId: card.id,
		merchantName: '<!channel> & <https://evil.example|Tom>',
		merchantCountry: 'RO',
	};
	const buy = async () => {
		await company.sandbox.authorize({ ...usual, amount: '4.00' });
		const decline = { reason: 'suspected_fraud' };
		await trackPurchase(
			{ ...company, ...automation },
			{ ...usual, amount: '2450.00', currency: 'EUR', decline },
		);
	};
	const [message, ...others] = await slackMessagesDuring(environment(), buy);
	expect(others).toEqual([]);
	expect(message?.replace(/Time: \d.* 20\d\d, \d\d:\d\d .*/, 'Time')).toEqual(
		lines(
			'Declined: 2450.00 EUR',
			'Merchant: &lt;!channel&gt; &amp; &lt;https://evil.example|Tom&gt;',
			'Country: RO',
			`Card: ${card.name} (…${card.lastFour})`,
			'Reason: suspected fraud',
			'Time',
			`https://dashboard.example.com/cards/${card.id}`,
		),
	);
	expect(await sentDuring(environment(), buy)).toEqual([
		{ url: 'https://slack.com/api/chat.postMessage', channel: '#card-alerts' },
	]);
});
