import { createHash } from 'node:crypto';

import type { FunctionsBase } from 'n8n-workflow';

import { isDataObject } from '../api/json';

/** About 200 bytes each. */
const CAPACITY = 10_000;

/** Remembers the keys of the last events and purchases that a workflow got, in the memory of this process. */
export class SeenEvents {
	private readonly keys = new Set<string>();

	/** Tells whether a key is remembered. */
	has(key: string): boolean {
		return this.keys.has(key);
	}

	/** Remembers a key as the newest; the oldest beyond 10 000 are forgotten. */
	add(key: string): void {
		this.keys.delete(key);
		this.keys.add(key);
		const [oldest] = this.keys;
		if (this.keys.size > CAPACITY && oldest !== undefined) this.keys.delete(oldest);
	}
}

/** Names a node among all of this n8n: each deduplicates its events separately. */
export const nodeKey = (context: Pick<FunctionsBase, 'getWorkflow' | 'getNode'>): string =>
	`${context.getWorkflow().id}:${context.getNode().id}`;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Names an event for deduplication by its signed content: its `id` (§2), or all of it if it has no
 * id. The header `X-Webhook-Event-Id` is not signed (§6), so a replay could carry any.
 *
 * @param item what a trigger emits for the event
 * @returns 64 hex digits
 */
export function eventKey(item: Record<string, unknown>): string {
	const { delivery } = item;
	const own = isDataObject(delivery) ? delivery.fromEvent : undefined;
	const event: Record<string, unknown> = { ...item, delivery: own };
	return typeof event.id === 'string' && event.id !== ''
		? digest(`id:${event.id}`)
		: digest(`content:${JSON.stringify(event)}`);
}

/**
 * Names a purchase, among the keys of events.
 *
 * @param transactionId of its events (§2)
 * @returns 64 hex digits
 */
export const purchaseKey = (transactionId: string): string => digest(`purchase:${transactionId}`);
