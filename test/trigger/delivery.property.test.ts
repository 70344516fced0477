import { createHmac } from 'node:crypto';

import fc from 'fast-check';

import { parseDelivery, parseTimestamp } from '../../nodes/CardPlatform/webhook/delivery';
import { toSigningKeys } from '../../nodes/CardPlatform/webhook/signingKeys';
import { verify } from '../../nodes/CardPlatform/webhook/verify';

const now = Date.UTC(2026, 10, 21, 12);

const bytes = fc.uint8Array({ maxLength: 500 }).map((each) => Buffer.from(each));
const secret = fc.string({ minLength: 1 }).filter((text) => text.trim() !== '');
const digits = fc.uint8Array({ minLength: 32, maxLength: 32 });
/** An entry of the header that is no signature. */
const noise = fc.oneof(
	fc.string().map((text) => text.replaceAll(',', '')),
	fc.constant('v0='),
);
const entriesOf = fc.array(fc.oneof(digits, noise), { maxLength: 15 });
const garbage = fc.oneof(
	fc.string(),
	fc.string({ unit: 'binary' }),
	fc.array(fc.string(), { maxLength: 3 }),
	fc.constant(undefined),
);
const isBlank = (value: string | string[] | undefined) => [value].flat().join(',').trim() === '';

const sign = (body: Buffer, key: string | Buffer) =>
	`v0=${createHmac('sha256', key).update(body).digest('hex')}`;

const check = async (body: Buffer, signature: string | string[] | undefined, secret: string) =>
	await verify({ body, headers: { 'x-webhook-signature': signature } }, async () =>
		toSigningKeys({ signingSecret: secret }),
	);

const isLetIn = async (body: Buffer, signature: string, signingSecret: string) =>
	(await check(body, signature, signingSecret)) === undefined;

test('one right signature among any other entries, in any order, lets a delivery in', async () => {
	await fc.assert(
		fc.asyncProperty(bytes, secret, entriesOf, fc.nat(), async (body, key, others, position) => {
			const entries = others.map((each) =>
				typeof each === 'string' ? each : `v0=${Buffer.from(each).toString('hex')}`,
			);
			const wrong = entries.join(',');
			entries.splice(position % (entries.length + 1), 0, sign(body, key.trim()));
			expect(await isLetIn(body, entries.join(','), key)).toBe(true);
			expect(await isLetIn(body, wrong, key)).toBe(false);
		}),
	);
});

/** Flips one bit. */
function flip(bytes: Buffer, position: number): Buffer {
	const changed = Buffer.from(bytes);
	const bit = position % (changed.length * 8);
	changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
	return changed;
}

test('one flipped bit in the secret, the body or the digest lets nothing in', async () => {
	await fc.assert(
		fc.asyncProperty(bytes, secret, fc.nat(), async (body, key, position) => {
			const used = Buffer.from(key.trim());
			expect(await isLetIn(body, sign(body, flip(used, position)), key)).toBe(false);
			const signature = sign(body, used);
			if (body.length > 0) expect(await isLetIn(flip(body, position), signature, key)).toBe(false);
			const digest = flip(Buffer.from(signature.slice(3), 'hex'), position);
			expect(await isLetIn(body, `v0=${digest.toString('hex')}`, key)).toBe(false);
		}),
	);
});

test('no header and no body make the check throw or let a forged delivery in', async () => {
	// With the form of a signature, but none of this body by this secret.
	const wrong = fc.oneof(
		digits.map((each) => `v0=${Buffer.from(each).toString('hex')}`),
		bytes.map((other) => sign(Buffer.concat([other, Buffer.of(0)]), 'another secret')),
	);
	const signatures = fc.array(fc.oneof(wrong, fc.string()), { maxLength: 20 });
	const signature = fc.oneof(garbage, wrong, signatures);
	await fc.assert(
		fc.asyncProperty(bytes, signature, async (body, given) => {
			const reason = isBlank(given) ? 'missing' : '(malformed|mismatch)';
			expect(await check(body, given, 'secret')).toMatch(new RegExp(`^signature-${reason}$`));
		}),
	);
});

test('no header and no body make parsing throw, or accept a delivery without a right timestamp', () => {
	const json = fc.json().map((text) => Buffer.from(text));
	const body = fc.oneof(bytes, json);
	fc.assert(
		fc.property(body, garbage, garbage, (itsBody, timestamp, eventId) => {
			const headers = {
				'x-webhook-topic': 'card.financial_event.v1',
				'x-webhook-timestamp': timestamp,
				'x-webhook-event-id': eventId,
			};
			expect(parseDelivery({ body: itsBody, headers }, now, 300).kind).toBe('dropped');
		}),
	);
});

test('any moment is read from its RFC 3339 text, whatever the offset', () => {
	const years = { min: new Date('0100-01-02'), max: new Date('9999-12-30'), noInvalidDate: true };
	fc.assert(
		fc.property(fc.date(years), fc.integer({ min: -23 * 60, max: 23 * 60 }), (moment, offset) => {
			const local = new Date(moment.getTime() + offset * 60_000).toISOString().slice(0, -1);
			const clock = new Date(Math.abs(offset) * 60_000).toISOString().slice(11, 16);
			expect(parseTimestamp(`${local}${offset < 0 ? '-' : '+'}${clock}`)).toBe(moment.getTime());
		}),
	);
});
