import type { GenericValue, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import {
	type Entry,
	labelOf,
	notOffered,
	offeredBy,
	readCollection,
	unwrap,
} from '../api/collection';
import { type Bound, type CalendarDate, toCalendarDate, toInstant } from '../api/dates';
import { UserError } from '../api/userError';
import {
	emptyField,
	isBlank,
	quoteValue,
	toAccountId,
	toAmount,
	toCount,
	toText,
	toUuid,
} from '../api/values';
import { toJsonMap, toStringMap } from './stringMap';

/** Reads a switch; an expression may give it as a string. */
function toFlag(value: unknown, label: string): boolean {
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	if (isBlank(value)) throw emptyField(label);
	throw new UserError(
		`${label} is not true or false: ${quoteValue(value)}`,
		`Set "${label}" in the form, or use an expression that returns true or false.`,
	);
}

/** Reads a string, trimmed, or a number as its digits. */
function toTrimmed(value: unknown, label: string): string {
	if (isBlank(value)) throw emptyField(label);
	const text = toText(value);
	if (text !== undefined) return text;
	throw new UserError(
		`${label} is not a string: ${quoteValue(value)}`,
		`Set "${label}" to a string or a number. To convert a date to a string, use {{ $json.date.toDateTime().toISO() }}.`,
	);
}

/** The parameters of one item, checked: what is wrong throws a UserError that names the field. */
export interface ItemParameters {
	/** The run of the node, and which of its items this is. */
	context: IExecuteFunctions;
	index: number;
	/** The field "Card", which becomes data of the execution. */
	cardId: () => string;
	/** The field "Transaction ID", which becomes data of the execution. */
	transactionId: () => string;
	/** The number of an account. */
	accountId: (parameter: string) => number;
	/** An amount of money with two decimals, above zero. */
	amount: (parameter: string) => string;
	/** A day, in the zone of the workflow. */
	date: (parameter: string) => CalendarDate;
	/** A string that is not blank, trimmed; a number counts as its digits. */
	string: (parameter: string) => string;
	/** A switch that is on or off; the fallback if the workflow has no such field. */
	flag: (parameter: string, fallback?: boolean) => boolean;
	/** One of the values that the field offers; the fallback if the workflow has no such field. */
	oneOf: (parameter: string, fallback?: string) => string;
	/** Items wanted: the Limit, or Infinity with Return All. */
	limit: () => number;
	/** The values that were added to a collection ("Filters", "Options"). */
	collection: (parameter: string) => Collection;
}

/** The values of a collection; each method gives undefined for a value that was not added. */
export interface Collection {
	values: Record<string, unknown>;
	accountId: (name: string) => number | undefined;
	/** A moment as an RFC 3339 string in UTC; without an offset it is meant in the workflow's zone. */
	instant: (name: string, bound?: Bound) => string | undefined;
	string: (name: string) => string | undefined;
	/** A uuid; the field may be a resource locator. */
	uuid: (name: string) => string | undefined;
	/** A switch that is on or off; off if it was not added. */
	flag: (name: string) => boolean;
	/** Names and strings that are sent as they are; empty if none were added. */
	stringMap: (name: string) => Record<string, string>;
	/** Names and values that are sent as they are; empty if none were added. */
	jsonMap: (name: string) => Record<string, GenericValue>;
}

/**
 * Makes the methods that read the values of a collection.
 *
 * @param values from {@link readCollection}
 * @param timezone IANA name, for moments without an offset
 * @param entries of the form, for their labels
 */
export function toCollection(
	values: Record<string, unknown>,
	timezone: string,
	entries: readonly Entry[] = [],
): Collection {
	/** Reads an entry; undefined if it was not added. */
	const read = <T>(name: string, toValue: (value: unknown, label: string) => T): T | undefined =>
		name in values ? toValue(values[name], labelOf(name, entries)) : undefined;
	return {
		values,
		string: (name) => read(name, toTrimmed),
		accountId: (name) => read(name, toAccountId),
		instant: (name, bound) =>
			read(name, (value, label) => toInstant(value, timezone, label, bound)),
		uuid: (name) => read(name, (value, label) => toUuid(unwrap(value), label)),
		flag: (name) => read(name, toFlag) ?? false,
		stringMap: (name) => read(name, toStringMap) ?? {},
		jsonMap: (name) => read(name, toJsonMap) ?? {},
	};
}

/**
 * Reads the parameters of one item.
 *
 * @param index of the item
 * @param fields of the operation
 */
export function readItem(
	context: IExecuteFunctions,
	index: number,
	fields: INodeProperties[],
): ItemParameters {
	const raw = (parameter: string, fallback?: string | boolean): unknown =>
		context.getNodeParameter(parameter, index, fallback);
	const read = <T>(parameter: string, toValue: (value: unknown, label: string) => T): T =>
		toValue(raw(parameter), labelOf(parameter, fields));
	const readId = (parameter: 'cardId' | 'transactionId'): string =>
		read(parameter, (value, label) => toUuid(unwrap(value), label));

	return {
		context,
		index,
		cardId: () => readId('cardId'),
		transactionId: () => readId('transactionId'),
		accountId: (parameter) => read(parameter, toAccountId),
		amount: (parameter) => read(parameter, toAmount),
		date: (parameter) =>
			read(parameter, (value, label) => toCalendarDate(value, context.getTimezone(), label)),
		string: (parameter) => read(parameter, toTrimmed),
		flag: (parameter, fallback = false) =>
			toFlag(raw(parameter, fallback), labelOf(parameter, fields)),
		oneOf(parameter, fallback) {
			const value = raw(parameter, fallback);
			const label = labelOf(parameter, fields);
			if (isBlank(value)) throw emptyField(label);
			const offered = offeredBy(fields.find(({ name }) => name === parameter)) ?? [];
			if (typeof value === 'string' && offered.includes(value)) return value;
			throw notOffered(label, value, offered);
		},
		limit: () =>
			toFlag(context.getNodeParameter('returnAll', index, false), 'Return All')
				? Infinity
				: toCount(
						context.getNodeParameter('limit', index, 50),
						'Limit',
						'Set "Limit" to 1 or more, or turn on "Return All".',
					),
		collection(parameter) {
			const value: unknown = context.getNodeParameter(parameter, index, {});
			const entries = fields.find(({ name }) => name === parameter)?.options ?? [];
			const values = readCollection(value, labelOf(parameter, fields), entries);
			return toCollection(values, context.getTimezone(), entries);
		},
	};
}
