import type { GenericValue, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import {
	type Entry,
	labelOf,
	notOffered,
	offeredBy,
	readCollection,
	unwrap,
} from '../api/collection';
import { type Bound, type CalendarDate, toCalendarDate, toInstant } from '../api/dates';
import { isDataObject, parseJson } from '../api/json';
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

/** Checks the value of a field; the label is for the error. */
type ToValue<T> = (value: unknown, label: string) => T;

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

/** Reads the ID in a resource locator, or in a string. */
const toId: ToValue<string> = (value, label) => toUuid(unwrap(value), label);

const pairsSchema = z
	.object({ pairs: z.array(z.object({ name: z.string().trim().min(1), value: z.unknown() })) })
	.partial()
	.strict();

/** Reads "Custom Query Parameters": names and strings that are sent as they are, where a name is undocumented (§4). */
export function toStringMap(value: unknown, label: string): Record<string, string> {
	const { data } = pairsSchema.safeParse(value);
	const malformed = () =>
		new UserError(
			`${label} is not a list of names and values`,
			`Enter "${label}" as names and values. Each value needs a name, and is a string or a number.`,
		);
	if (data === undefined) throw malformed();
	const map = new Map<string, string>();
	for (const { name, value: each } of data.pairs ?? []) {
		if (isBlank(each)) throw emptyField(`${label}: ${quoteValue(name)}`, false);
		if (map.has(name)) {
			throw new UserError(
				`${label} has the name ${quoteValue(name)} twice`,
				`Remove one of the two from "${label}". Only one could be sent.`,
			);
		}
		const text = typeof each === 'string' ? each : toText(each);
		if (text === undefined) throw malformed();
		map.set(name, text);
	}
	if (map.size === 0) throw emptyField(label, false);
	return Object.fromEntries(map);
}

/** JSON leaves out undefined, and has null for NaN and an invalid date, which may clear a field. */
const isLost = (value: unknown): boolean =>
	value === undefined ||
	(value !== null &&
		(JSON.stringify(value) === 'null' ||
			(typeof value === 'object' && Object.values(value).some(isLost))));

/** Reads "Custom Fields": an object of any JSON that is not empty, also as a string. */
export function toJsonMap(value: unknown, label: string): Record<string, GenericValue> {
	const map = typeof value === 'string' ? parseJson(value) : value;
	if (isDataObject(map)) {
		const names = Object.keys(map);
		const blank = names.find((name) => isBlank(map[name]));
		if (names.length === 0) throw emptyField(label, false);
		if (blank !== undefined) throw emptyField(`${label}: ${quoteValue(blank)}`, false);
		if (!isLost(map) && !names.includes('')) return map;
	}
	throw new UserError(
		`${label} is not a JSON object`,
		`Enter "${label}" as a JSON object: {"name": "value", "count": 3, "tags": ["a"]}. An expression must not return NaN or an invalid date.`,
	);
}

/** The values of a collection; each method gives undefined, false or {} for a value that was not added. */
export class Collection {
	readonly values: Record<string, unknown>;
	private readonly timezone: string;
	private readonly entries: readonly Entry[];

	constructor(values: Record<string, unknown>, timezone: string, entries: readonly Entry[] = []) {
		this.values = values;
		this.timezone = timezone;
		this.entries = entries;
	}

	string = (name: string): string | undefined => this.read(name, toTrimmed);

	accountId = (name: string): number | undefined => this.read(name, toAccountId);

	/** A moment as an RFC 3339 string in UTC; without an offset it is meant in the workflow's zone. */
	instant = (name: string, bound?: Bound): string | undefined =>
		this.read(name, (value, label) => toInstant(value, this.timezone, label, bound));

	uuid = (name: string): string | undefined => this.read(name, toId);

	flag = (name: string): boolean => this.read(name, toFlag) ?? false;

	stringMap = (name: string): Record<string, string> => this.read(name, toStringMap) ?? {};

	jsonMap = (name: string): Record<string, GenericValue> => this.read(name, toJsonMap) ?? {};

	private read<T>(name: string, toValue: ToValue<T>): T | undefined {
		return name in this.values
			? toValue(this.values[name], labelOf(name, this.entries))
			: undefined;
	}
}

/** The parameters of one item, checked: what is wrong throws a UserError that names the field. */
export class ItemParameters {
	readonly context: IExecuteFunctions;
	readonly index: number;
	private readonly fields: INodeProperties[];

	constructor(context: IExecuteFunctions, index: number, fields: INodeProperties[]) {
		this.context = context;
		this.index = index;
		this.fields = fields;
	}

	cardId = (): string => this.read('cardId', toId);

	transactionId = (): string => this.read('transactionId', toId);

	accountId = (name: string): number => this.read(name, toAccountId);

	amount = (name: string): string => this.read(name, toAmount);

	/** A day, in the zone of the workflow. */
	date = (name: string): CalendarDate =>
		this.read(name, (value, label) => toCalendarDate(value, this.context.getTimezone(), label));

	string = (name: string): string => this.read(name, toTrimmed);

	/** The fallback is for a workflow that has no such field. */
	flag = (name: string, fallback = false): boolean => this.read(name, toFlag, fallback);

	/** One of the values that the field offers. */
	oneOf = (name: string, fallback?: string): string =>
		this.read(
			name,
			(value, label) => {
				if (isBlank(value)) throw emptyField(label);
				const offered = offeredBy(this.fields.find((field) => field.name === name)) ?? [];
				if (typeof value === 'string' && offered.includes(value)) return value;
				throw notOffered(label, value, offered);
			},
			fallback,
		);

	/** Items wanted: Infinity with Return All. */
	limit(): number {
		if (this.flag('returnAll')) return Infinity;
		const hint = 'Set "Limit" to 1 or more, or turn on "Return All".';
		return this.read('limit', (value, label) => toCount(value, label, hint), 50);
	}

	/** The values that were added to a collection ("Filters", "Options"). */
	collection(name: string): Collection {
		const entries = this.fields.find((field) => field.name === name)?.options ?? [];
		const toValues: ToValue<Record<string, unknown>> = (value, label) =>
			readCollection(value, label, entries);
		return new Collection(this.read(name, toValues, {}), this.context.getTimezone(), entries);
	}

	private read<T>(
		name: string,
		toValue: ToValue<T>,
		fallback?: string | boolean | number | object,
	): T {
		const value: unknown = this.context.getNodeParameter(name, this.index, fallback);
		return toValue(value, labelOf(name, this.fields));
	}
}
