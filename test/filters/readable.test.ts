import { toItem, toReadable } from '../../nodes/CardPlatform/events/item';
import { summarize } from '../../nodes/CardPlatform/events/summary';

const decline = {
	id: 'e',
	transactionId: 't',
	cardId: 'c',
	amount: '2450.00',
	amountDirection: 'debit',
	currency: 'USD',
	isSuccess: false,
	createdAt: '2026-05-01T12:00:00Z',
	issues: [{ reason: 'suspected_fraud' }, { reason: 'suspected_fraud' }, { origin: 'x' }],
	mcc: '5812',
	merchantName: 'Elektronik Outlet',
	merchantCountry: 'RO',
};
const approved = { isSuccess: true, amountDirection: 'debit' };

test.each<[object, string]>([
	[{}, 'Declined: 2,450.00 USD at Elektronik Outlet (RO), suspected fraud'],
	[{ issues: 'none' }, 'Declined: 2,450.00 USD at Elektronik Outlet (RO)'],
	[
		{ issues: [{ reason: 'a' }, { reason: 'b' }], merchantName: 'x'.repeat(80) },
		`Declined: 2,450.00 USD at ${'x'.repeat(80)} (RO), a, b`,
	],
	[{ isReversal: true, issues: [] }, 'Declined: 2,450.00 USD at Elektronik Outlet (RO)'],
	[{ isSuccess: true }, 'Approved: 2,450.00 USD at Elektronik Outlet (RO)'],
	[{ isSuccess: true, isReversal: true }, 'Reversed: 2,450.00 USD at Elektronik Outlet (RO)'],
	[
		{ isSuccess: true, amountDirection: 'credit' },
		'Refunded: 2,450.00 USD at Elektronik Outlet (RO)',
	],
	[{ isSuccess: undefined }, 'Other event: 2,450.00 USD at Elektronik Outlet (RO)'],
	[{ merchantName: undefined, issues: [] }, 'Declined: 2,450.00 USD (RO)'],
	[
		{ merchantName: '\u202e A\n\u202eB  C\u2028', merchantCountry: '', issues: [] },
		'Declined: 2,450.00 USD at A B C',
	],
	[
		{ merchantName: 'x'.repeat(81), issues: [] },
		`Declined: 2,450.00 USD at ${'x'.repeat(80)}… (RO)`,
	],
])('%j: %s', (changes, summary) => {
	expect(summarize({ ...decline, ...changes })).toBe(summary);
});

test.each<[unknown, string]>([
	['1', '1'],
	['1500', '1,500'],
	['0.1', '0.10'],
	['1234567.005', '1,234,567.005'],
	['-1000.5', '-1,000.50'],
	['123', '123'],
	['about 1500 or so', 'about 1500 or so'],
	['about 1500', 'about 1500'],
	['1500 or so', '1500 or so'],
	[1e6, '1,000,000'],
])('amount %j: %s', (amount, shown) => {
	expect(summarize({ ...approved, amount })).toBe(`Approved: ${shown}`);
});

test('nothing is known', () => {
	expect(summarize({})).toBe('Other event');
	expect(summarize({ isSuccess: false, currency: 'USD' })).toBe('Declined');
});

test('first what happened, IDs and delivery last; a field of the API is never overwritten', () => {
	const item = toItem(decline, { source: 'polling', cardName: 'Travel', cardLastFour: '0042' });
	const readable = toReadable(item, false);
	expect(Object.keys(readable).join(' ')).toBe(
		'eventType summary createdAt cardName cardLastFour amount currency merchantName merchantCountry declineReason amountDirection isSuccess issues mcc cardId transactionId id delivery',
	);
	expect(readable).toMatchObject({ ...decline, delivery: { source: 'polling' } });
	expect(readable.delivery).toEqual({ source: 'polling' });
	expect(toReadable(readable, false)).toEqual(readable);
	const own = { eventType: 'x', summary: null, declineReason: 7, cardName: 'own' };
	expect(toReadable({ ...item, ...own }, false)).toMatchObject(own);
	expect(Object.keys(toReadable(item, true)).join(' ')).toBe(
		'eventType summary createdAt cardName cardLastFour amount currency merchantName merchantCountry declineReason cardId transactionId',
	);
});
