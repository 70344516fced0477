import type { GenericValue, IDataObject } from 'n8n-workflow';

/** How an event came. */
interface Delivery {
	source: 'webhook' | 'polling';
	[field: string]: GenericValue;
}

/**
 * Makes the item that a trigger emits for an event: the event as it is, with `delivery`. Only the
 * event's own field `delivery` moves, to `delivery.fromEvent`.
 */
export const toItem = (event: IDataObject, delivery: Delivery): IDataObject => ({
	...event,
	delivery: { ...delivery, ...('delivery' in event && { fromEvent: event.delivery }) },
});
