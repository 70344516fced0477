import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { isDataObject } from './json';
import { UserError } from './userError';
import { emptyField, isBlank, quoteValue } from './values';

const collectionSchema = z.record(z.string(), z.unknown());

/** An entry that a collection offers. */
type Entry =
	| NonNullable<INodeProperties['options']>[number]
	| { name: string; displayName: string; type?: undefined };

/** The name of a field in the form: createdAfter is "Created After". */
export const titleOf = (name: string): string =>
	name.charAt(0).toUpperCase() + name.slice(1).replace(/[A-Z]/g, ' $&');

/** What a resource locator holds, or the value itself; n8n may leave out the mark of a default. */
export const unwrap = (value: unknown): unknown =>
	isDataObject(value) && 'mode' in value ? value.value : value;

/** Makes the error for a value that a field does not offer. */
export const notOffered = (label: string, value: unknown, offered: readonly unknown[]): UserError =>
	new UserError(
		`${label} has an invalid value: ${quoteValue(value)}`,
		`"${label}" must be one of: ${offered.join(', ')}.`,
	);

/**
 * Reads a collection ("Filters", "Options"): the values that were added, by name.
 *
 * @param label of the collection
 * @param entries of the form
 * @throws UserError that names an entry that was added and is empty, or has a value that the form does
 * not offer
 */
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
		const found = entries.find((entry) => entry.name === name);
		const entry = found !== undefined && 'displayName' in found ? found : undefined;
		const entryLabel = entry?.displayName ?? titleOf(name);
		if (isBlank(unwrap(each))) throw emptyField(entryLabel, false);
		if (entry === undefined || !('type' in entry) || entry.type !== 'options') continue;
		const offered: unknown[] = (entry.options ?? []).flatMap((option) =>
			'value' in option ? [option.value] : [],
		);
		if (!offered.includes(each)) throw notOffered(entryLabel, each, offered);
	}
	return parsed.data;
}
