import type {
	INode,
	INodeProperties,
	NodeApiError,
	NodeOperationError,
	WorkflowActivateMode,
} from 'n8n-workflow';
import type { z } from 'zod';

import { readCollection } from '../api/collection';
import { UserError } from '../api/userError';
import { quoteValue } from '../api/values';
import { toNodeError } from '../toNodeError';
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

/**
 * Checks the collection "Options" of a trigger, as n8n stores it.
 *
 * @param fields the options in the form
 * @throws UserError that names the options with a wrong value
 */
export function parseTriggerOptions<Schema extends z.AnyZodObject>(
	value: unknown,
	schema: Schema,
	fields: readonly INodeProperties[],
): z.infer<Schema> {
	const given = readCollection(value, 'Options', fields);
	const parsed = schema.safeParse(given);
	if (parsed.success) return parsed.data;

	const invalid = new Set(parsed.error.issues.map(({ path: [name] }) => name));
	const wrong = fields.filter(({ name }) => invalid.has(name));
	throw new UserError(
		`Invalid option value: ${wrong.map(({ name, displayName }) => `"${displayName}" is ${quoteValue(given[name])}`).join(', ')}`,
		wrong.map((field) => `"${field.displayName}" must be ${takenBy(field)}.`).join(' '),
	);
}

function takenBy({ type, typeOptions: { minValue, maxValue } = {} }: INodeProperties): string {
	if (type === 'boolean') return 'true or false';
	return `a whole number ${maxValue === undefined ? `of ${minValue} or more` : `from ${minValue} to ${maxValue}`}`;
}

/** Whether n8n activates a trigger because n8n itself starts: what was published before must not stop working then. */
export const isStarting = (mode: WorkflowActivateMode): boolean =>
	mode === 'init' || mode === 'leadershipChange';

/** Makes the error of a failed activation: n8n shows only the message when a workflow cannot be published. */
export function toActivationError(node: INode, error: unknown): NodeApiError | NodeOperationError {
	const nodeError = toNodeError(node, error);
	if (typeof nodeError.description === 'string')
		nodeError.message = `${nodeError.message}. ${nodeError.description}`;
	return nodeError;
}
