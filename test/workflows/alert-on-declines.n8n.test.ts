import { join } from 'node:path';

import { outputOf } from '../../dev/harness/n8n/executions.ts';
import { readWorkflow } from '../../dev/harness/n8n/workflow.ts';
import { trackPurchase } from '../../dev/harness/scenario/purchase.ts';
import { workflowsFolder } from '../../dev/harness/tools/paths.ts';
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

// As docs/apps.md says: there is no `slackText` where a workflow has email only.
test('its step for Slack says in another workflow what the email would say', async () => {
	const { company, internet } = environment();
	const { nodes } = await readWorkflow(join(workflowsFolder, 'alert-on-declines.json'));
	const slack = nodes.find(({ name }) => name === 'Notify Slack');
	const automation = await importFile(environment(), 'freeze-on-decline.json', (file) => ({
		...file,
		nodes: file.nodes.map((node) =>
			node.name === 'Send email' ? { ...node, ...slack, name: node.name, disabled: false } : node,
		),
	}));
	const cardId = await company.api.createCard('Copied', company.account.id);
	const before = await internet.slackMessages();
	const merchantName = '<!channel> & Co';
	const decline = { reason: 'suspected_fraud' };
	const purchase = { cardId, amount: '4.00', merchantName, merchantCountry: 'RO', decline };
	const { execution } = await trackPurchase({ ...company, ...automation }, purchase);
	expect(execution.status).toBe('success');
	// The other test's workflow reports the decline, too.
	const sent = (await internet.slackMessages()).slice(before.length);
	expect(sent).toContainEqual(
		expect.objectContaining({
			channel: '#card-alerts',
			text: expect.stringMatching(
				/^Froze Copied .*\nDeclined: .* at &lt;!channel&gt; &amp; Co \(RO\)/,
			),
		}),
	);
});
