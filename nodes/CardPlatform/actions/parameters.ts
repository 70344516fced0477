import type { GenericValue, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { notOffered, readCollection, titleOf, unwrap } from '../api/collection';
import { type CalendarDate, toCalendarDate, toInstant } from '../api/dates';
import { UserError } from '../api/userError';
import {
	emptyField,
	isBlank,
	quoteValue,
	toAccountId,
	toAmount,
	toLimit,
	toText,
	toUuid,
} from '../api/values';
import type { ListQuery } from '../transport/client';
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
	/** The field "Card". */
	cardId: () => string;
	/** A uuid; the field may be a resource locator. */
	uuid: (parameter: string, label: string) => string;
	/** The number of an account. */
	accountId: (parameter: string, label: string) => number;
	/** An amount of money with two decimals, above zero. */
	amount: (parameter: string, label: string) => string;
	/** A day, in the zone of the workflow. */
	date: (parameter: string, label: string) => CalendarDate;
	/** A string that is not blank, trimmed; a number counts as its digits. */
	string: (parameter: string, label: string) => string;
	/** A switch that is on or off; the fallback where the workflow has no such field. */
	flag: (parameter: string, fallback?: boolean) => boolean;
	/** One of the values that the field offers; the fallback where the workflow has no such field. */
	oneOf: (parameter: string, label: string, values: readonly string[], fallback?: string) => string;
	/** Items wanted: the Limit, or Infinity with Return All. */
	limit: () => number;
	/** The values that were added to a collection ("Filters", "Options"). */
	collection: (parameter: string) => Collection;
}

/** The values of a collection; each method gives undefined for a value that was not added. */
export interface Collection {
	values: Record<string, unknown>;
	accountId: (name: string, label: string) => number | undefined;
	/** A moment as an RFC 3339 string in UTC; without an offset it is meant in the workflow's zone. */
	instant: (name: string, label: string, repeated?: 'first' | 'last') => string | undefined;
	string: (name: string) => string | undefined;
	/** A uuid; the field may be a resource locator. */
	uuid: (name: string, label: string) => string | undefined;
	/** A switch that is on or off; off where it was not added. */
	flag: (name: string) => boolean;
	/** Names and strings that are sent as they are; empty where none were added. */
	stringMap: (name: string, label: string) => Record<string, string>;
	/** Names and values that are sent as they are; empty where none were added. */
	jsonMap: (name: string, label: string) => Record<string, GenericValue>;
}

/**
 * Makes the methods that read the values of a collection.
 *
 * @param values from {@link readCollection}
 * @param timezone IANA name, for moments without an offset
 */
export function toCollection(values: Record<string, unknown>, timezone: string): Collection {
	/** Reads an entry; undefined if it was not added. */
	const read = <T>(name: string, toValue: (value: unknown) => T): T | undefined =>
		name in values ? toValue(values[name]) : undefined;
	return {
		values,
		string: (name) => read(name, (value) => toTrimmed(value, titleOf(name))),
		accountId: (name, label) => read(name, (value) => toAccountId(value, label)),
		instant: (name, label, repeated) =>
			read(name, (value) => toInstant(value, timezone, label, repeated)),
		uuid: (name, label) => read(name, (value) => toUuid(unwrap(value), label)),
		flag: (name) => read(name, (value) => toFlag(value, titleOf(name))) ?? false,
		stringMap: (name, label) => read(name, (value) => toStringMap(value, label)) ?? {},
		jsonMap: (name, label) => read(name, (value) => toJsonMap(value, label)) ?? {},
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
	const raw = (parameter: string, fallback?: string): unknown =>
		context.getNodeParameter(parameter, index, fallback, { extractValue: true });

	return {
		context,
		index,
		cardId: () => toUuid(raw('cardId'), 'Card'),
		uuid: (parameter, label) => toUuid(raw(parameter), label),
		accountId: (parameter, label) => toAccountId(raw(parameter), label),
		amount: (parameter, label) => toAmount(raw(parameter), label),
		date: (parameter, label) => toCalendarDate(raw(parameter), context.getTimezone(), label),
		string: (parameter, label) => toTrimmed(raw(parameter), label),
		flag: (parameter, fallback = false) =>
			toFlag(context.getNodeParameter(parameter, index, fallback), titleOf(parameter)),
		oneOf(parameter, label, values, fallback) {
			const value = raw(parameter, fallback);
			if (typeof value === 'string' && values.includes(value)) return value;
			if (isBlank(value)) throw emptyField(label);
			throw notOffered(label, value, values);
		},
		limit: () =>
			toFlag(context.getNodeParameter('returnAll', index, false), 'Return All')
				? Infinity
				: toLimit(context.getNodeParameter('limit', index, 50)),
		collection(parameter) {
			const value: unknown = context.getNodeParameter(parameter, index, {});
			const entries = fields.find(({ name }) => name === parameter)?.options ?? [];
			const values = readCollection(value, titleOf(parameter), entries);
			return toCollection(values, context.getTimezone());
		},
	};
}

/**
 * Reads the query of a list of cards, transactions or settlements (§4.3, §4.8, §4.11): the "Filters"
 * and "Options" that the operation's form offers. Nothing is sent that the person did
 * not add, as the API might refuse a parameter that it does not know.
 *
 * @throws UserError
 */
export function readListQuery(item: ItemParameters): ListQuery {
	const filters = item.collection('filters');
	const options = item.collection('options');
	return {
		query: {
			name: filters.string('name'),
			status: filters.string('status'),
			cardId: filters.uuid('cardId', 'Card'),
			createdAfter: filters.instant('createdAfter', 'Created After'),
			// The widest range that the words allow, so that no record is left out.
			createdBefore: filters.instant('createdBefore', 'Created Before', 'last'),
			sort: options.string('sort'),
		},
		custom: options.stringMap('customQuery', 'Custom Query Parameters'),
	};
}
