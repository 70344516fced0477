import { codeStep, type Json } from './codeStep';

const compare = codeStep('limits-and-credit.json', 'Compare');
const usual = { cardPercent: '20', creditPercent: '20', paymentDays: 3 };
const credit = (available: string, overall: string) => ({
	'Available credit': [{ availableCreditLimit: available, overallCreditLimit: overall }],
});

/** A card with a balance and a limit. */
const of = (balance: string, amount: string, name = 'One', more: Json = {}): Json => ({
	...{ id: name, name, lastFour: '0042', status: 'active', balance, limit: { amount } },
	...more,
});

/** The lines of the message; `settings` are what a person enters. */
function linesOf(
	cards: Json[],
	settings: Record<string, string> = {},
	results: Record<string, Json[]> = {},
) {
	const listed = cards.filter(({ status }) => status !== 'archived');
	const outputs = {
		...credit('100.00', '100.00'),
		Settings: [{ ...usual, ...settings }],
		'Payments due': [],
		'Not archived': listed.map((card) => ({ ...card, balance: undefined, limit: undefined })),
		'Limit and balance': listed,
		...results,
	};
	return compare({ outputs }).flatMap(({ text }) => String(text).split('\n'));
}

describe('"Limits and credit every morning"', () => {
	it.each([
		['a hair below the share', '20', '1801439850948198.59', '9007199254740993', true],
		['exactly the share', '20', '1801439850948198.60', '9007199254740993', false],
		['a share with decimals', '12.5', '12.49', '100', true],
		['the very share with decimals', '12.5', '12.50', '100', false],
		['the whole limit', '100', '100.00', '100.00', false],
		['an overdrawn card', '20', '-5.00', '100.00', true],
		['a limit of zero', '20', '0.00', '0.00', false],
		['a limit of zero that is overdrawn', '20', '-1.00', '0.00', true],
	])('a card with %s', (_, cardPercent, balance, limit, isListed) => {
		expect(linesOf([of(balance, limit)], { cardPercent })).toHaveLength(isListed ? 2 : 0);
	});

	it('lists the smallest share first, leaves archived cards out, and names what cannot be read', () => {
		const cards = [
			of('9.99', '50.00', 'Below', { limit: { amount: '50.00', type: 'monthly' } }),
			of('1.00', '100.00', 'Near'),
			of('1.00', '100.00', 'Old', { status: 'archived' }),
			of('1.00', '100.00', 'No limit', { limit: null }),
			of('9,99', '100.00', 'Comma'),
			of('1.00', '100.00', 'Gone', { error: 'not found' }),
		];
		expect(linesOf(cards)).toEqual([
			'Cards with less than 20 % of their limit left: 2',
			'Near (•••• 0042): 1.00 of 100.00, 1.0 %',
			'Below (•••• 0042): 9.99 of 50.00 (monthly), 19.9 %',
			'Cards that could not be read: 2',
			'Comma (•••• 0042): balance "9,99", limit "100.00"',
			'Gone (•••• 0042): not found',
		]);
	});

	it('lists fifty of many cards', () => {
		const many = Array.from({ length: 53 }, (_, index) =>
			of(`${53 - index}.00`, '1000.00', `${index}`),
		);
		const lines = linesOf(many);
		expect(lines).toHaveLength(52);
		expect(lines.slice(-2)).toEqual(['3 (•••• 0042): 50.00 of 1,000.00, 5.0 %', '… and 3 more']);
	});

	it.each([
		['a hair below the share', '1801439850948198.59', '9007199254740993', true],
		['exactly the share', '1801439850948198.60', '9007199254740993', false],
		['overdrawn', '-5.00', '0.00', true],
		['not there at all', '0.00', '0.00', false],
		['no amount', '9,99', '100.00', true],
	])('credit that is %s', (_, available, overall, isTold) => {
		const shown = available.replace('1801439850948198', '1,801,439,850,948,198');
		const lines = linesOf([], {}, credit(available, overall));
		expect(lines).toEqual(isTold ? [expect.stringContaining(shown)] : []);
	});

	it('credit, payments and cards in one message', () => {
		const amount = { amount: '1120.50', status: 'scheduled', descriptor: 'Cards' };
		const due = { dueDate: '2026-05-02', ...amount };
		const results = { ...credit('12.34', '100.00'), 'Payments due': [due] };
		expect(linesOf([of('15.00', '100.00')], { creditPercent: '12.5' }, results)).toEqual([
			'Less than 12.5 % of the credit is left: 12.34 of 100.00, 12.3 %',
			'Payments due in the next 3 days: 1',
			'2026-05-02, 1,120.50, scheduled, Cards',
			'Cards with less than 20 % of their limit left: 1',
			'One (•••• 0042): 15.00 of 100.00, 15.0 %',
		]);
	});

	it.each([
		...['', '20 %', '0'].map((percent) => ['cardPercent', percent]),
		...['-1', '101', '1e1'].map((percent) => ['creditPercent', percent]),
	])('fails if %s is "%s"', (name = '', percent = '') => {
		expect(() => linesOf([of('1.00', '100.00')], { [name]: percent })).toThrow(
			`${name} in Settings is "${percent}"`,
		);
	});
});
