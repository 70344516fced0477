import { outputOf } from '../../dev/harness/n8n/executions.ts';
import { trackPurchase } from '../../dev/harness/scenario/purchase.ts';
import { activated, eventItem, importFile, useTestEnvironment } from './environment.ts';
import { lines, messagesDuring, timeless } from './messages.ts';

const environment = useTestEnvironment();

test('"Alert on declines" tells of a declined purchase, and of no other, by email and in Slack', async () => {
	const { company, internet } = environment();
	const automation = await importFile(environment(), 'alert-on-declines.json', (file) =>
		activated(file, 'Declined purchase by webhook', 'Send email', 'Notify Slack'),
	);
	const [card] = company.active;
	const merchantName = '<!channel> & <https://evil.example|Tom>';
	const usual = { cardId: card.id, merchantName, merchantCountry: 'RO' };
	const [before, inSlack] = [await internet.requests(), await internet.slackMessages()];
	const mails = await messagesDuring(environment(), async () => {
		await company.sandbox.authorize({ ...usual, amount: '4.00' });
		const decline = { reason: 'suspected_fraud' };
		const purchase = { ...usual, amount: '2450.00', currency: 'EUR', decline };
		await trackPurchase({ ...company, ...automation }, purchase);
	});
	expect(mails.map(timeless)).toEqual([
		lines(
			`Declined: 2,450.00 EUR at ${merchantName} (RO), suspected fraud`,
			`Card: ${card.name} (•••• ${card.lastFour})`,
			'Time: now',
			`http://localhost:4010/dashboard/cards/${card.id}`,
		),
	]);
	const text = String(mails[0])
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;');
	expect((await internet.slackMessages()).slice(inSlack.length)).toEqual([
		expect.objectContaining({ channel: '#card-alerts', text }),
	]);
	expect((await internet.requests()).slice(before.length)).toHaveLength(1);

	// Each of several events has a message, as after a poll; a card that nobody knows has one, too.
	const unknown = 'ca4d0000-0000-4000-8000-00000000dead';
	const summary = 'Declined: 12.30 USD at Corner Bakery (US)';
	const events = [card.id, unknown].map((id) => eventItem(id, { isSuccess: false }));
	const { n8n } = environment();
	const execution = await n8n.run(automation.workflowId, 'Declined purchase by webhook', events);
	expect(outputOf(execution, 'Message').items).toEqual([
		{
			subject: `${card.name} (•••• ${card.lastFour}). ${summary}`,
			text: expect.stringContaining(`\nCard: ${card.name} (`),
			slackText: expect.stringContaining(`\nCard: ${card.name} (`),
		},
		{
			subject: `Card ${unknown}. ${summary}`,
			text: expect.stringContaining(`\nCard: ${unknown} (could not be looked up)`),
			slackText: expect.stringContaining(`\nCard: ${unknown} (could not be looked up)`),
		},
	]);
	expect((await internet.slackMessages()).slice(inSlack.length + 1)).toHaveLength(2);
});
