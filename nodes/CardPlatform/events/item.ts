import type { GenericValue, IDataObject, INodeExecutionData } from 'n8n-workflow';

/** How an event arrived. */
interface Origin {
	source: 'webhook' | 'polling';
	[field: string]: GenericValue;
}

/**
 * Makes the item that a trigger emits for an event: the event as it is, with `delivery`. Only the
 * event's own field `delivery` moves, to `delivery.fromEvent`.
 */
export const toItem = (event: IDataObject, delivery: Origin): IDataObject => ({
	...event,
	delivery: { ...delivery, ...('delivery' in event && { fromEvent: event.delivery }) },
});

/** Makes the items of events that the polling trigger found. */
export const toPolledItems = (events: IDataObject[]): INodeExecutionData[] =>
	events.map((event) => ({ json: toItem(event, { source: 'polling' }) }));
