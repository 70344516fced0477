import { outputOf } from '../../dev/harness/n8n/executions.ts';
import { trackPurchase } from '../../dev/harness/scenario/purchase.ts';
import { importFile, useTestEnvironment } from './environment.ts';
import { lines } from './messages.ts';

const environment = useTestEnvironment();

// freeze-on-decline.test.ts has every decision.
test('"Freeze on suspicious decline" freezes the card of a decline abroad, and no other', async () => {
	const { company } = environment();
	const automation = await importFile(environment(), 'freeze-on-decline.json');
	const [{ id: cardId }] = company.active;
	const buy = (merchantCountry: string, more: object = {}) =>
		trackPurchase(
			{ ...company, ...automation },
			{
				cardId,
				amount: '480.00',
				merchantName: 'Elektronik Outlet',
				merchantCountry,
				decline: { reason: 'suspected_fraud' },
				...more,
			},
		);
	const atHome = await buy('US');
	expect(atHome.execution.nodes.map(({ name }) => name)).toEqual([
		'Declined purchase',
		'Suspicious?',
	]);
	expect(atHome.card.status).toBe('active');
	const { execution, card } = await buy('RO');
	expect([execution.status, card.status]).toEqual(['success', 'frozen']);
	const [{ text } = { text: '' }] = outputOf(execution, 'What happened').items as {
		text: string;
	}[];
	expect(text.replace(/(?<=Time: )\d+ \w{3} 20\d\d, \d\d:\d\d \S+$/, 'now')).toBe(
		lines(
			`The card ${card.name} (…${card.lastFour}) is frozen`,
			'Declined: 480.00 USD',
			'Merchant: Elektronik Outlet, RO',
			'Reason: suspected fraud',
			'Time: now',
		),
	);
});
