import type { SandboxClient } from '../../dev/harness/sandboxClient.ts';

/** The IDs of the transactions, by what became of them. */
export type DayOfPurchases = Awaited<ReturnType<typeof dayOfPurchases>>;

/** What became of a purchase. */
export type Outcome = keyof DayOfPurchases;

/**
 * Lets everything happen to purchases that regularly does, on two of the cards; `alone` is the only purchase
 * on a third. Throws when there are fewer cards.
 */
export async function dayOfPurchases(
	sandbox: SandboxClient,
	cards: readonly { id: string; status: string; type: string }[],
) {
	const [one, other, quiet] = cards
		.filter(({ status, type }) => status === 'active' && type === 'recurring')
		.map(({ id }) => id);
	if (one === undefined || other === undefined || quiet === undefined) {
		throw new Error('There are too few cards');
	}

	const purchase = async (cardId: string, amount: string, decline?: { reason: string }) => {
		const merchant = { merchantName: '=Corner Bakery', merchantCountry: 'US' };
		const { event } = await sandbox.authorize({
			cardId,
			amount,
			...merchant,
			...(decline && { decline }),
		});
		return event.transactionId;
	};
	const ids = {
		pending: await purchase(one, '12.50'),
		declined: await purchase(one, '45.00', { reason: 'suspected_fraud' }),
		settled: await purchase(other, '80.00'),
		inParts: await purchase(other, '0.70'),
		partlyCleared: await purchase(one, '60.00'),
		partlyReversed: await purchase(one, '30.00'),
		reversed: await purchase(one, '25.00'),
		released: await purchase(other, '1.00'),
		refunded: await purchase(other, '90.00'),
		alone: await purchase(quiet, '5.00'),
	};
	await sandbox.simulateStep('clearing', ids.settled);
	// Parts that floating-point numbers would add up to 0.6000000000000001.
	for (const amount of ['0.10', '0.20', '0.30']) {
		await sandbox.simulateStep('clearing', ids.inParts, amount);
	}
	await sandbox.simulateStep('reversal', ids.inParts);
	await sandbox.simulateStep('clearing', ids.partlyCleared, '20.00');
	await sandbox.simulateStep('reversal', ids.partlyReversed, '10.00');
	await sandbox.simulateStep('reversal', ids.reversed);
	await sandbox.simulateStep('release', ids.released);
	await sandbox.simulateStep('clearing', ids.refunded);
	const { transaction } = await sandbox.simulateStep('refund', ids.refunded, '40.00');
	return { ...ids, refund: transaction.id };
}
