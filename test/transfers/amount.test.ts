import { UserError } from '../../nodes/CardPlatform/api/userError';
import { toAmount } from '../../nodes/CardPlatform/api/values';

test.each<[unknown, string]>([
	['250', '250.00'],
	['250.5', '250.50'],
	['250.05', '250.05'],
	[' 250.00 ', '250.00'],
	['0.01', '0.01'],
	['007', '7.00'],
	['99999999999999999999.99', '99999999999999999999.99'],
	[10, '10.00'],
	[10.5, '10.50'],
	[0.1, '0.10'],
	[1e3, '1000.00'],
])('%j is %s', (value, expected) => {
	expect(toAmount(value, 'Amount')).toBe(expected);
});

test.each<[unknown]>([
	['0'],
	['0.00'],
	['-5'],
	['+5'],
	['1,000.00'],
	['1.000,00'],
	['10,50'],
	['$10'],
	['10 USD'],
	['1e3'],
	['.5'],
	['5.'],
	['10.555'],
	['0x10'],
	['Infinity'],
	['１０'],
	[0],
	[-5],
	[0.1 + 0.2],
	[1e21],
	[2 ** 53],
	[Number.NaN],
	[Infinity],
	[true],
	[['10']],
	[{ amount: '10' }],
])('%j is refused', (value) => {
	expect(() => toAmount(value, 'Amount')).toThrow('Amount is not a valid amount');
});

test.each([[''], [' '], [undefined], [null]])('%j is empty', (value) => {
	expect(() => toAmount(value, 'Amount')).toThrow('Amount is empty');
});

test('the hint tells how to get an exact amount out of a calculation', () => {
	const hints: unknown[] = [];
	try {
		toAmount(0.1 + 0.2, 'Amount');
	} catch (error) {
		if (error instanceof UserError) hints.push(error.hint);
	}
	expect(hints).toEqual([expect.stringContaining('toFixed(2)')]);
});
