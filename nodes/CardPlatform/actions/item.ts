import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { Problem } from '../api/problem';
import { toAccountId } from './values/accountId';
import { toAmount } from './values/amount';
import { type CalendarDate, toCalendarDate } from './values/calendarDate';
import { toInstant } from './values/instant';
import { toLimit } from './values/limit';
import { toNamedTexts } from './values/namedTexts';
import { toUuid } from './values/uuid';

const collectionSchema = z.record(z.unknown());

/** The name of a field in the form: createdAfter is "Created After". */
const titleOf = (name: string) =>
	name.charAt(0).toUpperCase() + name.slice(1).replace(/[A-Z]/g, ' $&');

/** A switch; an expression may give it as a text. */
const isOn = (value: unknown) => value === true || value === 'true';

const isBlank = (value: unknown) => value === undefined || value === null || value === '';

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
	/** A text that is not blank, trimmed. */
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
	/** Names and values that are sent as they are; empty where none were added. */
	namedTexts: (name: string, label: string) => Record<string, string>;
}

/**
 * Reads the values of a collection.
 *
 * @param timezone IANA name, for moments without an offset
 */
export function readCollection(values: Record<string, unknown>, timezone: string): Collection {
	const text = (name: string) => {
		const value = values[name];
		if (isBlank(value)) return undefined;
		if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
		throw new Problem(
			`${titleOf(name)} is not a text: ${JSON.stringify(value)}`,
			`Give "${titleOf(name)}" as a text. A date from another step becomes one with {{ $json.date.toDateTime().toISO() }}, a number with {{ $json.number.toString() }}.`,
		);
	};
	return {
		values,
		text,
		accountId: (name, label) =>
			isBlank(values[name]) ? undefined : toAccountId(values[name], label),
		instant(name, label) {
			const value = text(name);
			return value === undefined ? undefined : toInstant(value, timezone, label);
		},
		uuid: (name, label) => (isBlank(values[name]) ? undefined : toUuid(values[name], label)),
		namedTexts: (name, label) => toNamedTexts(values[name], label),
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
			const value = raw(parameter);
			if (typeof value === 'string' && value.trim() !== '') return value.trim();
			throw new Problem(
				isBlank(value) || value === ' '
					? `${label} is empty`
					: `${label} is not a text: ${JSON.stringify(value)}`,
				`Set "${label}" to a text.`,
			);
		},
		flag: (parameter) => isOn(context.getNodeParameter(parameter, index, false)),
		oneOf(parameter, label, values) {
			const value = raw(parameter);
			if (typeof value === 'string' && values.includes(value)) return value;
			throw new Problem(
				`${label} is not one of its values: ${JSON.stringify(value)}`,
				`"${label}" takes one of: ${values.join(', ')}.`,
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
					`${titleOf(parameter)} is not a set of fields: ${JSON.stringify(value)}`,
					`Set "${titleOf(parameter)}" in the form, field by field. An expression for all of it must give an object.`,
				);
			}
			return readCollection(parsed.data, context.getTimezone());
		},
	};
}
