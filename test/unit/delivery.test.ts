import { createHmac } from 'node:crypto';

import { type Delivery, judge } from '../../nodes/CardPlatform/webhook/delivery';
import { toSigningKey } from '../../nodes/CardPlatform/webhook/signature';

const now = Date.parse('2026-11-21T12:00:00Z');
const event = '{"id":"e1","transactionId":"t1","amount":"12.50","isSuccess":false,"isNew":{"a":1}}';

const sign = (body: Buffer) => `v0=${createHmac('sha256', 'secret').update(body).digest('hex')}`;

function deliver(
	body: string | Buffer,
	headers: Record<string, string | undefined> = {},
): Delivery {
	const bytes = Buffer.from(body);
	return {
		body: bytes,
		headers: {
			'x-webhook-signature': sign(bytes),
			'x-webhook-topic': 'card.financial_event.v1',
			'x-webhook-timestamp': '2026-11-21T11:59:30Z',
			'x-webhook-event-id': 'e1',
			...headers,
		},
	};
}

const secret = [toSigningKey('secret')];
const judged = async (delivery: Delivery, keys = secret, tolerance = 300) =>
	await judge(delivery, async () => await Promise.resolve(keys), now, tolerance);

test('a genuine delivery gives the event as it is, and what the headers say', async () => {
	expect(await judged(deliver(event))).toEqual({
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

test('an object without any known field is an event all the same', async () => {
	expect(await judged(deliver('{}'))).toMatchObject({ kind: 'accepted' });
});

test.each<[string, Delivery, 400 | 401, string]>([
	['no body', { ...deliver(event), body: undefined }, 401, 'body-unreadable'],
	['no signature', deliver(event, { 'x-webhook-signature': undefined }), 401, 'signature-missing'],
	['blank signature', deliver(event, { 'x-webhook-signature': ' ' }), 401, 'signature-malformed'],
	[
		'signature of another body',
		deliver(event, { 'x-webhook-signature': sign(Buffer.from('{}')) }),
		401,
		'signature-mismatch',
	],
	['no timestamp', deliver(event, { 'x-webhook-timestamp': undefined }), 401, 'timestamp-missing'],
	['no RFC 3339', deliver(event, { 'x-webhook-timestamp': '5' }), 401, 'timestamp-malformed'],
	[
		'too old',
		deliver(event, { 'x-webhook-timestamp': '2026-11-21T11:54:59Z' }),
		401,
		'timestamp-too-far',
	],
	[
		'too far ahead',
		deliver(event, { 'x-webhook-timestamp': '2026-11-21T12:05:01Z' }),
		401,
		'timestamp-too-far',
	],
	['an array', deliver('[]'), 400, 'payload-not-an-object'],
	['null', deliver('null'), 400, 'payload-not-an-object'],
	['a text', deliver('"event"'), 400, 'payload-not-an-object'],
	['no JSON', deliver('{'), 400, 'payload-not-an-object'],
	['empty', deliver(''), 400, 'payload-not-an-object'],
	['no UTF-8', deliver(Buffer.from([0x7b, 0xff, 0x7d])), 400, 'payload-not-an-object'],
])('refused: %s', async (_name, delivery, status, reason) => {
	expect(await judged(delivery)).toEqual({ kind: 'rejected', status, reason });
});

test('refused where the credential has no secret', async () => {
	expect(await judged(deliver(event), [])).toMatchObject({ status: 401, reason: 'no-secret' });
});

test('tolerance 0 takes a delivery of any time, and without one', async () => {
	const old = deliver(event, { 'x-webhook-timestamp': '2020-01-01T00:00:00Z' });
	const none = deliver(event, { 'x-webhook-timestamp': undefined });
	expect(await judged(old, secret, 0)).toMatchObject({ kind: 'accepted' });
	expect(await judged(none, secret, 0)).toMatchObject({ kind: 'accepted' });
});

test.each([undefined, '', 'card.financial_event.v2', 'account.renamed.v1'])(
	'topic %j is not for this trigger',
	async (topic) => {
		expect(await judged(deliver(event, { 'x-webhook-topic': topic }))).toEqual({
			kind: 'ignored',
			reason: 'other-topic',
		});
	},
);

test('a forged delivery of another topic is refused, not ignored', async () => {
	const forged = deliver(event, {
		'x-webhook-topic': 'x',
		'x-webhook-signature': sign(Buffer.of()),
	});
	expect(await judged(forged)).toMatchObject({ kind: 'rejected' });
});

test('the secret is not asked for where there is no signature to check', async () => {
	const getKeys = jest.fn(async () => await Promise.resolve(secret));
	await judge(deliver(event, { 'x-webhook-signature': 'v0=x' }), getKeys, now, 300);
	expect(getKeys).not.toHaveBeenCalled();
});

test('several signature headers are read as one list', async () => {
	const delivery = deliver(event);
	const good = sign(Buffer.from(event));
	expect(
		await judged({
			...delivery,
			headers: { ...delivery.headers, 'x-webhook-signature': ['v0=0', good] },
		}),
	).toMatchObject({ kind: 'accepted' });
});
