import { createHash } from 'node:crypto';

import type { FunctionsBase, IDataObject } from 'n8n-workflow';

import { isDataObject } from '../api/json';

/** Events remembered in all; about 200 bytes each. */
const CAPACITY = 10_000;

/** Remembers the last events that were handed to a workflow, in the memory of this process. */
export class SeenEvents {
	private readonly keys = new Set<string>();

	private readonly capacity: number;

	/** @param capacity events remembered; the oldest are forgotten */
	constructor(capacity = CAPACITY) {
		this.capacity = capacity;
	}

	/** Tells whether an event is remembered. */
	has(key: string): boolean {
		return this.keys.has(key);
	}

	/** Remembers an event as the newest. */
	add(key: string): void {
		this.keys.delete(key);
		this.keys.add(key);
		for (const oldest of this.keys) {
			if (this.keys.size <= this.capacity) return;
			this.keys.delete(oldest);
		}
	}
}

/** Names a node among all of this n8n: each deduplicates its events separately. */
export const placeOf = (context: Pick<FunctionsBase, 'getWorkflow' | 'getNode'>): string =>
	`${context.getWorkflow().id}:${context.getNode().id}`;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Names an event for deduplication by its signed content: its `id` (§2), or all of it if it has no
 * id. The header `X-Webhook-Event-Id` is not signed (§6), so a replay could carry any.
 *
 * @param item what a trigger emits for the event
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
