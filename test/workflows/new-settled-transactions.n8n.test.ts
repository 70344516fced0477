import { importFor, useTestEnvironment } from './environment.ts';
import type { Json } from './steps';

const environment = useTestEnvironment();

test('"New settled transactions" passes each transaction on once, when it has settled, with its final amount', async () => {
	const { n8n, company } = environment();
	const { sandbox, active } = company;
	const purchase = { cardId: active[0].id, amount: '80.00', merchantName: 'Shop' };
	const { transactionId } = (await sandbox.authorize(purchase)).event;
	const file = 'new-settled-transactions.json';
	const { id } = await importFor(environment(), file, { readOnly: true });
	const run = async () => {
		const execution = await n8n.run(id, 'Every hour');
		expect(execution.status).toBe('success');
		const messages = execution.nodes.find(({ name }) => name === 'Write the message');
		const items = (messages?.items ?? []) as Json[];
		return items.filter((item) => item.id === transactionId).map(({ text }) => text);
	};
	expect(await run()).toEqual([]);
	await sandbox.simulateStep('clearing', transactionId, '79.99');
	await sandbox.simulateStep('reversal', transactionId);
	expect(await run()).toEqual([
		expect.stringMatching(/^Settled: 79\.99 USD\nMerchant: Shop\nCard: /),
	]);
	expect(await run()).toEqual([]);
});
