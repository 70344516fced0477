import type { IDataObject } from 'n8n-workflow';

import type { Choice } from '../api/field';
import { UserError } from '../api/userError';
import { toChoices, toList } from '../api/values';

/** Tells whether a card financial event (§2) passes a filter; undefined if the value of its field cannot be read. */
export type EventFilter = ((event: Record<string, unknown>) => boolean | undefined) & {
	/** The same for two filters that are written differently but pass the same events. */
	normalized?: string;
	/** The field of the event that it reads. */
	field?: string;
};

export interface EventChoice {
	/** Tells whether an event passes the types and filters. */
	matches: EventFilter;
	/**
	 * Names the purchase that an event approves, if only the first approval of a purchase counts.
	 *
	 * @returns undefined if each event counts
	 */
	purchaseOf: (event: Record<string, unknown>) => string | undefined;
}

const isCompleted: EventFilter = ({ isSuccess, isReversal }) =>
	isSuccess === true && (isReversal ?? false) === false;

/** Tells whether an event approves a purchase: a successful debit that is no reversal. */
export const isApproval: EventFilter = (event) =>
	isCompleted(event) && event.amountDirection === 'debit';

export const ALL = 'all';

export const APPROVED = 'approved';

/**
 * The types of events to choose from, and how the fields of an event (§2) decide. An absent
 * `isReversal` counts as false; without another field that a type needs, an event is not of that
 * type. A reversal that was not successful is both declined and reversed.
 */
export const EVENT_TYPES: readonly (Choice & { matches: EventFilter })[] = [
	{
		name: 'All Events',
		value: ALL,
		action: 'On any card event',
		description: 'Every card event; a purchase has several',
		matches: () => true,
	},
	{
		name: 'Approved',
		value: APPROVED,
		action: 'On purchase approved',
		description: 'A purchase went through; by default once per purchase',
		matches: isApproval,
	},
	{
		name: 'Declined',
		value: 'declined',
		action: 'On purchase declined',
		description: 'A purchase was refused',
		matches: (event) => event.isSuccess === false,
	},
	{
		name: 'Refunded',
		value: 'refunded',
		action: 'On purchase refunded',
		description: 'A merchant paid money back',
		matches: (event) => isCompleted(event) && event.amountDirection === 'credit',
	},
	{
		name: 'Reversed',
		value: 'reversed',
		action: 'On purchase reversed',
		description: 'A hold was released or a charge reversed',
		matches: (event) => event.isReversal === true,
	},
];

/** The type of an event: of one that is both declined and reversed, declined; `other` if it has none but {@link ALL}. */
export const typeOf: (event: Record<string, unknown>) => string = (event) =>
	EVENT_TYPES.find(({ value, matches }) => value !== ALL && matches(event))?.value ?? 'other';

/** Names the purchase that an event approves: clearing and authorization share this ID (§2). */
function approvedPurchase(event: Record<string, unknown>): string | undefined {
	const { transactionId } = event;
	const isPurchase = typeof transactionId === 'string' && transactionId !== '';
	return isPurchase && isApproval(event) ? transactionId : undefined;
}

/** Checks which types of events a person chose. Unless `everyApproval`, only the first approval of a purchase counts. */
export function parseEventTypes(
	value: unknown,
	label: string,
	everyApproval: boolean,
	filters: EventFilter[] = [],
): EventChoice {
	const offered = EVENT_TYPES.map((type) => type.value);
	const values = toChoices(value, label, offered);
	const chosen = EVENT_TYPES.filter((type) => values.includes(type.value));
	const isOnce = !everyApproval && chosen.every((type) => type.value !== ALL);
	return {
		matches: (event) =>
			chosen.some(({ matches }) => matches(event)) && filters.every((passes) => passes(event)),
		purchaseOf: isOnce ? approvedPurchase : () => undefined,
	};
}

/**
 * Selects the events of a card, newest first (§4.6), that match; of several that approve one purchase, only the oldest. An
 * event that does not match does not count: a small authorization must not hide a large clearing.
 */
export function selectEvents(
	events: IDataObject[],
	{ matches, purchaseOf }: EventChoice,
): IDataObject[] {
	const matching = events.filter(matches);
	const first = new Map(matching.map((event) => [purchaseOf(event), event]));
	return matching.filter((event) => {
		const purchase = purchaseOf(event);
		return purchase === undefined || first.get(purchase) === event;
	});
}

/**
 * Refuses All Events beside other choices: the person may want only the others. Not for a published
 * trigger, which must not miss events.
 */
export function refuseAllAndOthers(events: unknown, label = 'Trigger On'): void {
	const chosen = new Set(toList(events, label, 'a list'));
	if (!chosen.has(ALL) || chosen.size === 1) return;
	throw new UserError(
		`${label} has "All Events" and other choices`,
		'"All Events" includes the others. Remove "All Events", or remove the others.',
	);
}
