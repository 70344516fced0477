import { readSteps, runSteps } from './steps';

const file = readSteps('last-month-by-card.json');

test.each([
	['a month, the newest first', ['2026-10-31', '2026-10-01'], '2026-10'],
	[
		'three months, the newest first',
		['2026-12-01', '2026-11-05', '2026-10-09'],
		'2026-10 to 2026-12',
	],
	[
		'three months, the oldest first',
		['2026-10-09', '2026-11-05', '2026-12-01'],
		'2026-10 to 2026-12',
	],
])('the rows of "Last month by card" are named after %s', (_, dates, named) => {
	const { items } = runSteps(
		file,
		'Every month',
		{},
		{
			Transactions: dates.map((localDate) => ({ localDate })),
			'Sum per card': [{ cardId: 'card', currency: 'USD', sum_amountNumber: 1, count_id: 1 }],
		},
	);
	expect(items('Columns')).toMatchObject([{ Month: named, Row: `${named} card USD` }]);
});

test('"Last month by card" makes no row and no file of a month without purchases', () => {
	const declined = [{ status: 'declined', localDate: '2026-10-31' }];
	for (const transactions of [[], declined]) {
		const { steps } = runSteps(file, 'Every month', {}, { Transactions: transactions });
		expect(steps).not.toContain('Columns');
	}
});
