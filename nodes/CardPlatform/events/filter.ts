import type { INodeProperties, WorkflowActivateMode } from 'n8n-workflow';

import { isDataObject } from '../api/json';
import { UserError } from '../api/userError';
import { emptyField, isBlank, quoteValue } from '../api/values';
import { compareDecimals, type Decimal, parseDecimal } from './decimal';

/** Tells whether a card financial event (§2), whose fields may all be absent, passes a filter. */
export type EventFilter = (event: Record<string, unknown>) => boolean;

const isCompleted: EventFilter = ({ isSuccess, isReversal }) =>
	isSuccess === true && (isReversal ?? false) === false;

const ALL = 'all';

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

/** A filter: what the editor shows of it, and how its value is checked. */
interface FilterField {
	name: string;
	displayName: string;
	placeholder: string;
	description: string;
	/**
	 * Checks a value that is not blank.
	 *
	 * @throws UserError if it is malformed
	 */
	parse: (value: unknown) => EventFilter;
}

/** A filter that compares one field of an event with a list of values. */
function listFilter({
	field,
	pattern,
	noun,
	takes,
	passesIfListed = true,
	...shown
}: Omit<FilterField, 'parse'> & {
	/** The field of the event (§2). */
	field: string;
	/** What an upper-case value looks like. */
	pattern: RegExp;
	/** What one of its values is called. */
	noun: string;
	/** What it takes, in words. */
	takes: string;
	/** False: an event passes unless its value is on the list, so also without a value. */
	passesIfListed?: boolean;
}): FilterField {
	const { displayName } = shown;
	const parse = (value: unknown): EventFilter => {
		const list = toList(value, displayName, takes);
		const wrong = list.find((entry) => !pattern.test(entry.toUpperCase()));
		if (wrong !== undefined) {
			throw new UserError(
				`${displayName}: ${quoteValue(wrong)} is not a valid ${noun}`,
				`Use ${takes}, separated by commas.`,
			);
		}
		const listed = new Set(list.map((entry) => entry.toUpperCase()));
		return (event) => {
			const actual = toText(event[field]);
			const isListed = actual !== undefined && listed.has(actual.toUpperCase());
			return isListed === passesIfListed;
		};
	};
	return { ...shown, parse };
}

const COUNTRY = {
	placeholder: 'e.g. US, CA',
	field: 'merchantCountry',
	pattern: /^([A-Z]{2,3}|\d{3})$/,
	noun: 'country code',
	takes: 'ISO 3166 codes as in the events, such as US',
};

/**
 * The filters. An event lacking a field that is filtered on does not pass: its value is unknown. But
 * it passes an exclusion: an unknown country may be a foreign one, and missed fraud is worse than an
 * alert too many.
 */
const FILTER_FIELDS: readonly FilterField[] = [
	listFilter({
		name: 'cardIds',
		displayName: 'Card IDs',
		placeholder: 'e.g. 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10',
		description: 'Only events of these cards. Separate multiple IDs with commas.',
		field: 'cardId',
		pattern: /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/,
		noun: 'card ID',
		takes: 'card IDs such as 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10',
	}),
	listFilter({
		name: 'categories',
		displayName: 'Categories',
		placeholder: 'e.g. airlines, lodging',
		description:
			'Only events in these categories, spelled as in the events. Separate multiple categories with commas.',
		field: 'category',
		pattern: /./,
		noun: 'category',
		takes: 'categories as spelled in the events',
	}),
	listFilter({
		name: 'currencies',
		displayName: 'Currencies',
		placeholder: 'e.g. USD, EUR',
		description:
			'Only events in these currencies (ISO 4217). Separate multiple currencies with commas.',
		field: 'currency',
		pattern: /^[A-Z]{3}$/,
		noun: 'currency code',
		takes: 'codes such as USD or EUR',
	}),
	listFilter({
		...COUNTRY,
		name: 'excludeMerchantCountries',
		displayName: 'Exclude Merchant Countries',
		description:
			'Only events at merchants outside these countries, or in an unknown one. Spell countries as in the events, and separate multiple ones with commas.',
		passesIfListed: false,
	}),
	listFilter({
		name: 'merchantCategoryCodes',
		displayName: 'Merchant Category Codes',
		placeholder: 'e.g. 5812, 7995',
		description:
			'Only events at merchants with these category codes (MCC, four digits). Separate multiple codes with commas.',
		field: 'mcc',
		pattern: /^\d{4}$/,
		noun: 'merchant category code',
		takes: 'four-digit codes such as 5812',
	}),
	listFilter({
		...COUNTRY,
		name: 'merchantCountries',
		displayName: 'Merchant Countries',
		description:
			'Only events at merchants in these countries, spelled as in the events. Separate multiple countries with commas.',
	}),
	{
		name: 'merchantName',
		displayName: 'Merchant Name',
		placeholder: 'e.g. hotel',
		description: 'Only events at merchants whose name contains this string (not case-sensitive)',
		parse: (value) => {
			const part = toText(value)?.toUpperCase();
			if (part === undefined) {
				throw new UserError(
					`Merchant Name is not a string: ${quoteValue(value)}`,
					'Set "Merchant Name" to part of the name, such as hotel.',
				);
			}
			return ({ merchantName }) => toText(merchantName)?.toUpperCase().includes(part) === true;
		},
	},
	{
		name: 'minimumAmount',
		displayName: 'Minimum Amount',
		placeholder: 'e.g. 500.00',
		description:
			"Only events of at least this amount, compared without rounding. The amount is in the currency of the event, so combine it with the filter 'Currencies'.",
		parse: (value) => {
			const minimum = toDecimal(value);
			if (minimum === undefined || minimum.isNegative) {
				throw new UserError(
					`Minimum Amount is not a valid amount: ${quoteValue(value)}`,
					'"Minimum Amount" must be a number of 0 or more without a currency, with a point as the decimal separator, such as 500 or 99.95.',
				);
			}
			return (event) => {
				const amount = toDecimal(event.amount);
				return amount !== undefined && compareDecimals(amount, minimum) >= 0;
			};
		},
	},
];

/** The parameter by which a person chooses from {@link EVENT_TYPES}. */
export const eventTypes: INodeProperties = {
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	required: true,
	options: EVENT_TYPES.map(({ name, value, action, description }) => ({
		name,
		value,
		action,
		description,
	})),
	default: [ALL],
	description: 'The types of events that start the workflow',
};

/** "Trigger On" of a trigger; beside other choices, the form says what All Events does. */
export const triggerEvents: INodeProperties[] = [
	eventTypes,
	{
		displayName:
			'"All Events" includes the other choices. To receive only those, remove "All Events".',
		name: 'allEventsNotice',
		type: 'notice',
		default: '',
		displayOptions: {
			// Both name the same field, so that both must match.
			show: {
				events: [ALL],
				'/events': EVENT_TYPES.map(({ value }) => value).filter((value) => value !== ALL),
			},
		},
	},
];

/** The settings of a trigger, as the canvas shows them below its name; the editor evaluates it. */
export const triggerSubtitle = `={{ [$rawParameter.events ?? '${ALL}'].flat().map((type) => type === '${ALL}' ? 'all events' : String(type).startsWith('=') ? 'events by expression' : type).concat(Object.values($rawParameter.filters ?? {}).some((value) => value !== '') ? 'filtered' : []).join(', ') }}`;

/** The entries of the "Filters" collection. An event has to pass all that are set. */
export const eventFilters: INodeProperties[] = FILTER_FIELDS.map(
	({ name, displayName, placeholder, description }) => ({
		displayName,
		name,
		type: 'string',
		default: '',
		placeholder,
		description,
	}),
);

/** The "Filters" of a trigger. */
export const triggerFilters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	description: 'The workflow starts only for events that pass all of them',
	options: eventFilters,
};

function toText(value: unknown): string | undefined {
	if (typeof value === 'string') return value.trim();
	return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

/**
 * Reads an amount of an event, a transaction or a filter (§2: a decimal string).
 *
 * @returns undefined if it is not a decimal number
 */
export function toDecimal(value: unknown): Decimal | undefined {
	const text = toText(value);
	return text === undefined ? undefined : parseDecimal(text);
}

function toList(value: unknown, label: string, takes: string): string[] {
	const values: unknown[] = Array.isArray(value) ? value : [value];
	const entries = values
		.flatMap((entry) => {
			const text = toText(entry);
			if (text !== undefined) return text.split(',');
			throw new UserError(
				`${label} is not a list: ${quoteValue(entry)}`,
				`Use ${takes}, separated by commas.`,
			);
		})
		.map((entry) => entry.trim());
	// Of an exclusion, a part that an expression does not find would let events pass.
	if (!entries.includes('')) return entries;
	throw new UserError(
		`${label} has an empty entry: ${quoteValue(value)}`,
		'Remove the extra comma, or check that each expression returns a value for this item.',
	);
}

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

function parseFilter(name: string, value: unknown): EventFilter {
	const field = FILTER_FIELDS.find((each) => each.name === name);
	if (field !== undefined && isBlank(value)) throw emptyField(field.displayName, false);
	if (field !== undefined) return field.parse(value);
	throw new UserError(
		`Unknown filter: ${quoteValue(name)}`,
		`Use one of these filters: ${FILTER_FIELDS.map((each) => each.name).join(', ')}.`,
	);
}

/**
 * Checks what a person filters card financial events by.
 *
 * @param values by the names of {@link eventFilters}; a list is an array, or a string separated by
 * commas
 * @throws UserError that names the field with an empty or malformed value, or the unknown filter
 */
export function parseEventFilter(values: Record<string, unknown>): EventFilter {
	const filters = Object.entries(values).map(([name, value]) => parseFilter(name, value));
	return (event) => filters.every((matches) => matches(event));
}

/**
 * Whether n8n activates a trigger because n8n itself starts: what was published before must not stop
 * working then.
 */
export const isStarting = (mode: WorkflowActivateMode): boolean =>
	mode === 'init' || mode === 'leadershipChange';

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

/**
 * Checks the parameters "Trigger On" and "Filters" of a trigger.
 *
 * @throws UserError that names the field with a wrong value
 */
export function parseTriggerFilters(filters: unknown, events: unknown): EventFilter {
	if (!isDataObject(filters)) throw emptyField('Filters', false);
	const isWanted = parseEventFilter(filters);
	const isOfType = parseEventTypes(events, 'Trigger On');
	return (event) => isOfType(event) && isWanted(event);
}
