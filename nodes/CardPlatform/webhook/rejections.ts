import type { INode, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { toNodeError } from '../api/toNodeError';
import { UserError } from '../api/userError';
import { isDataObject } from '../api/values';
import { nodeKey } from '../events/keys';
import { reportRejected, timestampTolerance } from './properties';
import { endpointOf } from './signingKeys';

const option = timestampTolerance.displayName;

/** A response of the trigger; for a rejection, what is wrong and how to correct it. */
export interface Response {
	status: 200 | 400 | 401 | 500;
	/** The option to change, if any. */
	option?: string;
	/** Contains nothing from the request. */
	message?: string;
	/** `{url}` and `{field}` are those of {@link endpointOf}. */
	hint?: string;
}

const NO_SIGNATURE = {
	status: 401,
	message: 'A request without a valid signature arrived',
	hint: 'The card platform signs each event in the header X-Webhook-Signature. Check that no proxy changes headers. A request that you send yourself has no valid signature: use a card instead.',
} as const;
const NO_EVENT = {
	status: 400,
	message: 'A signed request arrived, but it is not a card event',
	hint: 'Its header X-Webhook-Topic is missing or malformed, or its body is not a JSON object. Check that no proxy changes requests.',
} as const;
const NO_TIMESTAMP = {
	status: 401,
	option,
	message: 'An event arrived without a valid timestamp',
	hint: `Its header X-Webhook-Timestamp is missing or malformed. Check that no proxy changes headers, or set "${option}" to 0.`,
} as const;
const WRONG_TIME = {
	status: 401,
	option,
	message: 'An event arrived, but its timestamp differs too much from the clock of n8n',
	hint: `Correct the clock of the machine on which n8n runs. If it is right, change "${option}".`,
} as const;

/** Every response of the trigger, by reason; n8n itself responds to a genuine event. docs/troubleshooting.md shows this table. */
export const RESPONSES = {
	duplicate: { status: 200 },
	filtered: { status: 200 },
	'same-purchase': { status: 200 },
	'other-topic': { status: 200 },
	'topic-missing': NO_EVENT,
	'payload-not-an-object': NO_EVENT,
	'body-unreadable': {
		status: 401,
		message: 'n8n could not read the body of a request',
		hint: 'The card platform sends JSON. Check that no proxy changes requests.',
	},
	'signature-missing': NO_SIGNATURE,
	'signature-malformed': NO_SIGNATURE,
	'signature-mismatch': {
		status: 401,
		message: 'An event arrived, but it was signed with another secret',
		hint: 'Every URL has its own signing secret. Paste the secret of this trigger\'s {url} into "{field}" of its credential. If another trigger uses the same credential, create a new one for this trigger. Lost the secret? Rotate it in the dashboard (developer settings, webhooks tab).',
	},
	'no-secret': {
		status: 401,
		message: 'An event arrived, but the credential has no signing secret',
		hint: 'Paste the secret of the endpoint with this trigger\'s {url} into "{field}".',
	},
	'timestamp-missing': NO_TIMESTAMP,
	'timestamp-malformed': NO_TIMESTAMP,
	'timestamp-too-old': WRONG_TIME,
	'timestamp-too-far-ahead': WRONG_TIME,
	'check-failed': { status: 500 },
} satisfies Record<string, Response>;

export type Reason = keyof typeof RESPONSES;

export type Rejection = {
	[Each in Reason]: (typeof RESPONSES)[Each] extends { message: string } ? Each : never;
}[Reason];

/**
 * Decides whether a rejected delivery starts an execution after the response. In a test it does: otherwise the editor
 * would go on listening as if nothing had arrived. In production, it does at most once an hour for each reason, unless
 * the option is off.
 *
 * @param error why it could not be checked
 * @returns the item with which the execution fails by {@link reportedProblem}; undefined for no execution
 */
export function report(
	context: IWebhookFunctions,
	reason: Reason,
	error: unknown,
): INodeExecutionData[][] | undefined {
	const isTest = context.getMode() === 'manual';
	const { status, ...problem }: Response = RESPONSES[reason];
	if (status === 200 || !stopsOnError(context.getNode())) return undefined;
	if (!isTest && !isDue(context, reason)) return undefined;
	const { url, field } = endpointOf(isTest);
	const failure = toNodeError(context.getNode(), error);
	const { message = failure.message, hint = failure.description ?? '' } = problem;
	const once = `"${reportRejected.displayName}" reports this at most once an hour.`;
	// Of a signed delivery, too, if it is sent again later.
	const others = ' If no events are missing, ignore this: someone else sent the request.';
	const next = isTest ? 'Then execute this step again.' : once + (status === 401 ? others : '');
	const text = `${hint.replace('{url}', url).replace('{field}', field)} ${next}`;
	return [[{ json: { delivery: { problem: { message, hint: text } } } }]];
}

export const REPORT_INTERVAL_MS = 3_600_000;

const reportedAt = new Map<string, number>();

/** Whether a trigger in production reports this reason now, rather than only logging it. */
function isDue(context: IWebhookFunctions, reason: Reason): boolean {
	// Raw, because the request may be forged, and an expression can read it.
	const options: unknown = context.getNodeParameter('options', {}, { rawExpressions: true });
	if (isDataObject(options) && options.reportRejected === false) return false;
	const key = `${nodeKey(context)}:${reason}`;
	const now = Date.now();
	if (Math.abs(now - (reportedAt.get(key) ?? 0)) < REPORT_INTERVAL_MS) return false;
	reportedAt.set(key, now);
	return true;
}

/** Whether a failure of the trigger ends the execution, so that no step of the workflow runs. */
const stopsOnError = ({ onError = 'stopWorkflow', continueOnFail = false }: INode): boolean =>
	onError === 'stopWorkflow' && !continueOnFail;

/** Stands for a refused delivery; the item of a genuine one never has `delivery.problem`. */
const problemSchema = z.object({
	delivery: z.object({ problem: z.object({ message: z.string(), hint: z.string() }) }),
});

/** Finds out whether {@link report} has started an execution: gives the error with which its first step has to fail. */
export function reportedProblem([item]: INodeExecutionData[]): UserError | undefined {
	const { data } = problemSchema.safeParse(item?.json);
	return data && new UserError(data.delivery.problem.message, data.delivery.problem.hint);
}
