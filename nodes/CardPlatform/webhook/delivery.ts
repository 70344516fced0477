import type { IDataObject } from 'n8n-workflow';

import { parseJson } from '../api/json';
import type { TriggerOptions } from './settings';
import { parseTimestamp } from './timestamp';

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
	'timestamp-too-old': 401,
	'timestamp-too-far-ahead': 401,
	'created-at-missing': 401,
	'created-at-malformed': 401,
	'event-too-old': 401,
} as const;

/** A key of {@link REJECTIONS}. */
export type Rejection = keyof typeof REJECTIONS;

const PAST = 'Timestamp Tolerance, Past (Seconds)';
const FUTURE = 'Timestamp Tolerance, Future (Seconds)';
const AGE = 'Maximum Event Age (Hours)';

/** The option of the trigger to change if a delivery that is refused for this reason is wanted. */
export const OPTION_TO_CHANGE: ReadonlyMap<Rejection, string> = new Map([
	['timestamp-missing', PAST],
	['timestamp-malformed', PAST],
	['timestamp-too-old', PAST],
	['timestamp-too-far-ahead', FUTURE],
	['created-at-missing', AGE],
	['created-at-malformed', AGE],
	['event-too-old', AGE],
]);

/** What a genuine delivery turns out to be, and its event for the log, where the body is one. */
export type Verdict =
	| { kind: 'rejected'; reason: Rejection; event?: IDataObject }
	/** Nothing for this trigger: answered with 200, starts nothing. */
	| { kind: 'ignored'; reason: 'other-topic'; event?: IDataObject }
	| { kind: 'accepted'; item: IDataObject };

/** The options that decide whether a delivery is too old or too new. */
export type Freshness = Pick<
	TriggerOptions,
	'timestampTolerance' | 'futureTimestampTolerance' | 'maximumEventAge'
>;

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

/** Tells whether a value is an object with names and values, as an event is. */
export const isDataObject = (value: unknown): value is IDataObject =>
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
	{ timestampTolerance, futureTimestampTolerance }: Freshness,
): Rejection | undefined {
	if (timestampTolerance === 0) return undefined;
	if (timestamp === undefined) return 'timestamp-missing';
	const emitted = parseTimestamp(timestamp);
	if (emitted === undefined) return 'timestamp-malformed';
	if (now - emitted > timestampTolerance * 1000) return 'timestamp-too-old';
	const isAhead = emitted - now > futureTimestampTolerance * 1000;
	return isAhead && futureTimestampTolerance > 0 ? 'timestamp-too-far-ahead' : undefined;
}

/** Unlike the timestamp, `createdAt` is signed: nobody can make an event look younger. */
function judgeAge({ createdAt }: IDataObject, now: number, hours: number): Rejection | undefined {
	if (hours === 0) return undefined;
	if (createdAt === undefined || createdAt === null) return 'created-at-missing';
	const created = typeof createdAt === 'string' ? parseTimestamp(createdAt) : undefined;
	if (created === undefined) return 'created-at-malformed';
	return now - created > hours * 3_600_000 ? 'event-too-old' : undefined;
}

/**
 * Reads a delivery whose signature was found right (§6): topic, payload, freshness, in this order.
 * The event is parsed from the very bytes that were verified, and passed on as it is: fields may
 * be missing or new. Only the event's own field `delivery` moves, to `delivery.fromEvent`.
 *
 * @param body the verified bytes
 * @param delivery for its headers
 * @param now milliseconds since 1970
 * @param freshness how far the timestamp, and the event's own time, may be from now
 */
export function judge(
	body: Buffer,
	delivery: Delivery,
	now: number,
	freshness: Freshness,
): Verdict {
	const event = parseObject(body);
	const topic = header(delivery, 'x-webhook-topic');
	if (topic === undefined) return { kind: 'rejected', reason: 'topic-missing', event };
	// A proxy may send a header twice.
	const topics = topic.split(',').map((each) => each.trim().toLowerCase());
	if (topics.some((each) => each !== TOPIC))
		return { kind: 'ignored', reason: 'other-topic', event };
	if (event === undefined) return { kind: 'rejected', reason: 'payload-not-an-object' };

	const timestamp = header(delivery, 'x-webhook-timestamp');
	const reason =
		judgeTimestamp(timestamp, now, freshness) ?? judgeAge(event, now, freshness.maximumEventAge);
	if (reason !== undefined) return { kind: 'rejected', reason, event };

	const said = { eventId: header(delivery, 'x-webhook-event-id'), topic: TOPIC, timestamp };
	const own = 'delivery' in event ? { fromEvent: event.delivery } : {};
	return { kind: 'accepted', item: { ...event, delivery: { ...said, ...own } } };
}
