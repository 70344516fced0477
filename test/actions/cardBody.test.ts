import { readCardBody } from '../../nodes/CardPlatform/actions/card/body';
import { toCollection } from '../../nodes/CardPlatform/actions/parameters';

const read = (values: Record<string, unknown>) => readCardBody(toCollection(values, 'UTC'));

test('only what was added is in the body', () => {
	expect(read({})).toEqual({});
	expect(read({ clearCategories: false, removeLimit: false })).toEqual({});
	expect(read({ limit: { value: { amount: '500', type: ' monthly ' } } })).toEqual({
		limit: { amount: '500.00', type: 'monthly' },
	});
	expect(read({ name: ' Travel ', categories: ['parking'] })).toEqual({
		name: 'Travel',
		categories: ['parking'],
	});
});

test('clearing is an explicit choice', () => {
	expect(read({ clearCategories: true, removeLimit: 'true' })).toEqual({
		categories: [],
		limit: null,
	});
});

test.each([
	[
		{ clearCategories: true, categories: ['parking'] },
		'Clear Categories conflicts with Categories',
	],
	[
		{ removeLimit: true, limit: { value: { amount: '500', type: 'monthly' } } },
		'Remove Limit conflicts with Limit',
	],
])('%j: setting and clearing at once is refused', (values, message) => {
	expect(() => read(values)).toThrow(message);
});

test('custom fields take any JSON, and win', () => {
	const customFields = {
		json: [{ value: '{"limit": {"amount": null}, "tags": [1, true], "memo": {"a": 1}}' }],
	};
	expect(read({ limit: { value: { amount: '5', type: 'monthly' } }, customFields })).toEqual({
		limit: { amount: null },
		tags: [1, true],
		memo: { a: 1 },
	});
});

test.each([
	['500'],
	[{ amount: '500', type: 'monthly' }],
	[{ value: '500' }],
	[{ value: { amount: '500', type: 5 } }],
])('a limit of %j is refused: the card would have none', (limit) => {
	expect(() => read({ limit })).toThrow('Limit is not an object with an amount and a type');
});

test.each([['parking'], [{ parking: true }], [[5]], [['']]])(
	'categories of %j are refused',
	(categories) => {
		expect(() => read({ categories })).toThrow('Categories is not a list');
	},
);
