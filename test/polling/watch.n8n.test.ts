import { cardPlatform, node, workflowOf } from '../../dev/harness/n8n/workflow.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import { useTestEnvironment } from '../workflows/environment.ts';
import { pollTimes } from './pollTimes.ts';
import { runsOf } from './ran.ts';

const environment = useTestEnvironment();

/** Publishes a workflow that polls every three seconds; gives what has run, once there is that much. */
async function publish(parameters: object) {
	const { n8n, credentials } = environment();
	const credential = credentials[cardPlatform.pollingTrigger];
	const trigger = node('Polling', cardPlatform.pollingTrigger, {
		credential,
		parameters: { ...parameters, pollTimes },
	});
	const id = await n8n.addAndPublish(
		workflowOf('Changes', [trigger, node('Downstream', 'n8n-nodes-base.noOp')]),
	);
	return async (count: number) =>
		await waitUntil(
			async () => {
				const items = runsOf(await n8n.executions(id)).flat();
				return items.length >= count ? items : undefined;
			},
			{ what: `${count} items`, withinMs: 120_000, everyMs: 250 },
		);
}

test('a transaction that has settled, with its final amount and its card', async () => {
	const { sandbox, active } = environment().company;
	const [card] = active;
	const purchase = { cardId: card.id, amount: '80.00', merchantName: 'Shop' };
	const { transactionId } = (await sandbox.authorize(purchase)).event;
	const ran = await publish({ watch: 'transactions', options: { includeCard: true } });
	await sandbox.simulateStep('clearing', transactionId, '79.99');
	const [item] = await ran(1);
	expect(item).toMatchObject({
		summary: 'Settled: 79.99 USD at Shop',
		previousStatus: 'pending',
		cardName: card.name,
		cardLastFour: card.lastFour,
		status: 'settled',
		id: transactionId,
	});
	expect(Object.keys(item as object).slice(-3)).toEqual(['cardId', 'id', 'delivery']);
});

test('a card that somebody froze, each time', async () => {
	const { api, active } = environment().company;
	const [, card] = active;
	const ran = await publish({ watch: 'cards', cardChanges: ['frozen', 'active'] });
	for (const [index, action] of (['freeze', 'unfreeze', 'freeze'] as const).entries()) {
		await api.changeCard(card.id, action);
		expect((await ran(index + 1)).at(-1)).toMatchObject({
			id: card.id,
			status: action === 'freeze' ? 'frozen' : 'active',
			previousStatus: action === 'freeze' ? 'active' : 'frozen',
		});
	}
	expect(await ran(3)).toHaveLength(3);
});
