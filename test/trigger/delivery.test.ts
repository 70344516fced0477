import crypto from 'node:crypto';
import { gzipSync } from 'node:zlib';

import { sign } from '../../dev/harness/signing.ts';
import { parseDelivery } from '../../nodes/CardPlatform/webhook/delivery';
import type { Rejection } from '../../nodes/CardPlatform/webhook/rejections';
import { toSigningKeys } from '../../nodes/CardPlatform/webhook/signingKeys';
import { isSigned, parseSignatures, verify } from '../../nodes/CardPlatform/webhook/verify';

const NOW = Date.parse('2026-11-21T12:00:00Z');

/** A request with one property that is worth a name, and what has to become of it. */
interface Case {
	name: string;
	body: Buffer;
	headers: Record<string, string | string[] | undefined>;
	secrets: [signingSecret: string, previousSigningSecret?: string, testSigningSecret?: string];
	/** Seconds; 300 unless changed. */
	timestampTolerance: number;
	expected: Rejection | 'accepted' | 'other-topic';
}

const event: Buffer = Buffer.from(
	'{"id":"e1","transactionId":"t1","amount":"12.50","isSuccess":true}',
);

/** The digits of a signature of the body. */
const digest = (secret: string, body = event): string => sign(body, secret).replace('v0=', '');

const fresh = digest('new');
const old = digest('old');
const v0 = (digits: string) => `v0=${digits}`;

function make(name: string, expected: Case['expected'], changes: Partial<Case> = {}): Case {
	const { body = event, secrets = ['new'] } = changes;
	return {
		name,
		expected,
		timestampTolerance: 300,
		...changes,
		body,
		secrets,
		headers: {
			'x-webhook-signature': v0(digest(secrets[0], body)),
			'x-webhook-topic': 'card.financial_event.v1',
			'x-webhook-timestamp': '2026-11-21T12:00:00Z',
			'x-webhook-event-id': 'e1',
			...changes.headers,
		},
	};
}

const signature = (
	name: string,
	expected: Case['expected'],
	header: string | string[] | undefined,
	secrets: Case['secrets'] = ['new'],
) => make(`signature: ${name}`, expected, { headers: { 'x-webhook-signature': header }, secrets });

const malformed = (name: string, header: string) => signature(name, 'signature-malformed', header);

const body = (name: string, expected: Case['expected'], text: string | Buffer) =>
	make(`body: ${name}`, expected, { body: Buffer.from(text) });

/** With the signature of another body. */
const altered = (name: string, text: string | Buffer) =>
	make(`body: ${name}`, 'signature-mismatch', {
		body: Buffer.from(text),
		headers: { 'x-webhook-signature': v0(fresh) },
	});

const secret = (name: string, stored: string, used = stored.trim()) =>
	make(`secret: ${name}`, 'accepted', {
		secrets: [stored],
		headers: { 'x-webhook-signature': v0(digest(used)) },
	});

const entries = (count: number, last: string) => `${'v0=,'.repeat(count)}${last}`;

const signatures: Case[] = [
	signature('right', 'accepted', v0(fresh)),
	signature('absent', 'signature-missing', undefined),
	signature('empty', 'signature-missing', ''),
	signature('blank', 'signature-missing', '  '),
	signature('empty list', 'signature-missing', []),
	malformed('v0=', 'v0='),
	malformed('no scheme before the equals sign', `=${fresh}`),
	malformed('bare hex', fresh),
	malformed('only commas', ',,,'),
	signature('double comma', 'accepted', `${v0(old)},,${v0(fresh)}`),
	signature('spaces round the comma', 'accepted', `${v0(old)} , ${v0(fresh)}`),
	malformed('space after the equals sign', `v0= ${fresh}`),
	malformed('space between two', `${v0(fresh)} ${v0(old)}`),
	malformed('in quotes', `"${v0(fresh)}"`),
	signature('list of one header', 'accepted', [v0(fresh)]),
	signature('two headers, the second right', 'accepted', [v0(old), v0(fresh)]),
	signature('two headers, both wrong', 'signature-mismatch', [v0(old), v0(old)]),
	malformed('64 KB of one letter', 'a'.repeat(65_536)),
	malformed('10 000 entries, then the right one', entries(10_000, v0(fresh))),
	signature('in place 16', 'accepted', entries(15, v0(fresh))),
	malformed('in place 17', entries(16, v0(fresh))),
	malformed('V0', `V0=${fresh}`),
	malformed('v00', `v00=${fresh}`),
	malformed('Standard Webhooks style', `v1,${fresh}`),
	signature('unknown scheme beside a valid v0', 'accepted', `v1=abc,${v0(fresh)}`),
	malformed('63 characters', v0(fresh.slice(1))),
	malformed('65 characters', v0(`${fresh}0`)),
	malformed('no hex digits', v0('g'.repeat(64))),
	malformed('upper case', v0(fresh.toUpperCase())),
	malformed('trailing =junk', `${v0(fresh)}=junk`),
	malformed('trailing line break inside', `${v0(fresh)}\nx`),
	malformed('base64', v0(Buffer.from(fresh, 'hex').toString('base64'))),
	malformed('64 characters outside ASCII', v0('é'.repeat(64))),
	malformed('NUL in it', v0(`${fresh.slice(1)}\0`)),
	signature('SHA-256 of the body without a key', 'signature-mismatch', v0(digest(''))),
	signature('of the secret before, with the new one only', 'signature-mismatch', v0(old)),
	signature('new+old, during a rotation', 'accepted', `${v0(fresh)},${v0(old)}`, ['new', 'old']),
	signature('old+new, during a rotation', 'accepted', `${v0(old)},${v0(fresh)}`, ['new', 'old']),
	signature('new only, during a rotation', 'accepted', v0(fresh), ['new', 'old']),
	signature('old only, during a rotation', 'accepted', v0(old), ['new', 'old']),
	signature('bad+good', 'accepted', `${v0('0'.repeat(64))},${v0(fresh)}`),
	signature('both bad', 'signature-mismatch', `${v0(old)},${v0('0'.repeat(64))}`),
];

const secrets: Case[] = [
	signature('any, without a secret', 'no-secret', v0(digest('')), ['']),
	signature('of the empty previous secret', 'signature-mismatch', v0(digest('')), ['new', '']),
	signature('of the empty secret of the test URL', 'signature-mismatch', v0(digest('')), [
		'new',
		'',
		'',
	]),
	signature('of the test URL', 'accepted', v0(digest('test')), ['new', '', 'test']),
	signature('of the test URL, without another', 'accepted', v0(digest('test')), ['', '', 'test']),
	signature('old only, with all three', 'accepted', v0(old), ['new', 'old', 'test']),
	secret('with a trailing newline', 'new\n'),
	secret('outside ASCII', 'schlüssel-🔑'),
	secret('of 4096 letters', 'n'.repeat(4096)),
];

const bodies: Case[] = [
	body('empty', 'payload-not-an-object', ''),
	body('empty object', 'accepted', '{}'),
	body('byte order mark', 'accepted', '\uFEFF{"id":"e1"}'),
	body('invalid UTF-8', 'payload-not-an-object', Buffer.from('7b226964223a22ff227d', 'hex')),
	body('lone surrogate', 'accepted', '{"id":"\\ud800"}'),
	body('__proto__ key', 'accepted', '{"id":"e1","__proto__":{"isSuccess":true}}'),
	body('duplicate keys', 'accepted', '{"id":"e1","id":"e2"}'),
	body('4 MB', 'accepted', JSON.stringify({ id: 'e1', merchantName: 'x'.repeat(4_000_000) })),
	body('deeply nested', 'accepted', `{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`),
	body('array', 'payload-not-an-object', '[{"id":"e1"}]'),
	body('null', 'payload-not-an-object', 'null'),
	body('text', 'payload-not-an-object', '"e1"'),
	body('cut off', 'payload-not-an-object', '{"id":"e1"'),
	altered('still compressed', gzipSync(event)),
	altered('re-serialised', JSON.stringify(JSON.parse(event.toString()), null, 1)),
	altered('with a line break more', `${event.toString()}\n`),
	altered('another amount', event.toString().replace('12.50', '12.51')),
];

/** A timestamp, what becomes of its delivery at 12:00:00Z, and the tolerance in seconds. */
const TIMESTAMPS: [string | undefined, Case['expected'], number?][] = [
	[undefined, 'timestamp-missing'],
	['', 'timestamp-missing'],
	['2026-11-21T12:00:00.123456789Z', 'accepted'],
	['2026-11-21t12:00:00z', 'accepted'],
	['2026-11-21T13:00:00+01:00', 'accepted'],
	['2026-11-22T11:59:00+23:59', 'accepted'],
	['2026-11-21T12:00:00+01:00', 'timestamp-too-old'],
	['2026-11-21T11:55:00Z', 'accepted'],
	['2026-11-21T11:54:59Z', 'timestamp-too-old'],
	['2026-11-21T12:05:00Z', 'accepted'],
	['2026-11-21T12:05:01Z', 'timestamp-too-far-ahead'],
	['2026-11-21T13:00:00Z', 'timestamp-too-far-ahead'],
	['2026-11-21T11:58:59Z', 'timestamp-too-old', 60],
	['2020-01-01T00:00:00Z', 'accepted', 0],
	[undefined, 'accepted', 0],
	['yesterday', 'accepted', 0],
	...[
		'yesterday',
		String(NOW),
		'Sat, 21 Nov 2026 12:00:00 GMT',
		'2026-11-21',
		'2026-11-21T12:00:00',
		'2026-11-21 12:00:00Z',
		'2026-11-21T12:00Z',
		'2026-11-21T24:00:00Z',
		'2026-11-21T12:60:00Z',
		'2026-11-21T12:00:00+24:00',
		'2026-11-21T12:00:00+30:00',
		'2026-11-21T12:00:00+1:00',
		'2026-11-21T12:00:00+01:60',
		'2026-02-30T12:00:00Z',
		'x2026-11-21T12:00:00Z',
		'2026-11-21T12:00:00Zx',
		'10000-01-01T00:00:00Z',
		'+010000-01-01T00:00:00Z',
	].map((text): [string, Case['expected']] => [text, 'timestamp-malformed']),
];

const timestamps = TIMESTAMPS.map(([text, expected, timestampTolerance = 300]) =>
	make(`timestamp: ${text}, tolerance ${timestampTolerance}`, expected, {
		headers: { 'x-webhook-timestamp': text },
		timestampTolerance,
	}),
);

/** How old an event itself is does not count: a refund has the time of its purchase. */
const ages: Case[] = [undefined, null, 'yesterday', 7, '2020-01-01T00:00:00Z'].map((createdAt) =>
	make(`age: ${JSON.stringify(createdAt)}`, 'accepted', {
		body: Buffer.from(JSON.stringify({ id: 'e1', createdAt })),
	}),
);

const topic = (name: string, expected: Case['expected'], text: string | undefined) =>
	make(`topic: ${name}`, expected, { headers: { 'x-webhook-topic': text } });

const eventId = (name: string, text: string | undefined) =>
	make(`event id: ${name}`, 'accepted', { headers: { 'x-webhook-event-id': text } });

const headers: Case[] = [
	topic('missing', 'topic-missing', undefined),
	topic('empty', 'topic-missing', ''),
	topic('unknown', 'other-topic', 'account.renamed.v1'),
	topic('other major version', 'other-topic', 'card.financial_event.v2'),
	topic('mixed case between blanks', 'accepted', ' Card.Financial_Event.v1\t'),
	topic('twice', 'topic-missing', 'card.financial_event.v1, card.financial_event.v1'),
	topic('major version 10', 'other-topic', 'card.financial_event.v10'),
	topic('more after its version', 'topic-missing', 'card.financial_event.v1.x'),
	topic('two', 'topic-missing', 'card.financial_event.v1, account.renamed.v1'),
	topic('without a version', 'topic-missing', 'undefined'),
	make('topic: unknown, and forged', 'signature-mismatch', {
		headers: { 'x-webhook-topic': 'unknown', 'x-webhook-signature': v0(old) },
	}),
	make('topic: unknown, of no object', 'other-topic', {
		body: Buffer.from('[]'),
		headers: { 'x-webhook-topic': 'unknown.v1' },
	}),
	make('body: no object, and no timestamp', 'payload-not-an-object', {
		body: Buffer.from('[]'),
		headers: { 'x-webhook-timestamp': undefined },
	}),
	eventId('missing', undefined),
	eventId('300 characters', 'e'.repeat(300)),
	eventId("different from the body's id", 'e2'),
];

const deliveries = [signatures, secrets, bodies, timestamps, ages, headers].flat();

async function outcomeOf(delivery: Case): Promise<string> {
	const [signingSecret, previousSigningSecret, testSigningSecret] = delivery.secrets;
	const credential = { signingSecret, previousSigningSecret, testSigningSecret };
	const rejection = await verify(delivery, async () => toSigningKeys(credential));
	if (rejection !== undefined) return rejection;
	const result = parseDelivery(delivery, NOW, delivery.timestampTolerance);
	return result.kind === 'accepted' ? result.kind : result.reason;
}

test.each(deliveries.map((each) => [each.name, each.expected, each] as const))(
	'%s: %s',
	async (_name, expected, delivery) => {
		expect(await outcomeOf(delivery)).toBe(expected);
	},
);

const genuine = {
	'x-webhook-topic': 'card.financial_event.v1',
	'x-webhook-timestamp': '2026-11-21T11:59:30Z',
	'x-webhook-event-id': 'e1',
};

test.each([undefined, '"x"', '{"eventId":"own"}', 'null', '[1]'])(
	'a genuine delivery becomes an item: the event as it is, and the headers; its own field delivery, %s, is kept',
	(own) => {
		const fields = '"id":"e1","amount":"12.50","isNew":{"a":1}';
		const body = Buffer.from(`{${fields}${own === undefined ? '' : `,"delivery":${own}`}}`);
		const result = parseDelivery({ body, headers: genuine }, NOW, 300);
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
	expect(parseDelivery({ body, headers: genuine }, NOW, 300)).not.toHaveProperty('item.isSuccess');
	expect({}).not.toHaveProperty('isSuccess');
});

const fetchNever = jest.fn();

test.each([
	['no signature', {}],
	['a malformed signature', { 'x-webhook-signature': 'v0=x' }],
])('the secret is not read for %s', async (_name, signature) => {
	const delivery = { body: event, headers: signature };
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
		const compare = jest.spyOn(crypto, 'timingSafeEqual');
		// No other way to compare may take part.
		const others = [
			jest.spyOn(Buffer.prototype, 'equals'),
			jest.spyOn(Buffer.prototype, 'compare'),
			jest.spyOn(Buffer, 'compare'),
		];
		const signatures = parseSignatures(signers.map((each) => `v0=${digest(each)}`).join());
		isSigned(event, signatures, keysOf('new', 'old'));
		const compared = compare.mock.calls.map((pair) =>
			pair.map((bytes) =>
				Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex'),
			),
		);
		const expected = ['new', 'old'].flatMap((secret) =>
			signatures.map((signature) => [digest(secret), signature.toString('hex')]),
		);
		expect(compared).toEqual(expected);
		for (const other of others) expect(other).not.toHaveBeenCalled();
		jest.restoreAllMocks();
	},
);
