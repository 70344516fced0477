import { dailySpend } from '../../sandbox/balance/credit.ts';
import { authorize } from '../../sandbox/simulate/authorize.ts';
import { databaseWithCards, servicesOf } from './support/database.ts';
import { cardId, createCard, startSandbox } from './support/sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
const start = () => startSandbox({ now: () => NOW });

test('an account-scoped key sees the limit and spend of its account', async () => {
	const sandbox = await start();
	await sandbox.makeKey(1001);
	expect(await sandbox.api('GET', '/balance')).toEqual({
		status: 200,
		body: {
			// 250000.00 - 671.29 pending - 4930.25 in the scheduled payment.
			availableCreditLimit: '244398.46',
			overallCreditLimit: '250000.00',
			last24HoursSpend: '258.49',
			// 671.29 pending and 5137.30 settled purchases; the refunds are not taken off.
			last30DaysSpend: '5808.59',
		},
	});
});

test('a customer-scoped key sees all accounts together', async () => {
	const sandbox = await start();
	// 150000.00 - 1434.20 pending - 6617.35 in the scheduled payment of the other account.
	expect((await sandbox.api('GET', '/balance')).body).toMatchObject({
		availableCreditLimit: '386346.91',
		overallCreditLimit: '400000.00',
	});
});

test('the spend of the last 24 hours and 30 days follows the clock', async () => {
	let now = NOW;
	const sandbox = await startSandbox({ now: () => now, seed: 'none' });
	const id = await createCard(sandbox);
	await sandbox.client.authorize({ cardId: id, amount: '10.00' });
	const hour = 60 * 60 * 1000;
	const spendAfter = async (hours: number) => {
		now = new Date(NOW.getTime() + hours * hour);
		return (await sandbox.api('GET', '/balance')).body;
	};
	// A purchase that is later than the clock is no spend.
	expect(await spendAfter(-1)).toMatchObject({ last30DaysSpend: '0.00' });
	const spend = (last24HoursSpend: string, last30DaysSpend: string): unknown =>
		expect.objectContaining({ last24HoursSpend, last30DaysSpend });
	expect(await spendAfter(24)).toEqual(spend('10.00', '10.00'));
	expect(await spendAfter(24.1)).toEqual(spend('0.00', '10.00'));
	expect(await spendAfter(30 * 24 + 0.1)).toEqual(spend('0.00', '0.00'));
});

test('the spend of each of the last 30 days, the last one first, as the balance counts it', () => {
	const db = databaseWithCards(NOW, 1_000_000);
	const day = 24 * 60 * 60 * 1000;
	let ago = 0;
	const services = servicesOf(db, () => new Date(NOW.getTime() - ago));
	const merchant = {};
	for (const [days, amount] of [
		[30.001, 1],
		[30, 2],
		[29.5, 3],
		[1.001, 4],
		[1, 5],
		[0, 6],
	] as const) {
		ago = days * day;
		authorize(services, { cardId: cardId(0), amount, currency: 'USD', merchant });
	}
	expect(dailySpend(db, NOW)).toEqual([11, 4, ...Array<number>(27).fill(0), 5]);
});
