import crypto from 'node:crypto';

import { type Delivery, header, parseDelivery } from '../../nodes/CardPlatform/webhook/delivery';
import { SigningKeyCache, toSigningKey } from '../../nodes/CardPlatform/webhook/signingKeys';
import { verify } from '../../nodes/CardPlatform/webhook/verify';
import { digest, NOW } from '../support/deliveryTable';

const event = '{"id":"e1","transactionId":"t1","amount":"12.50","isSuccess":false,"isNew":{"a":1}}';

const headers = {
	'x-webhook-topic': 'card.financial_event.v1',
	'x-webhook-timestamp': '2026-11-21T11:59:30Z',
	'x-webhook-event-id': 'e1',
};

const parsed = (text: string, more: Delivery['headers'] = {}) =>
	parseDelivery({ body: Buffer.from(text), headers: { ...headers, ...more } }, NOW, 300);

test('a genuine delivery gives the event as it is, and what the headers say', () => {
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
	"an event's own delivery %s is kept, as fromEvent beside what the headers say",
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

test('an event cannot reach into the objects of the program', () => {
	const result = parsed('{"__proto__":{"isSuccess":true}}');
	expect(result).not.toHaveProperty('item.isSuccess');
	expect({}).not.toHaveProperty('isSuccess');
});

test('the topic counts before the body, and the body before the timestamp', () => {
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
	const source = { id: 'node', fetch: fetchNever };
	expect(await verify(delivery, new SigningKeyCache(), source, NOW)).toContain('signature-');
	expect(fetchNever).not.toHaveBeenCalled();
});

test('a forged delivery is hashed once for each key, unless there are newer keys', async () => {
	const hash = jest.spyOn(crypto, 'createHmac');
	const delivery = {
		body: Buffer.from(event),
		headers: { 'x-webhook-signature': `v0=${digest('other')}` },
	};
	const source = { id: 'node', fetch: async () => ['new', 'old'].map(toSigningKey) };
	const cache = new SigningKeyCache();
	const hashes = async (ms: number) => {
		hash.mockClear();
		expect(await verify(delivery, cache, source, NOW + ms)).toBe('signature-mismatch');
		return hash.mock.calls.length;
	};
	expect([await hashes(0), await hashes(1), await hashes(2)]).toEqual([2, 4, 2]);
	hash.mockRestore();
});
