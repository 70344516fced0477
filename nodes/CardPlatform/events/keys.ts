import { createHash } from 'node:crypto';

import type { FunctionsBase } from 'n8n-workflow';

import { isDataObject } from '../api/values';
import type { EventChoice } from './eventTypes';

/** The key of what must start the workflow once: the purchase, if only its first approval counts, or else the event. */
export function dedupeKey(item: Record<string, unknown>, { purchaseOf }: EventChoice): string {
	const purchase = purchaseOf(item);
	return purchase === undefined ? eventKey(item) : digest(`purchase:${purchase}`);
}

/**
 * The key of an event, from its signed content: its `id` (§2), or all of it if it has no id. The header
 * `X-Webhook-Event-Id` is not signed (§6), so a replay could carry any.
 */
export function eventKey(item: Record<string, unknown>): string {
	const { fromEvent, changeId } = deliveryOf(item);
	if (typeof changeId === 'string') return digest(`change:${changeId}`);
	const event: Record<string, unknown> = { ...item, delivery: fromEvent };
	const { id } = event;
	const isId = typeof id === 'string' && id !== '';
	return digest(isId ? `id:${id}` : `content:${JSON.stringify(event)}`);
}

/** How an item arrived; an empty object if it does not say. */
export const deliveryOf = ({ delivery }: Record<string, unknown>) =>
	isDataObject(delivery) ? delivery : {};

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Key of the trigger, unique in this n8n. An import can bring two nodes with one ID. */
export function nodeKey(context: Pick<FunctionsBase, 'getWorkflow' | 'getNode'>): string {
	const { id, name } = context.getNode();
	return `${context.getWorkflow().id}:${id}:${name}`;
}
