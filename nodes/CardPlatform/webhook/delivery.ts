import type { IDataObject } from 'n8n-workflow';

import { parseJson } from '../api/json';
import { isFresh, parseTimestamp } from './timestamp';

/** The one topic there is (§6 Topics). */
export const TOPIC = 'card.financial_event.v1';

/** A webhook request as it came in. */
export interface Delivery {
	/** The raw bytes; undefined where the body could not be read. */
	body: Buffer | undefined;
	/** Headers by lower-case name. */
	headers: Record<string, string | string[] | undefined>;
}

/** Why a delivery is not let in, and the status that it is answered with. */
export const REJECTIONS = {
	'body-unreadable': 401,
	'signature-missing': 401,
	'signature-malformed': 401,
	'signature-mismatch': 401,
	'no-secret': 401,
	'topic-missing': 400,
	'payload-not-an-object': 400,
	'timestamp-missing': 401,
	'timestamp-malformed': 401,
	'timestamp-too-far': 401,
} as const;

/** A key of {@link REJECTIONS}. */
export type Rejection = keyof typeof REJECTIONS;

/** What a genuine delivery turns out to be. */
export type Verdict =
	| { kind: 'rejected'; reason: Rejection }
	/** Nothing for this trigger: answered with 200, starts nothing. */
	| { kind: 'ignored'; reason: 'other-topic' }
	| { kind: 'accepted'; item: IDataObject };

const rejected = (reason: Rejection): Verdict => ({ kind: 'rejected', reason });

/**
 * Gives a header of a delivery. Several headers of one name are one list (§6 Signature 3).
 *
 * @param name in lower case
 * @returns trimmed; undefined where it is missing or blank
 */
export function header({ headers }: Delivery, name: string): string | undefined {
	const value = headers[name];
	const text = (Array.isArray(value) ? value.join(',') : value)?.trim();
	return text === '' ? undefined : text;
}

const isDataObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function parseObject(body: Buffer): IDataObject | undefined {
	try {
		const value: unknown = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
		return isDataObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

function judgeTimestamp(
	timestamp: string | undefined,
	now: number,
	toleranceSeconds: number,
): Rejection | undefined {
	if (toleranceSeconds === 0) return undefined;
	if (timestamp === undefined) return 'timestamp-missing';
	const emitted = parseTimestamp(timestamp);
	if (emitted === undefined) return 'timestamp-malformed';
	return isFresh(emitted, now, toleranceSeconds) ? undefined : 'timestamp-too-far';
}

/**
 * Reads a delivery whose signature was found right (§6): topic, payload, freshness, in this order.
 * The event is parsed from the very bytes that were verified, and passed on as it is: fields may
 * be missing or new.
 *
 * @param body the verified bytes
 * @param delivery for its headers
 * @param now milliseconds since 1970
 * @param toleranceSeconds how far the timestamp may be from now; 0 switches that check off
 */
export function judge(
	body: Buffer,
	delivery: Delivery,
	now: number,
	toleranceSeconds: number,
): Verdict {
	const topic = header(delivery, 'x-webhook-topic');
	if (topic === undefined) return rejected('topic-missing');
	if (topic !== TOPIC) return { kind: 'ignored', reason: 'other-topic' };

	const event = parseObject(body);
	if (event === undefined) return rejected('payload-not-an-object');

	const timestamp = header(delivery, 'x-webhook-timestamp');
	const reason = judgeTimestamp(timestamp, now, toleranceSeconds);
	if (reason !== undefined) return rejected(reason);

	const eventId = header(delivery, 'x-webhook-event-id');
	return { kind: 'accepted', item: { ...event, delivery: { eventId, topic, timestamp } } };
}
