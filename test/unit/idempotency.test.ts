import { toIdempotencyKey } from '../../nodes/CardPlatform/transport/idempotency';

test('the same work has the same key, a UUID, and other work another', () => {
	const key = toIdempotencyKey('a');
	expect(toIdempotencyKey('a')).toBe(key);
	expect(toIdempotencyKey('b')).not.toBe(key);
	expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
