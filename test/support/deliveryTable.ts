import { gzipSync } from 'node:zlib';

import { sign } from '../../dev/harness/signing.ts';
import type { Rejection } from '../../nodes/CardPlatform/webhook/rejections';

/** A request with one property that is worth a name, and what has to become of it. */
export interface Case {
	name: string;
	body: Buffer;
	headers: Record<string, string | string[] | undefined>;
	/** Defaults to `new`. */
	secrets: [signingSecret: string, previousSigningSecret?: string, testSigningSecret?: string];
	/** Seconds; 300 unless changed. */
	timestampTolerance: number;
	expected: Rejection | 'accepted' | 'other-topic';
	/** How far the timestamp is ahead of the clock, and what it is made of that time in RFC 3339. */
	secondsAhead: number;
	edit: (timestamp: string) => string | undefined;
}

/** A case with its timestamp. */
type Delivered = Omit<Case, 'secondsAhead' | 'edit'>;

const event: Buffer = Buffer.from(
	'{"id":"e1","transactionId":"t1","amount":"12.50","isSuccess":true}',
);

/** The digits of a signature of the body. */
export const digest = (secret: string, body = event): string =>
	sign(body, secret).replace('v0=', '');

const fresh = digest('new');
const old = digest('old');
const v0 = (digits: string) => `v0=${digits}`;

function make(name: string, expected: Case['expected'], changes: Partial<Case> = {}): Case {
	const { body = event, secrets = ['new'] } = changes;
	return {
		name,
		expected,
		timestampTolerance: 300,
		secondsAhead: 0,
		edit: (text) => text,
		...changes,
		body,
		secrets,
		headers: {
			'content-type': 'application/json',
			'x-webhook-signature': v0(digest(secrets[0], body)),
			'x-webhook-topic': 'card.financial_event.v1',
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

const timestamp = (
	name: string,
	expected: Case['expected'],
	secondsAhead: number,
	edit: Case['edit'] = (text) => text,
	timestampTolerance = 300,
) => make(`timestamp: ${name}`, expected, { secondsAhead, edit, timestampTolerance });

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
	body('deeply nested', 'accepted', `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`),
	body('array', 'payload-not-an-object', '[{"id":"e1"}]'),
	body('null', 'payload-not-an-object', 'null'),
	body('text', 'payload-not-an-object', '"e1"'),
	body('cut off', 'payload-not-an-object', '{"id":"e1"'),
	make('body: still compressed', 'signature-mismatch', {
		body: gzipSync(event),
		headers: { 'x-webhook-signature': v0(fresh) },
	}),
	make('body: re-serialised', 'signature-mismatch', {
		body: Buffer.from(JSON.stringify(JSON.parse(event.toString()), null, 1)),
		headers: { 'x-webhook-signature': v0(fresh) },
	}),
	make('body: with a line break more', 'signature-mismatch', {
		body: Buffer.concat([event, Buffer.from('\n')]),
		headers: { 'x-webhook-signature': v0(fresh) },
	}),
	make('body: another amount', 'signature-mismatch', {
		body: Buffer.from(event.toString().replace('12.50', '12.51')),
		headers: { 'x-webhook-signature': v0(fresh) },
	}),
];

/** Each is almost RFC 3339. */
const MALFORMED = [
	'2026-11-21T12:00Z',
	'2026-11-21T24:00:00Z',
	'2026-11-21T12:60:00Z',
	'2026-11-21T12:00:00+24:00',
	'2026-11-21T12:00:00+30:00',
	'2026-11-21T12:00:00+1:00',
	'2026-11-21T12:00:00+01:60',
	'x2026-11-21T12:00:00Z',
	'2026-11-21T12:00:00Zx',
	'+010000-01-01T00:00:00Z',
];

const timestamps: Case[] = [
	timestamp('missing', 'timestamp-missing', 0, () => undefined),
	timestamp('empty', 'timestamp-missing', 0, () => ''),
	timestamp('no time', 'timestamp-malformed', 0, () => 'yesterday'),
	timestamp('milliseconds', 'timestamp-malformed', 0, (text) => String(Date.parse(text))),
	timestamp('RFC 7231', 'timestamp-malformed', 0, (text) => new Date(text).toUTCString()),
	timestamp('date only', 'timestamp-malformed', 0, (text) => text.slice(0, 10)),
	timestamp('no offset', 'timestamp-malformed', 0, (text) => text.slice(0, -1)),
	timestamp('blank for the T', 'timestamp-malformed', 0, (text) => text.replace('T', ' ')),
	timestamp('lower-case t and z', 'accepted', 0, (text) => text.toLowerCase()),
	timestamp('offset', 'accepted', 3600, (text) => text.replace('Z', '+01:00')),
	timestamp('an hour old by its offset', 'timestamp-too-old', 0, (text) =>
		text.replace('Z', '+01:00'),
	),
	timestamp('fraction of a second', 'accepted', 0, (text) => text.replace('Z', '.123456789Z')),
	timestamp('offset of 23:59', 'accepted', 86_340, (text) => text.replace('Z', '+23:59')),
	timestamp('leap second', 'accepted', 0, (text) => text.replace(/:\d\d:\d\d/, ':59:60'), 7_200),
	timestamp('30 February', 'timestamp-malformed', 0, () => '2026-02-30T12:00:00Z'),
	timestamp('year 10000', 'timestamp-malformed', 0, () => '10000-01-01T00:00:00Z'),
	...MALFORMED.map((text) => timestamp(text, 'timestamp-malformed', 0, () => text)),
	timestamp('exactly as old as the tolerance', 'accepted', -300),
	timestamp('one second too old', 'timestamp-too-old', -301),
	timestamp('exactly as far ahead as the tolerance', 'accepted', 300),
	timestamp('one second too far ahead', 'timestamp-too-far-ahead', 301),
	timestamp('an hour ahead', 'timestamp-too-far-ahead', 3600),
	timestamp('years old, tolerance 0', 'accepted', -2e8, undefined, 0),
	timestamp('missing, tolerance 0', 'accepted', 0, () => undefined, 0),
	timestamp('not RFC 3339, tolerance 0', 'accepted', 0, () => 'yesterday', 0),
	timestamp('late, tolerance of a minute', 'timestamp-too-old', -61, undefined, 60),
];

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
	topic('twice', 'other-topic', 'card.financial_event.v1, card.financial_event.v1'),
	make('topic: unknown, and forged', 'signature-mismatch', {
		headers: { 'x-webhook-topic': 'unknown', 'x-webhook-signature': v0(old) },
	}),
	eventId('missing', undefined),
	eventId('300 characters', 'e'.repeat(300)),
	eventId("different from the body's id", 'e2'),
];

/** Good and bad deliveries, each under a name. */
export const deliveryTable: Case[] = [
	...signatures,
	...secrets,
	...bodies,
	...timestamps,
	...ages,
	...headers,
];

/** A case as it arrives at a time, in milliseconds since 1970. */
export function arriving(now: number, { secondsAhead, edit, ...delivery }: Case): Delivered {
	const second = new Date(now + secondsAhead * 1000).toISOString().slice(0, 19);
	const headers = { ...delivery.headers, 'x-webhook-timestamp': edit(`${second}Z`) };
	return { ...delivery, headers };
}
