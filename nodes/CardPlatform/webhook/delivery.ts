import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { isDataObject, parseJson } from '../api/values';
import { toItem } from '../events/item';
import type { Rejection } from './rejections';

/** The only topic (§6 Topics). */
const TOPIC = 'card.financial_event.v1';

export interface Delivery {
	body: Buffer;
	/** Headers by lower-case name. */
	headers: Record<string, string | string[] | undefined>;
}

/** What a verified delivery contains; with its event for the log if the body is one. */
type DeliveryResult =
	| { kind: 'dropped'; reason: Rejection | 'other-topic'; event?: IDataObject }
	| { kind: 'accepted'; item: IDataObject };

/**
 * Reads a delivery whose signature has been verified (§6): topic, payload, freshness, in this order.
 * The event is parsed from the verified bytes and passed on as it is: fields may be missing or new.
 * Only the event's own field `delivery` moves, to `delivery.fromEvent`.
 *
 * @param now milliseconds since 1970
 * @param tolerance seconds by which the timestamp may differ from now; 0 for any
 */
export function parseDelivery(delivery: Delivery, now: number, tolerance: number): DeliveryResult {
	const event = parseObject(delivery.body);
	const topic = header(delivery, 'x-webhook-topic')?.toLowerCase() ?? '';
	// A proxy may break the header. Only what has a version is another topic.
	if (!/^[^,]+\.v\d+$/.test(topic)) return { kind: 'dropped', reason: 'topic-missing', event };
	if (topic !== TOPIC) return { kind: 'dropped', reason: 'other-topic', event };
	if (event === undefined) return { kind: 'dropped', reason: 'payload-not-an-object' };

	const timestamp = header(delivery, 'x-webhook-timestamp');
	const reason = checkTimestamp(timestamp, now, tolerance);
	if (reason !== undefined) return { kind: 'dropped', reason, event };

	const eventId = header(delivery, 'x-webhook-event-id');
	const item = toItem(event, { source: 'webhook', eventId, topic: TOPIC, timestamp });
	return { kind: 'accepted', item };
}

/** Gives a header by its name in lower case; undefined if it is missing or blank. Several are one list (§6 Signature 3). */
export function header({ headers }: Pick<Delivery, 'headers'>, name: string): string | undefined {
	const value = headers[name];
	const text = (Array.isArray(value) ? value.join(',') : value)?.trim();
	return text === '' ? undefined : text;
}

function parseObject(body: Buffer): IDataObject | undefined {
	try {
		const value: unknown = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
		return isDataObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

function checkTimestamp(
	timestamp: string | undefined,
	now: number,
	tolerance: number,
): Rejection | undefined {
	if (tolerance === 0) return undefined;
	if (timestamp === undefined) return 'timestamp-missing';
	const emitted = parseTimestamp(timestamp);
	if (emitted === undefined) return 'timestamp-malformed';
	if (now - emitted > tolerance * 1000) return 'timestamp-too-old';
	return emitted - now > tolerance * 1000 ? 'timestamp-too-far-ahead' : undefined;
}

const RFC_3339 =
	/^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** Reads an RFC 3339 date-time (§6 Delivery headers) as milliseconds since 1970. Luxon alone takes any ISO 8601 date. */
export function parseTimestamp(text: string): number | undefined {
	if (!RFC_3339.test(text)) return undefined;
	// The luxon of n8n 1.123 reads no lower-case "t".
	const moment = DateTime.fromISO(text.toUpperCase());
	return moment.isValid ? moment.toMillis() : undefined;
}
