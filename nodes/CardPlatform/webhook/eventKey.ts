import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { isDataObject } from './delivery';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Names an event for deduplication by what was signed of it: its `id` (§2), or its whole content
 * where it has none. The header `X-Webhook-Event-Id` is not signed (§6), so a replay could carry
 * any.
 *
 * @param item what the trigger emits for the event
 * @returns 64 hex digits
 */
export function eventKey(item: IDataObject): string {
	const { delivery } = item;
	const own = isDataObject(delivery) ? delivery.fromEvent : undefined;
	const event: IDataObject = { ...item, delivery: own };
	return typeof event.id === 'string' && event.id !== ''
		? digest(`id:${event.id}`)
		: digest(`content:${JSON.stringify(event)}`);
}
