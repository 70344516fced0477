import { toAccountId } from '../../nodes/CardPlatform/api/values';

test.each<[unknown, number]>([
	['1001', 1001],
	[' 1001 ', 1001],
	[1001, 1001],
	['0', 0],
])('%j is account %d', (value, expected) => {
	expect(toAccountId(value, 'Account ID')).toBe(expected);
});

test.each<[unknown, string]>([
	['', 'Account ID is empty'],
	[undefined, 'Account ID is empty'],
	[null, 'Account ID is empty'],
	['Marketing', 'Account ID is not a whole number: "Marketing"'],
	['10.5', 'is not a whole number'],
	[10.5, 'is not a whole number'],
	[-1, 'is not a whole number'],
	['-1', 'is not a whole number'],
	['1001/transfers', 'is not a whole number'],
	['9007199254740993', 'is not a whole number'],
	[['1001'], 'is not a whole number'],
])('%j is refused', (value, message) => {
	expect(() => toAccountId(value, 'Account ID')).toThrow(message);
});
