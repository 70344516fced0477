import {
	type Query,
	readParameterNames,
	toWireQuery,
} from '../../nodes/CardPlatform/api/parameterNames';

const toWire = (names: unknown, query: Query) => toWireQuery(readParameterNames(names), query);

test('values have our names, and absent ones are not sent', () => {
	expect(toWire('{}', { page: 2, pageSize: 50, sort: undefined, status: 'frozen' })).toEqual({
		page: '2',
		pageSize: '50',
		status: 'frozen',
	});
});

test.each([undefined, null, '', '  ', '{}', {}])('%j renames nothing', (names) => {
	expect(toWire(names, { page: 1 })).toEqual({ page: '1' });
});

test.each(['{"pageSize": " page_size "}', { pageSize: 'page_size' }])('%j renames', (names) => {
	expect(toWire(names, { page: 1, pageSize: 50 })).toEqual({ page: '1', page_size: '50' });
});

test('a parameter whose name is empty is not sent; without an account, the list would be another', () => {
	const names = '{"page": " ", "status": "", "sort": "", "accountId": ""}';
	expect(toWire(names, { page: 1, pageSize: 50, status: 'active' })).toEqual({ pageSize: '50' });
	expect(toWire(names, { sort: 'asc' })).toEqual({});
	expect(() => toWire(names, { accountId: 1 })).toThrow('has no name for accountId');
});

test.each(['[]', '"page"', '{"page": 1}', 'page=p', '{', 5, true, '{"page": null}'])(
	'%j is rejected: not an object of strings',
	(names) => {
		expect(() => readParameterNames(names)).toThrow('is not an object of strings');
	},
);

test.each(['{"pagesize": "x"}', '{"name": "x"}', '{"toString": "x"}', '{"constructor": "x"}'])(
	'%j is rejected: unknown name',
	(names) => {
		expect(() => readParameterNames(names)).toThrow('has an unknown name');
	},
);

test.each(['{"page": "pageSize"}', '{"createdAfter": "x", "createdBefore": " x "}'])(
	'%j is rejected: one name for two parameters, of which only one would be sent',
	(names) => {
		expect(() => readParameterNames(names)).toThrow('has one name for two parameters');
	},
);
