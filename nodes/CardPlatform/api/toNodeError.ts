import {
	type INode,
	NodeApiError,
	NodeOperationError,
	type WorkflowActivateMode,
} from 'n8n-workflow';

import { UserError } from './userError';

/**
 * Makes text that is never HTML: n8n renders hints, descriptions and notifications as HTML, and keys, names and
 * the API's own words come from others. A character takes the place of "<", as some places show text as it is.
 */
export const toPlainText = (text: string): string => text.replaceAll('<', '‹');

/**
 * Turns a failure into the error that n8n shows: what happened as its message, how to fix it as
 * its description, and the item that it happened on. Nothing else of the failure goes along, as
 * n8n stores errors with the execution. If the API responded, it is an API error with the HTTP status.
 */
export function toNodeError(
	node: INode,
	error: unknown,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	if (!(error instanceof UserError)) {
		// n8n's own errors, of an expression say, explain themselves.
		const text = toPlainText(error instanceof Error ? error.message : 'Unknown error');
		const description =
			error instanceof Error && 'description' in error && typeof error.description === 'string'
				? toPlainText(error.description)
				: undefined;
		return new NodeOperationError(node, text, { description, itemIndex });
	}

	const { httpCode } = error;
	const message = toPlainText(error.message);
	const description = toPlainText(error.hint);
	const nodeError =
		httpCode === undefined
			? new NodeOperationError(node, message, { description, itemIndex })
			: new NodeApiError(node, { message }, { message, description, httpCode, itemIndex });
	// n8n replaces a message in which it finds a system error code; ours is to stay as it is.
	nodeError.message = message;
	Object.assign(nodeError.context, error.output);
	return nodeError;
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
