import { UserError } from '../api/userError';
import { emptyField, isBlank, quoteValue, toList } from '../api/values';

/** Tells whether a card financial event (§2), whose fields may all be absent, passes a filter. */
export type EventFilter = (event: Record<string, unknown>) => boolean;

const isCompleted: EventFilter = ({ isSuccess, isReversal }) =>
	isSuccess === true && (isReversal ?? false) === false;

/** The type of every event. */
export const ALL = 'all';

/**
 * The types of events to choose from, and how the fields of an event (§2) decide. An absent
 * `isReversal` counts as false; without another field that a type needs, an event is not of that
 * type. A reversal that was not successful is both declined and reversed.
 */
export const EVENT_TYPES: readonly {
	name: string;
	value: string;
	/** Its name in n8n's node search. */
	action: string;
	description: string;
	matches: EventFilter;
}[] = [
	{
		name: 'All Events',
		value: ALL,
		action: 'On any card event',
		description: 'Every event, including unknown types',
		matches: () => true,
	},
	{
		name: 'Approved',
		value: 'approved',
		action: 'On purchase approved',
		description: 'A purchase was approved: a successful debit that is not marked as a reversal',
		matches: (event) => isCompleted(event) && event.amountDirection === 'debit',
	},
	{
		name: 'Declined',
		value: 'declined',
		action: 'On purchase declined',
		description: 'A purchase or another transaction was declined: not successful',
		matches: (event) => event.isSuccess === false,
	},
	{
		name: 'Refunded',
		value: 'refunded',
		action: 'On purchase refunded',
		description: 'Money was refunded: a successful credit that is not marked as a reversal',
		matches: (event) => isCompleted(event) && event.amountDirection === 'credit',
	},
	{
		name: 'Reversed',
		value: 'reversed',
		action: 'On purchase reversed',
		description: 'An earlier event was reversed: marked as a reversal',
		matches: (event) => event.isReversal === true,
	},
];

/**
 * Checks which types of events a person chose.
 *
 * @param value values of {@link EVENT_TYPES}: an array, or a string separated by commas
 * @param label of the field, for the error
 * @throws UserError
 */
export function parseEventTypes(value: unknown, label: string): EventFilter {
	if (isBlank(value)) throw emptyField(label);
	const takes = `one or more of ${EVENT_TYPES.map((type) => type.value).join(', ')}`;
	const chosen = toList(value, label, takes).map((name) => {
		const type = EVENT_TYPES.find((each) => each.value === name);
		if (type !== undefined) return type;
		throw new UserError(`${label} has an invalid value: ${quoteValue(name)}`, `Use ${takes}.`);
	});
	return (event) => chosen.some(({ matches }) => matches(event));
}

/**
 * Refuses All Events beside other choices: the person may want only the others. Not for a published
 * trigger, which must not miss events.
 *
 * @param events the parameter "Trigger On", whose values are known
 * @throws UserError
 */
export function refuseAllAndOthers(events: unknown): void {
	const chosen = new Set(toList(events, 'Trigger On', 'a list'));
	if (!chosen.has(ALL) || chosen.size === 1) return;
	throw new UserError(
		'Trigger On has "All Events" and other choices',
		'"All Events" includes the others. Remove "All Events", or remove the others.',
	);
}
