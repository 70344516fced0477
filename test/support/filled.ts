/** A value for every field that some operation requires, and for those that a write may use. */
export const FILLED = {
	accountId: '1001',
	toAccountId: '1002',
	amount: '25.00',
	name: 'Travel',
	type: 'recurring',
	cardId: { __rl: true, mode: 'id', value: '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10' },
	transactionId: '7a5a0000-0000-4000-8000-000000000001',
	updateFields: { name: 'New' },
	from: '2026-01-01',
	to: '2026-01-31',
};
