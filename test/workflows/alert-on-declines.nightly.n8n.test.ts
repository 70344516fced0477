import { join } from 'node:path';

import { outputOf } from '../../dev/harness/n8n/executions.ts';
import { readWorkflow, setUpWorkflow } from '../../dev/harness/n8n/workflow.ts';
import { workflowsFolder } from '../../dev/harness/tools/paths.ts';
import { activated, useTestEnvironment } from './environment.ts';
import { messagesDuring } from './messages.ts';
import { polling } from './pollingFile.ts';

const environment = useTestEnvironment();

it('"Alert on declines" sends a message for each of several events', async () => {
	const { n8n, company, credentials } = environment();
	const [first, second] = company.active;
	const name = 'alert-on-declines.json';
	const file = activated(await readWorkflow(join(workflowsFolder, name)), 'Send e-mail');
	// Not published: its own polls would send messages, too.
	const id = await n8n.addWorkflow(setUpWorkflow({ ...polling(file), pinData: {} }, credentials));
	// A frozen card would be another reason to decline.
	for (const card of [first, second]) await company.api.changeCard(card.id, 'unfreeze');
	const purchases = [
		{ card: first, merchant: 'Bakery' },
		{ card: second, merchant: 'Bookshop' },
		{ card: first, merchant: 'Cinema' },
	];
	for (const { card, merchant } of purchases) {
		await company.sandbox.authorize({
			cardId: card.id,
			amount: '20.00',
			merchantName: merchant,
			merchantCountry: 'RO',
			decline: { reason: 'suspected_fraud' },
		});
	}
	let events: unknown[] = [];
	const messages = await messagesDuring(environment(), async () => {
		// A manual run gets the newest events in one execution, as a poll does.
		const execution = await n8n.run(id, 'Declined purchase');
		expect(execution.status).toBe('success');
		events = outputOf(execution, 'Declined purchase').items;
	});
	expect(messages).toHaveLength(events.length);
	const told = messages.map((text) => / at (.*) \(RO\)[^]*Card: (.*) \(••••/.exec(text)?.slice(1));
	const made = purchases.map(({ card, merchant }) => [merchant, card.name]);
	expect(told.slice(0, 3)).toEqual(made.reverse());
});
