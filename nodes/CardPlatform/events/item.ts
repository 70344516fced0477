/**
 * Makes the item that a trigger emits for an event: the event as it is, with `delivery` for how it
 * came. Only the event's own field `delivery` moves, to `delivery.fromEvent`.
 */
export const toItem = <T extends Record<string, unknown>>(
	event: T,
	delivery: { source: 'webhook' | 'polling'; [field: string]: unknown },
) => ({
	...event,
	delivery: { ...delivery, ...('delivery' in event && { fromEvent: event.delivery }) },
});
