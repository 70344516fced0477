import { useTestEnvironment } from './environment.ts';
import { publishWatch } from './watchFile.ts';

const environment = useTestEnvironment();

test('"New settled transactions" tells of each transaction once, when it has settled, with its final amount', async () => {
	const { sandbox, active } = environment().company;
	const [card] = active;
	const authorize = async (merchantName: string) => {
		const purchase = { cardId: card.id, amount: '80.00', merchantName };
		return (await sandbox.authorize(purchase)).event.transactionId;
	};
	const before = await authorize('Before');
	await sandbox.simulateStep('clearing', before);
	const first = await authorize('First');
	const mailWith = await publishWatch(environment(), 'new-settled-transactions.json');
	await sandbox.simulateStep('clearing', first, '79.99');
	await sandbox.simulateStep('reversal', first);
	expect(await mailWith('First')).toEqual({
		text: expect.stringContaining(`Settled: 79.99 USD at First\nCard: ${card.name}`),
		count: 1,
	});
	await sandbox.simulateStep('clearing', await authorize('Second'));
	expect(await mailWith('Second')).toMatchObject({ count: 1 });
	expect(await mailWith('First')).toMatchObject({ count: 1 });
	const { mails } = environment().mailServer;
	expect(JSON.stringify(mails)).not.toContain('at Before');
});
