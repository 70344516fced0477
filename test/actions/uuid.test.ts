import { toUuid } from '../../nodes/CardPlatform/api/values';

test.each([
	'4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10',
	'CA4D0000-0000-4000-8000-000000000003',
	// No version that RFC 9562 knows: the API may still have made it.
	' ca4d0000-0000-0000-0000-000000000003 ',
	'ffffffff-ffff-ffff-ffff-ffffffffffff',
])('%j is an ID, in lower case', (value) => {
	expect(toUuid(value, 'Card')).toBe(value.trim().toLowerCase());
});

const id = '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10';

test.each(['4f1c6a52', id.slice(1), `../${id}`, `${id}/freeze`, 'g'.repeat(36), 5])(
	'%j is refused',
	(value) => {
		expect(() => toUuid(value, 'Card')).toThrow('Card is not a valid ID');
	},
);
