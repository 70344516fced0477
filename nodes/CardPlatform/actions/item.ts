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

const isBlank = (value: unknown) => value === undefined || value === null || value === '';

/** The parameters of one item, checked: what is wrong throws a Problem that names the field. */
export interface ItemParameters {
	/** Tells this item's work from any other, and is the same when it is tried again. */
	identity: () => string;
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

function readCollection(values: Record<string, unknown>, timezone: string): Collection {
	const text = (name: string) => {
		const value = values[name];
		return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
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
		identity() {
			const { $runIndex } = context.getWorkflowDataProxy(index);
			return JSON.stringify([
				context.getInstanceId(),
				context.getExecutionId(),
				context.getNode().id,
				z.number().parse($runIndex),
				index,
			]);
		},
		uuid: (parameter, label) => toUuid(raw(parameter), label),
		accountId: (parameter, label) => toAccountId(raw(parameter), label),
		amount: (parameter, label) => toAmount(raw(parameter), label),
		date: (parameter, label) => toCalendarDate(raw(parameter), context.getTimezone(), label),
		text(parameter, label) {
			const value = raw(parameter);
			if (typeof value === 'string' && value.trim() !== '') return value.trim();
			throw new Problem(`${label} is empty`, `Set "${label}" to a text.`);
		},
		flag: (parameter) => context.getNodeParameter(parameter, index, false) === true,
		oneOf(parameter, label, values) {
			const value = raw(parameter);
			if (typeof value === 'string' && values.includes(value)) return value;
			throw new Problem(
				`${label} is not one of its values: ${JSON.stringify(value)}`,
				`"${label}" takes one of: ${values.join(', ')}.`,
			);
		},
		limit: () =>
			context.getNodeParameter('returnAll', index, false)
				? Infinity
				: toLimit(context.getNodeParameter('limit', index, 50)),
		collection(parameter) {
			const parsed = collectionSchema.safeParse(context.getNodeParameter(parameter, index, {}));
			return readCollection(parsed.success ? parsed.data : {}, context.getTimezone());
		},
	};
}
