import { createHmac } from 'node:crypto';

import fc from 'fast-check';

import { toSigningKey } from '../../nodes/CardPlatform/webhook/signingKeys';
import { isSigned, parseSignatures } from '../../nodes/CardPlatform/webhook/verify';

const bytes = fc.uint8Array({ maxLength: 2_000 }).map((each) => Buffer.from(each));
const secret = fc.string({ minLength: 1 });
const noise = fc.array(
	fc.oneof(
		fc.string().map((text) => text.replaceAll(',', '')),
		fc.constant('v0='),
	),
	{
		maxLength: 7,
	},
);

const sign = (body: Buffer, key: string) =>
	`v0=${createHmac('sha256', key).update(body).digest('hex')}`;

test('any body signed with any secret is accepted, wherever the signature stands', () => {
	fc.assert(
		fc.property(bytes, secret, noise, noise, (body, key, before, after) => {
			const header = [...before, sign(body, key), ...after].join(',');
			expect(isSigned(body, parseSignatures(header), [toSigningKey(key)])).toBe(true);
		}),
	);
});

test('one flipped bit in the body is refused', () => {
	fc.assert(
		fc.property(bytes, secret, fc.nat(), (body, key, position) => {
			fc.pre(body.length > 0);
			const signatures = parseSignatures(sign(body, key));
			const changed = Buffer.from(body);
			const bit = position % (body.length * 8);
			changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
			expect(isSigned(changed, signatures, [toSigningKey(key)])).toBe(false);
		}),
	);
});

test('one flipped bit in the digest is refused', () => {
	fc.assert(
		fc.property(bytes, secret, fc.nat({ max: 255 }), (body, key, bit) => {
			const digest = createHmac('sha256', key).update(body).digest();
			digest.writeUInt8(digest.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
			const header = `v0=${digest.toString('hex')}`;
			expect(isSigned(body, parseSignatures(header), [toSigningKey(key)])).toBe(false);
		}),
	);
});

test('another secret is refused', () => {
	fc.assert(
		fc.property(bytes, secret, secret, (body, key, other) => {
			fc.pre(key !== other);
			const signatures = parseSignatures(sign(body, key));
			expect(isSigned(body, signatures, [toSigningKey(other)])).toBe(false);
		}),
	);
});

test('no header makes it throw, and none without a right digest is accepted', () => {
	const wrong = fc
		.uint8Array({ minLength: 32, maxLength: 32 })
		.map((each) => `v0=${Buffer.from(each).toString('hex')}`);
	const entry = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), wrong);
	fc.assert(
		fc.property(fc.array(entry, { maxLength: 20 }), (entries) => {
			const signatures = parseSignatures(entries.join(','));
			expect(isSigned(Buffer.of(), signatures, [toSigningKey('key')])).toBe(false);
		}),
	);
});
