import crypto from 'node:crypto';

import { parseDelivery } from '../../nodes/CardPlatform/webhook/delivery';
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

const event = '{"id":"e1","transactionId":"t1","amount":"12.50","isSuccess":false}';

const headers = {
	'x-webhook-topic': 'card.financial_event.v1',
	'x-webhook-timestamp': '2026-11-21T11:59:30Z',
	'x-webhook-event-id': 'e1',
};

test.each([undefined, '"x"', '{"eventId":"own"}', 'null', '[1]'])(
	'a genuine delivery becomes an item: the event as it is, and the headers; its own field delivery, %s, is kept',
	(own) => {
		const fields = '"id":"e1","amount":"12.50","isNew":{"a":1}';
		const body = Buffer.from(`{${fields}${own === undefined ? '' : `,"delivery":${own}`}}`);
		const result = parseDelivery({ body, headers }, NOW, 300);
		expect(result).toMatchObject({ kind: 'accepted' });
		expect('item' in result && result.item).toEqual({
			id: 'e1',
			amount: '12.50',
			isNew: { a: 1 },
			delivery: {
				source: 'webhook',
				eventId: 'e1',
				topic: 'card.financial_event.v1',
				timestamp: '2026-11-21T11:59:30Z',
				...(own !== undefined && { fromEvent: JSON.parse(own) as unknown }),
			},
		});
	},
);

test('an event cannot change the prototype of objects', () => {
	const body = Buffer.from('{"__proto__":{"isSuccess":true}}');
	expect(parseDelivery({ body, headers }, NOW, 300)).not.toHaveProperty('item.isSuccess');
	expect({}).not.toHaveProperty('isSuccess');
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

test.each([
	['the first', ['new', 'x', 'y']],
	['the last', ['x', 'y', 'new']],
	['none', ['x', 'y', 'z']],
])(
	'each key is compared with each signature, in constant time, if %s matches',
	(_name, signers) => {
		const body = Buffer.from(event);
		const compare = jest.spyOn(crypto, 'timingSafeEqual');
		// No other way to compare may take part.
		const others = [
			jest.spyOn(Buffer.prototype, 'equals'),
			jest.spyOn(Buffer.prototype, 'compare'),
			jest.spyOn(Buffer, 'compare'),
		];
		const signatures = parseSignatures(signers.map((each) => `v0=${digest(each, body)}`).join());
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
		jest.restoreAllMocks();
	},
);
