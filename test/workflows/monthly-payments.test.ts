import { DateTime } from 'luxon';

import { filledIn, type Json, readSteps, runSteps } from './steps';

const file = readSteps('monthly-payments-spreadsheet.json');

/** Runs the workflow for these accounts, as if it ran at a moment in a time zone. */
function run(accounts: string, payments: Json[], moment = '2026-05-05T06:00:00Z', zone = 'utc') {
	const entered = filledIn(file, 'Settings', { accounts });
	const now = DateTime.fromISO(moment, { zone });
	return runSteps(entered, 'Every month', {}, { Payments: payments }, now);
}

test.each([
	['2026-03-01T06:00:00Z', 'Europe/Berlin', '2026-02-01', '2026-02-28'],
	['2024-03-01T06:00:00Z', 'Europe/Berlin', '2024-02-01', '2024-02-29'],
	['2026-01-31T12:00:00Z', 'Europe/Berlin', '2025-12-01', '2025-12-31'],
	['2026-03-31T23:30:00Z', 'Europe/Berlin', '2026-03-01', '2026-03-31'],
	['2026-04-01T02:30:00Z', 'America/New_York', '2026-02-01', '2026-02-28'],
])('takes the month before %s in %s', (moment, zone, from, to) => {
	const { items } = run('1001', [{}], moment, zone);
	expect(items('Last month')).toMatchObject([{ from, to, month: from.slice(0, 7) }]);
});

test('takes each account once, and without any that of the key', () => {
	const named = run('1002, 01001;1002', [{}]);
	const names = '1002-1001';
	expect(named.items('Accounts')).toEqual(['1002', '1001'].map((account) => ({ account, names })));
	expect(named.steps).not.toContain('Payments of the key');
	const { items, steps } = run(' ', [{}]);
	expect(items('Accounts')).toEqual([{ account: '', names: 'account' }]);
	expect(steps).toContain('Payments of the key');
	expect(steps).not.toContain('Payments');
});

test('counts only what was paid, keeps the exact amount, and says if there was nothing', () => {
	const payment = (status: string) => ({
		id: status,
		status,
		amount: '0.10',
		dueDate: '2026-04-01',
	});
	expect(run('1001', [payment('paid'), payment('failed')]).items('Columns')).toMatchObject([
		{ Paid: '0.10', Exact_amount: '0.10', Payment_ID: 'paid' },
		{ Paid: 0, Exact_amount: '0.10', Payment_ID: 'failed' },
	]);
	expect(run('1001, 1002', [{}]).items('No-payments row')).toMatchObject([
		{ Account: '1001, 1002', Description: 'No payments from 2026-04-01 to 2026-04-30' },
	]);
});
