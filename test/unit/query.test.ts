import { toWireQuery } from '../../nodes/CardPlatform/transport/query';

test('values go under our names, absent ones not at all', () => {
	expect(toWireQuery('{}', { page: 2, pageSize: 50, name: undefined, status: 'frozen' })).toEqual({
		page: '2',
		pageSize: '50',
		status: 'frozen',
	});
});

test.each([undefined, null, '', '  ', '{}', {}])('%j renames nothing', (names) => {
	expect(toWireQuery(names, { page: 1 })).toEqual({ page: '1' });
});

test.each(['{"pageSize": " page_size "}', { pageSize: 'page_size' }])('%j renames', (names) => {
	expect(toWireQuery(names, { page: 1, pageSize: 50 })).toEqual({ page: '1', page_size: '50' });
});

test('a name that is empty is never sent', () => {
	expect(toWireQuery('{"page": ""}', { page: 1, pageSize: 50 })).toEqual({ pageSize: '50' });
});

test.each(['[]', '"page"', '{"page": 1}', 'page=p', '{', 5, true, '{"page": null}'])(
	'%j is refused: not an object of texts',
	(names) => {
		expect(() => toWireQuery(names, { page: 1 })).toThrow('is not an object of strings');
	},
);

test.each(['{"pagesize": "x"}', '{"toString": "x"}'])('%j is refused: unknown name', (names) => {
	expect(() => toWireQuery(names, { page: 1 })).toThrow('has an unknown name');
});
