import { authenticate } from '../../nodes/CardPlatform/webhook/authenticate';
import { type Delivery, header, judge } from '../../nodes/CardPlatform/webhook/delivery';
import { parseOptions } from '../../nodes/CardPlatform/webhook/settings';
import { digest, NOW } from '../support/deliveryTable';

const event = '{"id":"e1","transactionId":"t1","amount":"12.50","isSuccess":false,"isNew":{"a":1}}';

const headers = {
	'x-webhook-topic': 'card.financial_event.v1',
	'x-webhook-timestamp': '2026-11-21T11:59:30Z',
	'x-webhook-event-id': 'e1',
};

const judged = (text: string, more: Delivery['headers'] = {}) =>
	judge(
		Buffer.from(text),
		{ body: undefined, headers: { ...headers, ...more } },
		NOW,
		parseOptions({}),
	);

test('a genuine delivery gives the event as it is, and what the headers say', () => {
	expect(judged(event)).toEqual({
		kind: 'accepted',
		item: {
			id: 'e1',
			transactionId: 't1',
			amount: '12.50',
			isSuccess: false,
			isNew: { a: 1 },
			delivery: {
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
		expect(judged(`{"delivery":${own}}`)).toEqual({
			kind: 'accepted',
			item: {
				delivery: {
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
	const verdict = judged('{"__proto__":{"isSuccess":true}}');
	expect(verdict).not.toHaveProperty('item.isSuccess');
	expect({}).not.toHaveProperty('isSuccess');
});

test('the topic counts before the body, and the body before the timestamp', () => {
	expect(judged('{', { 'x-webhook-topic': 'other' })).toMatchObject({ reason: 'other-topic' });
	expect(judged('{')).toMatchObject({ reason: 'payload-not-an-object' });
	expect(judged('{', { 'x-webhook-timestamp': 'x' })).toMatchObject({
		reason: 'payload-not-an-object',
	});
});

test('several headers of a name are read as one list', () => {
	expect(header({ body: undefined, headers: { a: ['1', '2'] } }, 'a')).toBe('1,2');
	expect(header({ body: undefined, headers: { a: ' 1 ' } }, 'a')).toBe('1');
});

test.each([
	['no body', { body: undefined, headers: { 'x-webhook-signature': `v0=${digest('new')}` } }],
	['no signature', { body: Buffer.from(event), headers: {} }],
	[
		'a malformed signature',
		{ body: Buffer.from(event), headers: { 'x-webhook-signature': 'v0=x' } },
	],
])('the secret is not asked for where there is %s', async (_name, delivery) => {
	const checkKeys = jest.fn();
	expect(await authenticate(delivery, checkKeys)).toHaveProperty('rejection');
	expect(checkKeys).not.toHaveBeenCalled();
});

test('a request without a readable body is refused', async () => {
	expect(await authenticate({ body: undefined, headers: {} }, jest.fn())).toEqual({
		rejection: 'body-unreadable',
	});
});
