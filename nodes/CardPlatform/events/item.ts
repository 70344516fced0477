import type { GenericValue, IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';

import { eventSchema } from '../api/event';
import { isDataObject } from '../api/values';
import type { NameCard } from './cardEvents';
import { typeOf } from './eventTypes';
import { declineReasonOf, summarize } from './summary';

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

/** Makes the items of events that the polling trigger found. A card's name goes with the delivery: it is no part of the event. */
export const toPolledItems = (
	events: IDataObject[],
	nameCard: NameCard = () => ({}),
): INodeExecutionData[] =>
	events.map((event) => ({ json: toItem(event, { source: 'polling', ...nameCard(event) }) }));

const { createdAt, amount, currency, merchantName, merchantCountry, cardId, transactionId } =
	eventSchema.shape;

/** A simplified event: n8n's guidelines want at most ten fields of its 19 (§2). */
export const simpleSchema = z.object({
	eventType: z.string(),
	summary: z.string(),
	createdAt,
	amount,
	currency,
	merchantName,
	merchantCountry,
	declineReason: z.string().nullish(),
	cardId,
	transactionId,
});

const CARD = ['cardName', 'cardLastFour'];
const SIMPLE = Object.keys(simpleSchema.shape);
const IDS = SIMPLE.slice(-2);
/** In the order of a table, which shows three or four columns at n8n's usual width. */
const FIRST = [...SIMPLE.slice(0, 3), ...CARD, ...SIMPLE.slice(3, -2)];
const LAST = [...IDS, 'id', 'delivery'];

/**
 * Makes an event readable: first what happened, when, with which card, how much and where, IDs last; simplified, without
 * the others. Never overwrites a field of the API, so an item that passes twice stays the same.
 */
export function toReadable(item: IDataObject, simplifies: boolean): IDataObject {
	const card: IDataObject = {};
	const event = { ...item };
	if (isDataObject(item.delivery)) {
		// A change of a record is no event.
		if ('changeId' in item.delivery) return item;
		const { cardName, cardLastFour, ...delivery } = item.delivery;
		if (cardName !== undefined) Object.assign(card, { cardName, cardLastFour });
		event.delivery = delivery;
	}
	const added = {
		eventType: typeOf(event),
		summary: summarize(event),
		declineReason: declineReasonOf(event),
	};
	const all: IDataObject = { ...added, ...card, ...event };
	const others = Object.keys(all).filter((name) => ![...FIRST, ...LAST].includes(name));
	const names = new Set(simplifies ? [...FIRST, ...IDS] : [...FIRST, ...others, ...LAST]);
	const shown = [...names].filter((name) => Object.hasOwn(all, name));
	return Object.fromEntries(shown.map((name) => [name, all[name]]));
}

/** Does the same for the items of a trigger. */
export const toReadableItems = (items: INodeExecutionData[], simplifies: boolean) =>
	items.map((item) => ({ ...item, json: toReadable(item.json, simplifies) }));
