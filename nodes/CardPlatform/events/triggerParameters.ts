import type { WorkflowActivateMode } from 'n8n-workflow';
import type { z } from 'zod';

import { readCollection } from '../api/collection';
import { UserError } from '../api/userError';
import { quoteValue } from '../api/values';
import { type EventChoice, parseEventTypes } from './eventTypes';
import { parseEventFilters } from './filters';
import { eventFilters } from './form';

/**
 * Checks the parameters "Trigger On" and "Filters" of a trigger.
 *
 * @throws UserError that names the field with a wrong value
 */
export function parseTriggerFilters(
	filters: unknown,
	events: unknown,
	everyApproval: boolean,
): EventChoice {
	const all = parseEventFilters(readCollection(filters, 'Filters', eventFilters));
	return parseEventTypes(events, 'Trigger On', everyApproval, all);
}

/** What an error says about an option of a trigger. */
export interface OptionText {
	/** As the form shows it. */
	label: string;
	/** What its value must be. */
	takes: string;
}

/**
 * Checks the collection "Options" of a trigger.
 *
 * @param value as n8n stores it; an absent option has its default
 * @param texts of the options of the schema
 * @throws UserError that names the options with a wrong value
 */
export function parseTriggerOptions<Schema extends z.AnyZodObject>(
	value: unknown,
	schema: Schema,
	texts: Readonly<Record<string, OptionText>>,
): z.infer<Schema> {
	const entries = Object.entries(texts).map(([name, { label }]) => ({ name, displayName: label }));
	const given = readCollection(value, 'Options', entries);
	const parsed = schema.safeParse(given);
	if (parsed.success) return parsed.data;

	const invalid = new Set(parsed.error.issues.map(({ path: [name] }) => name));
	const wrong = Object.entries(texts).filter(([name]) => invalid.has(name));
	throw new UserError(
		`Invalid option value: ${wrong.map(([name, { label }]) => `"${label}" is ${quoteValue(given[name])}`).join(', ')}`,
		wrong.map(([, { label, takes }]) => `"${label}" must be ${takes}.`).join(' '),
	);
}

/**
 * Whether n8n activates a trigger because n8n itself starts: what was published before must not stop
 * working then.
 */
export const isStarting = (mode: WorkflowActivateMode): boolean =>
	mode === 'init' || mode === 'leadershipChange';
