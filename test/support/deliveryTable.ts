import { gzipSync } from 'node:zlib';

import { sign } from '../../harness/signing.ts';
import type { Rejection } from '../../nodes/CardPlatform/webhook/rejections';

/** The moment at which all deliveries of the table arrive. */
export const NOW = Date.parse('2026-11-21T12:00:00Z');

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
}

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
		...changes,
		body,
		secrets,
		headers: {
			'content-type': 'application/json',
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

const timestamp = (
	text: string | undefined,
	expected: Case['expected'],
	name = text ?? 'missing',
	timestampTolerance = 300,
) =>
	make(`timestamp: ${name}`, expected, {
		headers: { 'x-webhook-timestamp': text },
		timestampTolerance,
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

const timestamps: Case[] = [
	timestamp(undefined, 'timestamp-missing'),
	timestamp('', 'timestamp-missing', 'empty'),
	timestamp('yesterday', 'timestamp-malformed'),
	timestamp('1795262400000', 'timestamp-malformed', 'milliseconds since 1970'),
	timestamp('Sat, 21 Nov 2026 12:00:00 GMT', 'timestamp-malformed', 'RFC 7231'),
	timestamp('2026-11-21', 'timestamp-malformed', 'date only'),
	timestamp('2026-11-21T12:00:00', 'timestamp-malformed', 'no offset'),
	timestamp('2026-11-21 12:00:00Z', 'timestamp-malformed', 'blank for the T'),
	timestamp('2026-11-21t12:00:00z', 'accepted', 'lower-case t and z'),
	timestamp('2026-11-21T13:00:00+01:00', 'accepted', 'offset'),
	timestamp('2026-11-21T12:00:00+01:00', 'timestamp-too-old', 'an hour too early by its offset'),
	timestamp('2026-11-21T11:59:60Z', 'timestamp-malformed', 'leap second'),
	timestamp('2026-02-30T12:00:00Z', 'timestamp-malformed', '30 February'),
	timestamp('10000-01-01T00:00:00Z', 'timestamp-malformed', 'year 10000'),
	timestamp('2026-11-21T11:55:00Z', 'accepted', 'exactly as old as the tolerance'),
	timestamp('2026-11-21T11:54:59Z', 'timestamp-too-old', 'one second too old'),
	timestamp('2026-11-21T12:05:00Z', 'accepted', 'exactly as far ahead as the tolerance'),
	timestamp('2026-11-21T12:05:01Z', 'timestamp-too-far-ahead', 'one second too far ahead'),
	timestamp('2020-01-01T00:00:00Z', 'accepted', 'years old, tolerance 0', 0),
	timestamp(undefined, 'accepted', 'missing, tolerance 0', 0),
	timestamp('yesterday', 'accepted', 'not RFC 3339, tolerance 0', 0),
	timestamp('2026-11-21T12:00:00Z', 'accepted', 'tolerance of a fraction', 90.5),
	timestamp('2026-11-21T11:58:59Z', 'timestamp-too-old', 'late, tolerance of a minute', 60),
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

/** Longer than a delivery takes, as the real clock goes on. */
const MARGIN_MS = 60_000;

/** Moves a date-time by whole minutes and a margin away from the limits, and keeps how it is written. */
function moveTime(text: string, by: number, expected: Case['expected']): string {
	const moment = Date.parse(`${text.slice(0, 10)}T${text.slice(11, 16)}Z`);
	if (Number.isNaN(moment) || expected === 'timestamp-malformed') return text;
	const isEarlier = expected.endsWith('too-old') || (expected === 'accepted' && moment > NOW);
	const exact = moment + by + (isEarlier ? -MARGIN_MS : MARGIN_MS);
	const moved = new Date(Math.round(exact / 60_000) * 60_000).toISOString();
	return `${moved.slice(0, 10)}${text.charAt(10)}${moved.slice(11, 16)}${text.slice(16)}`;
}

/**
 * A case as it arrives at another time than {@link NOW}, with the same outcome for the next half minute:
 * its timestamp is moved.
 */
export function movedTo(now: number, original: Case): Case {
	const timestamp = original.headers['x-webhook-timestamp'];
	if (typeof timestamp !== 'string') return original;
	const moved = moveTime(timestamp, now - NOW, original.expected);
	return { ...original, headers: { ...original.headers, 'x-webhook-timestamp': moved } };
}
