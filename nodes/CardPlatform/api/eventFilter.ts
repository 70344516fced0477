import { compareDecimals, type Decimal, parseDecimal } from './decimal';
import { LIST_FILTERS, type ListFilter } from './eventListFilters';
import { Problem } from './problem';

/** What an event can be chosen by ("Trigger On"). */
export const EVENT_KINDS = ['all', 'approved', 'declined', 'refunded', 'reversed'] as const;

/** One of {@link EVENT_KINDS}. */
export type EventKind = (typeof EVENT_KINDS)[number];

const isCompleted = ({ isSuccess, isReversal }: Record<string, unknown>): boolean =>
	isSuccess === true && (isReversal ?? false) === false;

/**
 * Whether an event is of a kind, from its fields (§2), of which any may be absent. No `isReversal`
 * counts as false; without another field that a kind needs, an event is not of that kind. A
 * reversal that was not successful is both declined and reversed.
 */
const IS_KIND: Record<EventKind, (event: Record<string, unknown>) => boolean> = {
	all: () => true,
	approved: (event) => isCompleted(event) && event.amountDirection === 'debit',
	declined: (event) => event.isSuccess === false,
	refunded: (event) => isCompleted(event) && event.amountDirection === 'credit',
	reversed: (event) => event.isReversal === true,
};

/** A checked filter on card financial events; what is absent does not filter. */
export interface EventFilter {
	kinds: readonly EventKind[];
	minimumAmount?: Decimal;
	/** Upper-case text. */
	merchantName?: string;
	/** Upper-case values that a field of the event may have, by the name of that field (§2). */
	allowed: ReadonlyMap<string, ReadonlySet<string>>;
}

const textOf = (value: unknown): string | undefined => {
	if (typeof value === 'string') return value.trim();
	return typeof value === 'number' ? String(value) : undefined;
};

const decimalOf = (value: unknown): Decimal | undefined => {
	const text = textOf(value);
	return text === undefined ? undefined : parseDecimal(text);
};

const isAbsent = (value: unknown): boolean =>
	value === undefined || value === null || textOf(value) === '';

function toList(value: unknown, label: string, hint: string): string[] {
	const entries: unknown[] = Array.isArray(value) ? value : [value];
	return entries
		.flatMap((entry) => {
			const text = textOf(entry);
			if (text !== undefined) return text.split(',');
			throw new Problem(
				`${label} is not a list: ${JSON.stringify(entry)}`,
				`Use ${hint}, separated by commas.`,
			);
		})
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}

function parseAllowed(value: unknown, { label, form, hint }: ListFilter): Set<string> {
	const list = toList(value, label, hint);
	const wrong = list.find((entry) => !form.test(entry.toUpperCase()));
	if (wrong === undefined) return new Set(list.map((entry) => entry.toUpperCase()));
	throw new Problem(
		`${label} has an invalid value: ${JSON.stringify(wrong)}`,
		`Use ${hint}, separated by commas.`,
	);
}

const isKind = (text: string): text is EventKind => EVENT_KINDS.some((kind) => kind === text);

function parseKinds(value: unknown): EventKind[] {
	const hint = `one or more of ${EVENT_KINDS.join(', ')}`;
	const given = toList(value, 'Trigger On', hint);
	const kinds = given.filter(isKind);
	if (kinds.length > 0 && kinds.length === given.length) return kinds;
	const wrong = given.find((kind) => !isKind(kind));
	throw new Problem(
		wrong === undefined
			? 'Trigger On is empty'
			: `Trigger On has an invalid value: ${JSON.stringify(wrong)}`,
		`Use ${hint}.`,
	);
}

function parseMinimum(value: unknown): Decimal {
	const amount = decimalOf(value);
	if (amount !== undefined && !amount.isNegative) return amount;
	throw new Problem(
		`Minimum Amount is not a valid amount: ${JSON.stringify(value)}`,
		'"Minimum Amount" must be a number of 0 or more without a currency, with a point as the decimal separator, such as 500 or 99.95.',
	);
}

function parseMerchantName(value: unknown): string {
	const name = textOf(value);
	if (name !== undefined) return name.toUpperCase();
	throw new Problem(
		`Merchant Name is not a string: ${JSON.stringify(value)}`,
		'Set "Merchant Name" to part of the name, such as hotel.',
	);
}

/**
 * Checks what a person filters card financial events by.
 *
 * @param values by name: cardIds, currencies, categories, merchantCategoryCodes and
 * merchantCountries (an array, or a text separated by commas), minimumAmount, merchantName; blank
 * ones do not filter
 * @param events the chosen kinds, in the same two forms; all where it is not given
 * @throws Problem that names the field where a value can never match, or no such filter exists
 */
export function parseEventFilter(values: Record<string, unknown>, events?: unknown): EventFilter {
	const allowed = new Map<string, ReadonlySet<string>>();
	let minimumAmount: Decimal | undefined;
	let merchantName: string | undefined;
	for (const [name, value] of Object.entries(values)) {
		if (isAbsent(value)) continue;
		const list = LIST_FILTERS.get(name);
		if (list !== undefined) {
			const entries = parseAllowed(value, list);
			if (entries.size > 0) allowed.set(list.field, entries);
		} else if (name === 'minimumAmount') minimumAmount = parseMinimum(value);
		else if (name === 'merchantName') merchantName = parseMerchantName(value);
		else {
			throw new Problem(
				`Unknown filter: ${JSON.stringify(name)}`,
				`Use one of these filters: ${[...LIST_FILTERS.keys(), 'minimumAmount', 'merchantName'].join(', ')}.`,
			);
		}
	}
	return { kinds: parseKinds(events ?? 'all'), minimumAmount, merchantName, allowed };
}

/**
 * Tells whether an event passes a filter. A field that is filtered on and that the event lacks
 * does not pass, as nobody can tell what its value would be.
 *
 * @param event a card financial event (§2), of whatever fields
 */
export function matchesEvent(filter: EventFilter, event: Record<string, unknown>): boolean {
	const { kinds, minimumAmount, merchantName, allowed } = filter;
	if (!kinds.some((kind) => IS_KIND[kind](event))) return false;

	for (const [field, values] of allowed) {
		const text = textOf(event[field]);
		if (text === undefined || !values.has(text.toUpperCase())) return false;
	}
	if (minimumAmount !== undefined) {
		const amount = decimalOf(event.amount);
		if (amount === undefined || compareDecimals(amount, minimumAmount) < 0) return false;
	}
	if (merchantName === undefined) return true;
	return textOf(event.merchantName)?.toUpperCase().includes(merchantName) ?? false;
}
