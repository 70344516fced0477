import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { isDataObject } from './json';
import { UserError } from './userError';
import { emptyField, isBlank, quoteValue } from './values';

const collectionSchema = z.record(z.string(), z.unknown());

/** An entry that a collection offers. */
export type Entry =
	| NonNullable<INodeProperties['options']>[number]
	| { name: string; displayName: string; type?: undefined };

/** The label of a field: that of the form, or one made from its name. */
export function labelOf(name: string, entries: readonly Entry[] = []): string {
	const entry = entries.find((each) => each.name === name);
	if (entry !== undefined && 'displayName' in entry) return entry.displayName;
	return name.charAt(0).toUpperCase() + name.slice(1).replace(/[A-Z]/g, ' $&');
}

/** What a resource locator holds, or the value itself; n8n may leave out the mark of a default. */
export const unwrap = (value: unknown): unknown =>
	isDataObject(value) && 'mode' in value ? value.value : value;

/** The values that a field offers to choose one from; undefined if it is a field of another type. */
export function offeredBy(entry: Entry | undefined): unknown[] | undefined {
	if (entry === undefined || !('type' in entry) || entry.type !== 'options') return undefined;
	return entry.options?.flatMap((option) => ('value' in option ? [option.value] : []));
}

/** Makes the error for a value that a field does not offer. */
export const notOffered = (label: string, value: unknown, offered: readonly unknown[]): UserError =>
	new UserError(
		`${label} has an invalid value: ${quoteValue(value)}`,
		`"${label}" must be one of: ${offered.join(', ')}.`,
	);

/** Reads a collection ("Filters", "Options"): the values that were added, by name. */
export function readCollection(
	value: unknown,
	label: string,
	entries: readonly Entry[],
): Record<string, unknown> {
	if (isBlank(value)) throw emptyField(label, false);
	const parsed = collectionSchema.safeParse(value);
	if (!parsed.success) {
		throw new UserError(
			`${label} is not an object: ${quoteValue(value)}`,
			`Set "${label}" in the form, field by field.`,
		);
	}
	for (const [name, each] of Object.entries(parsed.data)) {
		const entry = entries.find((offered) => offered.name === name);
		if (entry === undefined) {
			throw new UserError(
				`${label} has an unknown entry: ${quoteValue(name)}`,
				`Remove it from "${label}". This node has: ${entries.map((offered) => offered.name).join(', ')}.`,
			);
		}
		const entryLabel = labelOf(name, entries);
		if (isBlank(unwrap(each))) throw emptyField(entryLabel, false);
		const offered = offeredBy(entry);
		if (offered !== undefined && !offered.includes(each))
			throw notOffered(entryLabel, each, offered);
	}
	return parsed.data;
}
