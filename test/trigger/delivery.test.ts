import crypto from 'node:crypto';

import {
	type Delivery,
	header,
	parseDelivery,
	parseTimestamp,
} from '../../nodes/CardPlatform/webhook/delivery';
import { toSigningKeys } from '../../nodes/CardPlatform/webhook/signingKeys';
import { isSigned, parseSignatures, verify } from '../../nodes/CardPlatform/webhook/verify';
import { arriving, type Case, deliveryTable, digest } from '../support/deliveryTable';

// Each delivery of the table also goes to a real n8n (deliveries.n8n.test.ts).

const NOW = Date.parse('2026-11-21T12:00:00Z');

async function outcomeOf(original: Case): Promise<string> {
	const delivery = arriving(NOW, original);
	const [signingSecret, previousSigningSecret, testSigningSecret] = delivery.secrets;
	const credential = { signingSecret, previousSigningSecret, testSigningSecret };
	const rejection = await verify(delivery, async () => toSigningKeys(credential));
	if (rejection !== undefined) return rejection;
	const result = parseDelivery(delivery, NOW, delivery.timestampTolerance);
	return result.kind === 'accepted' ? result.kind : result.reason;
}

test.each(deliveryTable.map((each) => [each.name, each.expected, each] as const))(
	'%s: %s',
	async (_name, expected, delivery) => {
		expect(await outcomeOf(delivery)).toBe(expected);
	},
);

const event = '{"id":"e1","transactionId":"t1","amount":"12.50","isSuccess":false,"isNew":{"a":1}}';

const headers = {
	'x-webhook-topic': 'card.financial_event.v1',
	'x-webhook-timestamp': '2026-11-21T11:59:30Z',
	'x-webhook-event-id': 'e1',
};

const parsed = (text: string, more: Delivery['headers'] = {}) =>
	parseDelivery({ body: Buffer.from(text), headers: { ...headers, ...more } }, NOW, 300);

test('a genuine delivery becomes an item: the event as it is, and the headers', () => {
	expect(parsed(event)).toEqual({
		kind: 'accepted',
		item: {
			id: 'e1',
			transactionId: 't1',
			amount: '12.50',
			isSuccess: false,
			isNew: { a: 1 },
			delivery: {
				source: 'webhook',
				eventId: 'e1',
				topic: 'card.financial_event.v1',
				timestamp: '2026-11-21T11:59:30Z',
			},
		},
	});
});

test.each(['"x"', '{"eventId":"own"}', 'null', '[1]'])(
	"an event's own field delivery, %s, is kept as fromEvent beside the headers",
	(own) => {
		const fromEvent: unknown = JSON.parse(own);
		expect(parsed(`{"delivery":${own}}`)).toEqual({
			kind: 'accepted',
			item: {
				delivery: {
					source: 'webhook',
					eventId: 'e1',
					topic: 'card.financial_event.v1',
					timestamp: '2026-11-21T11:59:30Z',
					fromEvent,
				},
			},
		});
	},
);

test('an event cannot change the prototype of objects', () => {
	const result = parsed('{"__proto__":{"isSuccess":true}}');
	expect(result).not.toHaveProperty('item.isSuccess');
	expect({}).not.toHaveProperty('isSuccess');
});

test('the topic is checked before the body, and the body before the timestamp', () => {
	expect(parsed('{', { 'x-webhook-topic': 'other' })).toMatchObject({ reason: 'other-topic' });
	expect(parsed('{')).toMatchObject({ reason: 'payload-not-an-object' });
	expect(parsed('{', { 'x-webhook-timestamp': 'x' })).toMatchObject({
		reason: 'payload-not-an-object',
	});
});

test('several headers of a name are read as one list', () => {
	expect(header({ headers: { a: ['1', '2'] } }, 'a')).toBe('1,2');
	expect(header({ headers: { a: ' 1 ' } }, 'a')).toBe('1');
});

const fetchNever = jest.fn();

test.each([
	['no signature', {}],
	['a malformed signature', { 'x-webhook-signature': 'v0=x' }],
])('the secret is not read for %s', async (_name, signature) => {
	const delivery = { body: Buffer.from(event), headers: signature };
	expect(await verify(delivery, fetchNever)).toContain('signature-');
	expect(fetchNever).not.toHaveBeenCalled();
});

/** Keys of secrets, as the credential gives them. */
const keysOf = (signingSecret: string, previousSigningSecret = '') =>
	toSigningKeys({ signingSecret, previousSigningSecret });

test('the signature is the one that RFC 4231, test case 2, gives', () => {
	const data = Buffer.from('what do ya want for nothing?');
	const signature = 'v0=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
	expect(isSigned(data, parseSignatures(signature), keysOf('Jefe'))).toBe(true);
	expect(isSigned(data, parseSignatures(signature), [])).toBe(false);
});

describe('the comparison of signatures', () => {
	afterEach(() => {
		jest.restoreAllMocks();
	});

	const body = Buffer.from(event);
	const v0 = (secret: string) => `v0=${digest(secret, body)}`;

	test.each([
		['the first', [v0('new'), v0('x'), v0('y')]],
		['the last', [v0('x'), v0('y'), v0('new')]],
		['none', [v0('x'), v0('y'), v0('z')]],
	])(
		'takes constant time, and each key with each signature, where %s matches',
		(_name, entries) => {
			const compare = jest.spyOn(crypto, 'timingSafeEqual');
			// No other way to compare may take part.
			const others = [
				jest.spyOn(Buffer.prototype, 'equals'),
				jest.spyOn(Buffer.prototype, 'compare'),
				jest.spyOn(Buffer, 'compare'),
			];
			const signatures = parseSignatures(entries.join());
			isSigned(body, signatures, keysOf('new', 'old'));
			const compared = compare.mock.calls.map((pair) =>
				pair.map((bytes) =>
					Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex'),
				),
			);
			const expected = ['new', 'old'].flatMap((secret) =>
				signatures.map((signature) => [digest(secret, body), signature.toString('hex')]),
			);
			expect(compared).toEqual(expected);
			for (const other of others) expect(other).not.toHaveBeenCalled();
		},
	);
});

// The table above has more.
describe('a timestamp', () => {
	const noon = Date.UTC(2026, 10, 21, 12);

	test.each([
		['2026-11-21T12:00:00Z', noon],
		['2026-11-21t12:00:00z', noon],
		['2026-11-21T12:00:00.250Z', noon + 250],
		['2026-11-21T12:00:00.123456789Z', noon + 123],
		['2026-11-21T13:00:00+01:00', noon],
		['2026-11-21T06:30:00-05:30', noon],
		['2026-11-22T11:59:00+23:59', noon],
		['2026-11-22T07:00:00+19:00', noon],
		['2026-11-20T16:00:00-20:00', noon],
		['2028-02-29T00:00:00Z', Date.UTC(2028, 1, 29)],
		// A leap second.
		['2016-12-31T23:59:60Z', Date.UTC(2016, 11, 31, 23, 59, 59)],
		['2017-01-01T00:59:60.5+01:00', Date.UTC(2016, 11, 31, 23, 59, 59) + 500],
	])('%s is understood', (text, expected) => {
		expect(parseTimestamp(text)).toBe(expected);
	});

	test.each([
		'2026-11-21T12:00Z',
		'2026-11-21T24:00:00Z',
		'2026-11-21T12:60:00Z',
		'2026-11-21T12:00:00+24:00',
		'2026-11-21T12:00:00+30:00',
		'2026-11-21T12:00:00+1:00',
		'x2026-11-21T12:00:00Z',
		'2026-11-21T12:00:00Zx',
		'2026-11-21T12:00:00+01:60',
		'+010000-01-01T00:00:00Z',
		' 2026-11-21T12:00:00Z',
	])('%j is not RFC 3339', (text) => {
		expect(parseTimestamp(text)).toBeUndefined();
	});
});
