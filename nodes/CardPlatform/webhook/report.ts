import type {
	INode,
	INodeExecutionData,
	IWebhookFunctions,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { z } from 'zod';

import { isDataObject } from '../api/json';
import { UserError } from '../api/userError';
import { nodeKey } from '../events/deduplicate';
import { toNodeError } from '../toNodeError';
import { OPTION_LABELS } from './properties';
import type { Ignored, Reason, Rejection } from './responses';
import { endpointOf } from './signingKeys';

const HOUR_MS = 3_600_000;

const NEXT_TEST = 'Then execute this step again.';

const NEXT = `"${OPTION_LABELS.reportRejected}" reports this at most once an hour. If all events arrive, someone else sent the request, and there is nothing to correct.`;

/** What is wrong, and how to correct it. Nothing of it comes from the request. */
function problemsOf(isTest: boolean): Record<Rejection, { message: string; description: string }> {
	const { url, field } = endpointOf(isTest);
	const noSignature = {
		message: 'A request without a valid signature arrived',
		description:
			'The card platform signs each event in the header X-Webhook-Signature. Check that no proxy changes headers. A request that you send yourself has no valid signature: use a card instead.',
	};
	const noEvent = {
		message: 'A signed request arrived, but it is not a card event',
		description:
			'Its header X-Webhook-Topic is missing, or its body is not a JSON object. Check that no proxy changes requests.',
	};
	const noTimestamp = {
		message: 'An event arrived without a valid timestamp',
		description: `Its header X-Webhook-Timestamp is missing or malformed. Check that no proxy changes headers, or set "${OPTION_LABELS.timestampTolerance}" to 0.`,
	};
	const wrongTime = {
		message: 'An event arrived, but its timestamp differs too much from the clock of n8n',
		description: `Correct the clock of the machine on which n8n runs. If it is right, change "${OPTION_LABELS.timestampTolerance}".`,
	};
	return {
		'body-unreadable': {
			message: 'A request arrived whose body n8n cannot read',
			description: 'The card platform sends JSON. Check that no proxy changes requests.',
		},
		'signature-missing': noSignature,
		'signature-malformed': noSignature,
		'signature-mismatch': {
			message: 'An event arrived, but it was signed with another secret',
			description: `Every URL has its own signing secret. Paste the secret of this trigger's ${url} into "${field}" of its credential. If another trigger uses the same credential, create a new one for this trigger instead. Lost the secret? Rotate it in the dashboard (developer settings, webhooks tab).`,
		},
		'no-secret': {
			message: 'An event arrived, but the credential has no signing secret',
			description: `Paste the secret of the endpoint with this trigger's ${url} into "${field}".`,
		},
		'topic-missing': noEvent,
		'payload-not-an-object': noEvent,
		'timestamp-missing': noTimestamp,
		'timestamp-malformed': noTimestamp,
		'timestamp-too-old': wrongTime,
		'timestamp-too-far-ahead': wrongTime,
	};
}

/** When each trigger last reported each reason. */
const reportedAt = new Map<string, number>();

/** Whether a trigger in production reports this reason now, rather than only logging it. */
function isDue(context: IWebhookFunctions, reason: Reason): boolean {
	// Raw, because the request may be forged, and an expression can read it.
	const options: unknown = context.getNodeParameter('options', {}, { rawExpressions: true });
	if (!isDataObject(options) || options.reportRejected !== true) return false;
	const now = Date.now();
	for (const [key, at] of reportedAt) if (Math.abs(now - at) >= HOUR_MS) reportedAt.delete(key);
	const key = `${nodeKey(context)}:${reason}`;
	if (reportedAt.has(key)) return false;
	reportedAt.set(key, now);
	return true;
}

/**
 * Finds out whether a delivery that was refused, or could not be checked, starts an execution after the
 * response: to a person who waits for a test event, because the editor would otherwise go on listening as
 * if nothing had arrived; in production, if the option says so, at most once an hour for each reason.
 *
 * @param error why it could not be checked
 * @returns the item with which the execution fails by {@link findReport}; undefined for no execution
 */
export function report(
	context: IWebhookFunctions,
	reason: Exclude<Reason, Ignored>,
	error?: unknown,
): INodeExecutionData[][] | undefined {
	const isTest = context.getMode() === 'manual';
	if (!isTest && !isDue(context, reason)) return undefined;
	const { message, description } =
		reason === 'delivery not checked'
			? toNodeError(context.getNode(), error)
			: problemsOf(isTest)[reason];
	const hint = [description, isTest ? NEXT_TEST : NEXT].join(' ').trim();
	return [[{ json: { delivery: { source: 'webhook', problem: { message, hint } } } }]];
}

/** Stands for a refused delivery; the item of a genuine one never has `delivery.problem`. */
const problemSchema = z.object({
	delivery: z.object({ problem: z.object({ message: z.string(), hint: z.string() }) }),
});

/**
 * Finds out whether {@link report} has started an execution.
 *
 * @returns the error with which its first step has to fail
 */
export function findReport(
	node: INode,
	items: INodeExecutionData[],
): NodeApiError | NodeOperationError | undefined {
	const found = items.map(({ json }) => problemSchema.safeParse(json).data);
	const problem = found.find((each) => each !== undefined)?.delivery.problem;
	return problem && toNodeError(node, new UserError(problem.message, problem.hint));
}
