import type { GenericValue, IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { Problem } from '../api/problem';
import { toAccountId } from './values/accountId';
import { toAmount } from './values/amount';
import { type CalendarDate, toCalendarDate } from './values/calendarDate';
import { toInstant } from './values/instant';
import { toLimit } from './values/limit';
import { toNamedTexts, toNamedValues } from './values/namedTexts';
import { toUuid } from './values/uuid';

const collectionSchema = z.record(z.string(), z.unknown());

/** The name of a field in the form: createdAfter is "Created After". */
const titleOf = (name: string) =>
	name.charAt(0).toUpperCase() + name.slice(1).replace(/[A-Z]/g, ' $&');

/** A switch; an expression may give it as a text. */
const isOn = (value: unknown) => value === true || value === 'true';

const isBlank = (value: unknown) => value === undefined || value === null || value === '';

/** A string, trimmed, or a number as its digits; undefined where it is blank. */
function toText(value: unknown, label: string): string | undefined {
	if (isBlank(value)) return undefined;
	if (typeof value === 'string') return value.trim() || undefined;
	if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value);
	throw new Problem(
		`${label} is not a string: ${JSON.stringify(value)}`,
		`Set "${label}" to a string or a number. To convert a date to a string, use {{ $json.date.toDateTime().toISO() }}.`,
	);
}

/** The parameters of one item, checked: what is wrong throws a Problem that names the field. */
export interface ItemParameters {
	/** The run of the node, and which of its items this is. */
	context: IExecuteFunctions;
	index: number;
	/** A uuid; the field may be a resource locator. */
	uuid: (parameter: string, label: string) => string;
	/** The number of an account. */
	accountId: (parameter: string, label: string) => number;
	/** An amount of money with two decimals, above zero. */
	amount: (parameter: string, label: string) => string;
	/** A day, in the zone of the workflow. */
	date: (parameter: string, label: string) => CalendarDate;
	/** A string that is not blank, trimmed; a number counts as its digits. */
	text: (parameter: string, label: string) => string;
	/** A switch that is on or off. */
	flag: (parameter: string) => boolean;
	/** One of the values that the field offers. */
	oneOf: (parameter: string, label: string, values: readonly string[]) => string;
	/** Items wanted: the Limit, or Infinity with Return All. */
	limit: () => number;
	/** The values that were added to a collection ("Filters", "Options"). */
	collection: (parameter: string) => Collection;
}

/** The values of a collection; each method gives undefined for a value that was not added. */
export interface Collection {
	values: Record<string, unknown>;
	accountId: (name: string, label: string) => number | undefined;
	/** A moment as an RFC 3339 text in UTC; without an offset it is meant in the workflow's zone. */
	instant: (name: string, label: string) => string | undefined;
	text: (name: string) => string | undefined;
	uuid: (name: string, label: string) => string | undefined;
	/** A switch that is on or off; off where it was not added. */
	flag: (name: string) => boolean;
	/** Names and strings that are sent as they are; empty where none were added. */
	namedTexts: (name: string, label: string) => Record<string, string>;
	/** Names and values that are sent as they are; empty where none were added. */
	namedValues: (name: string, label: string) => Record<string, GenericValue>;
}

/**
 * Reads the values of a collection.
 *
 * @param timezone IANA name, for moments without an offset
 */
export function readCollection(values: Record<string, unknown>, timezone: string): Collection {
	return {
		values,
		text: (name) => toText(values[name], titleOf(name)),
		accountId: (name, label) =>
			isBlank(values[name]) ? undefined : toAccountId(values[name], label),
		instant(name, label) {
			const value = values[name];
			if (isBlank(typeof value === 'string' ? value.trim() : value)) return undefined;
			return toInstant(value, timezone, label);
		},
		uuid: (name, label) => (isBlank(values[name]) ? undefined : toUuid(values[name], label)),
		flag(name) {
			const value = values[name];
			if (isBlank(value) || value === false || value === 'false') return false;
			if (isOn(value)) return true;
			throw new Problem(
				`${titleOf(name)} is not true or false: ${JSON.stringify(value)}`,
				`Set "${titleOf(name)}" in the form, or use an expression that returns true or false.`,
			);
		},
		namedTexts: (name, label) => toNamedTexts(values[name], label),
		namedValues: (name, label) => toNamedValues(values[name], label),
	};
}

/**
 * Reads the parameters of one item.
 *
 * @param index of the item
 */
export function readItem(context: IExecuteFunctions, index: number): ItemParameters {
	const raw = (parameter: string): unknown =>
		context.getNodeParameter(parameter, index, undefined, { extractValue: true });

	return {
		context,
		index,
		uuid: (parameter, label) => toUuid(raw(parameter), label),
		accountId: (parameter, label) => toAccountId(raw(parameter), label),
		amount: (parameter, label) => toAmount(raw(parameter), label),
		date: (parameter, label) => toCalendarDate(raw(parameter), context.getTimezone(), label),
		text(parameter, label) {
			const text = toText(raw(parameter), label);
			if (text !== undefined) return text;
			throw new Problem(
				`${label} is empty`,
				`Set "${label}", or check that its expression returns a value for this item.`,
			);
		},
		flag: (parameter) => isOn(context.getNodeParameter(parameter, index, false)),
		oneOf(parameter, label, values) {
			const value = raw(parameter);
			if (typeof value === 'string' && values.includes(value)) return value;
			throw new Problem(
				`${label} has an invalid value: ${JSON.stringify(value)}`,
				`"${label}" must be one of: ${values.join(', ')}.`,
			);
		},
		limit: () =>
			isOn(context.getNodeParameter('returnAll', index, false))
				? Infinity
				: toLimit(context.getNodeParameter('limit', index, 50)),
		collection(parameter) {
			const value: unknown = context.getNodeParameter(parameter, index, {});
			const parsed = collectionSchema.safeParse(isBlank(value) ? {} : value);
			if (!parsed.success) {
				throw new Problem(
					`${titleOf(parameter)} is not an object: ${JSON.stringify(value)}`,
					`Set "${titleOf(parameter)}" in the form, field by field. An expression for the whole collection must return an object.`,
				);
			}
			return readCollection(parsed.data, context.getTimezone());
		},
	};
}
