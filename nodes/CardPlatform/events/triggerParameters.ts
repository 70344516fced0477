import type { INode, NodeApiError, NodeOperationError, WorkflowActivateMode } from 'n8n-workflow';

import { toNodeError } from '../api/toNodeError';
import { type EventChoice, parseEventTypes } from './eventTypes';
import { triggerFilters } from './fields';
import { parseEventFilters } from './filters';

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
	const all = parseEventFilters(triggerFilters.parse(filters, 'Filters', ''));
	return parseEventTypes(events, 'Trigger On', everyApproval, all);
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
