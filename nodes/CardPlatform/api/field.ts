import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { UserError } from './userError';
import {
	emptyField,
	isBlank,
	isDataObject,
	parseJson,
	quoteValue,
	toBoolean,
	toChoices,
	toTitle,
	toTrimmed,
	toWhole,
} from './values';

/** Checks the value of a field; the label is for the error. */
type Parse<T> = (value: unknown, label: string, timezone: string) => T;

/** A field: what the editor shows of it, and how its value is checked. */
export type Field<T = unknown> = INodeProperties & { parse: Parse<T> };

/** Reads a field; n8n gives no value where a workflow has no such field. */
export type ReadField = <T>(field: Field<T>) => T;

/** Reads a field of a collection; undefined if it was not added. */
export type ReadIfAdded = <T>(field: Field<T>) => T | undefined;

/** What a resource locator holds, or the value itself; n8n may leave out the mark of a default. */
export const locatorValue = (value: unknown): unknown =>
	isDataObject(value) && 'mode' in value ? value.value : value;

export type Shown = Omit<INodeProperties, 'type' | 'default'> & Partial<INodeProperties>;

/** The signs of an expression. A fixed string that has one was meant to be an expression: it would be the same for all items. */
const EXPRESSION =
	/\{\{|\$(execution|fromAI|input|item|json|node|now|today|vars|workflow)\b|\$\(['"`]/;

/** Refuses a string, or a group of fields with a string, that was to be an expression. */
export const refuseUnevaluated =
	<T>(parse: Parse<T>): Parse<T> =>
	(value, label, timezone) => {
		const written = typeof value === 'string' ? value : JSON.stringify([value]);
		// JSON may end with it, too.
		const isCutOff = written.includes('}}') && parseJson(written) === undefined;
		if (!isCutOff && !EXPRESSION.test(written)) return parse(value, label, timezone);
		throw new UserError(
			`${label} is set to Fixed, but has an expression: ${quoteValue(value)}`,
			`Turn the field into an expression: hover over "${label}" and choose Expression. In the JSON of a workflow, its value starts with "=".`,
		);
	};

/** A string, trimmed, or what `parse` makes of it. */
export function text(shown: Shown): Field<string>;
export function text<T>(shown: Shown, parse: Parse<T>): Field<T>;
export function text(shown: Shown, parse: Parse<unknown> = toTrimmed): Field {
	return { type: 'string', default: '', ...shown, parse: refuseUnevaluated(parse) };
}

/** True or false; true unless the field says otherwise. */
export const flag = (shown: Shown): Field<boolean> => ({
	type: 'boolean',
	default: true,
	...shown,
	parse: toBoolean,
});

/** A whole number, within the bounds of its `typeOptions`. */
export const whole = (shown: Shown & { default: number }): Field<number> & { default: number } => ({
	type: 'number',
	...shown,
	parse: toWhole(shown.typeOptions),
});

/** A value to choose; `action` is its name in n8n's node search. */
export interface Choice extends INodePropertyOptions {
	value: string;
	description: string;
}

/** What n8n shows of each. */
export const toOptions = (offered: readonly INodePropertyOptions[]): INodePropertyOptions[] =>
	offered.map(({ name, value, action, description }) => ({ name, value, action, description }));

/** One of the values that it offers. */
export const choice = (
	shown: Omit<Shown, 'options'> & { options: INodePropertyOptions[] },
): Field<string> => ({
	type: 'options',
	default: '',
	...shown,
	parse(value, label) {
		if (isBlank(value)) throw emptyField(label);
		const offered = shown.options.map((each) => each.value);
		if (typeof value === 'string' && offered.includes(value)) return value;
		throw new UserError(
			`${label} has an invalid value: ${quoteValue(value)}`,
			`"${label}" must be one of: ${offered.join(', ')}.`,
		);
	},
});

/** Several of the values that it offers. */
export const choices = (
	displayName: string,
	name: string,
	offered: readonly string[],
	initial: string,
	description: string,
): Field<string[]> => ({
	displayName,
	name,
	type: 'multiOptions',
	options: offered.map((value) => ({ name: toTitle(value), value })),
	default: [initial],
	description,
	parse: (value, label) => toChoices(value, label, offered),
});

/**
 * n8n reads a collection that is one expression like an object: it looks for the fields in the string, finds none, and
 * drops the expression. Only `length` is found, so this field shows that there was one.
 */
const unsupportedExpression: INodeProperties = {
	displayName: 'Unsupported Expression',
	name: 'length',
	type: 'number',
	default: 0,
	description: 'Remove this. One expression cannot set several fields: use one for each field.',
	displayOptions: { show: { length: [{ _cnd: { exists: true } }] } },
};

const notFields = (label: string): UserError =>
	new UserError(
		`${label} is set by one expression, so nothing was sent`,
		`Remove "${unsupportedExpression.displayName}" from "${label}", and add the fields in the form. Each field can have an expression.`,
	);

/**
 * Fields of which a person adds those to use ("Filters", "Options"). Each one that was added must have a value.
 */
export const collection = (
	displayName: string,
	name: string,
	placeholder: string,
	fields: Field[],
	description?: string,
): Field<ReadIfAdded> => ({
	displayName,
	name,
	type: 'collection',
	placeholder,
	default: {},
	...(description && { description }),
	options: [...fields, unsupportedExpression],
	parse(value, label, timezone) {
		if (!isDataObject(value)) throw notFields(label);
		const find: ReadIfAdded = (field) =>
			field.name in value ? field.parse(value[field.name], field.displayName, timezone) : undefined;
		for (const [name, each] of Object.entries(value)) {
			const field = fields.find((offered) => offered.name === name);
			if (field === undefined) throw notFields(label);
			if (isBlank(field.type === 'resourceLocator' ? locatorValue(each) : each))
				throw emptyField(field.displayName, false);
			find(field);
		}
		return find;
	},
});
