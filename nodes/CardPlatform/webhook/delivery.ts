import type { KeyObject } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { isSigned, parseSignatures } from './signature';
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

/** Why a delivery is not let in; each is answered with 401 but the last, which is signed (400). */
export type Rejection =
	| 'body-unreadable'
	| 'no-secret'
	| 'signature-missing'
	| 'signature-malformed'
	| 'signature-mismatch'
	| 'timestamp-missing'
	| 'timestamp-malformed'
	| 'timestamp-too-far'
	| 'payload-not-an-object';

/** What becomes of a delivery. */
export type Verdict =
	| { kind: 'rejected'; status: 400 | 401; reason: Rejection }
	/** Signed, but nothing for this trigger: answered with 200, starts nothing. */
	| { kind: 'ignored'; reason: 'other-topic' }
	| { kind: 'accepted'; item: IDataObject };

const rejected = (reason: Rejection): Verdict => ({
	kind: 'rejected',
	status: reason === 'payload-not-an-object' ? 400 : 401,
	reason,
});

const header = ({ headers }: Delivery, name: string): string | undefined => {
	const value = headers[name];
	return Array.isArray(value) ? value.join(',') : value;
};

const isDataObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function parseObject(body: Buffer): IDataObject | undefined {
	try {
		const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
		return isDataObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/**
 * Judges a webhook request (§6): raw bytes, signature, topic, payload, freshness, in this order.
 * The event is parsed from the very bytes that were verified, and passed on as it is: fields may
 * be missing or new.
 *
 * @param getKeys gives the keys of the credential's secrets, none where it has none; asked only
 * for a request whose signature header has something to check
 * @param now milliseconds since 1970
 * @param toleranceSeconds how far the timestamp may be from now; 0 switches that check off
 */
export async function judge(
	delivery: Delivery,
	getKeys: () => Promise<KeyObject[]>,
	now: number,
	toleranceSeconds: number,
): Promise<Verdict> {
	const { body } = delivery;
	if (body === undefined) return rejected('body-unreadable');

	const signatureHeader = header(delivery, 'x-webhook-signature');
	if (signatureHeader === undefined) return rejected('signature-missing');
	const signatures = parseSignatures(signatureHeader);
	if (signatures.length === 0) return rejected('signature-malformed');
	const keys = await getKeys();
	if (keys.length === 0) return rejected('no-secret');
	if (!isSigned(body, signatures, keys)) return rejected('signature-mismatch');

	const topic = header(delivery, 'x-webhook-topic');
	if (topic !== TOPIC) return { kind: 'ignored', reason: 'other-topic' };

	const event = parseObject(body);
	if (event === undefined) return rejected('payload-not-an-object');

	const timestamp = header(delivery, 'x-webhook-timestamp');
	if (toleranceSeconds > 0) {
		if (timestamp === undefined) return rejected('timestamp-missing');
		const emitted = parseTimestamp(timestamp);
		if (emitted === undefined) return rejected('timestamp-malformed');
		if (!isFresh(emitted, now, toleranceSeconds)) return rejected('timestamp-too-far');
	}

	const eventId = header(delivery, 'x-webhook-event-id');
	return { kind: 'accepted', item: { ...event, delivery: { eventId, topic, timestamp } } };
}
