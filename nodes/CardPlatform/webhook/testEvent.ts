import {
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type IWebhookResponseData,
	type NodeApiError,
	type NodeOperationError,
} from 'n8n-workflow';
import { z } from 'zod';

import { UserError } from '../api/userError';
import { toNodeError } from '../toNodeError';
import { OPTION_LABELS } from './properties';
import type { Rejection } from './responses';

const AGAIN = 'Then execute this step again.';

const OTHER_SECRET = {
	message: 'An event arrived, but it was signed with another secret',
	hint: `Every URL has its own signing secret. Paste the secret of this trigger's test URL into "Test URL Signing Secret" of its credential. If another trigger uses the same credential, create a new one for this trigger instead. Lost the secret? Rotate it in the dashboard (developer settings, webhooks tab). ${AGAIN}`,
};

const NO_SIGNATURE = {
	message: 'A request without a valid signature arrived',
	hint: `The card platform signs each event in the header X-Webhook-Signature. Use a card instead of sending a request yourself, and check that no proxy changes headers. ${AGAIN}`,
};

const NO_EVENT = {
	message: 'A signed request arrived, but it is not a card event',
	hint: `Its header X-Webhook-Topic is missing, or its body is not a JSON object. Check that no proxy changes requests. ${AGAIN}`,
};

const NO_TIMESTAMP = {
	message: 'An event arrived without a valid timestamp',
	hint: `Its header X-Webhook-Timestamp is missing or malformed. Check that no proxy changes headers, or set "${OPTION_LABELS.timestampTolerance}" to 0. ${AGAIN}`,
};

const WRONG_TIME = {
	message: 'An event arrived, but its timestamp differs too much from the clock of n8n',
	hint: `Correct the clock of the machine on which n8n runs. If it is right, change "${OPTION_LABELS.timestampTolerance}". ${AGAIN}`,
};

/** What the editor shows a person who is waiting for a test event. Nothing of it comes from the request. */
const TEST_PROBLEMS: Record<Rejection, { message: string; hint: string }> = {
	'body-unreadable': {
		message: 'A request arrived whose body n8n cannot read',
		hint: `The card platform sends JSON. Check that no proxy changes requests. ${AGAIN}`,
	},
	'signature-missing': NO_SIGNATURE,
	'signature-malformed': NO_SIGNATURE,
	'signature-mismatch': OTHER_SECRET,
	'no-secret': {
		message: 'An event arrived, but the credential has no signing secret',
		hint: `Paste the secret of the endpoint with this trigger's test URL into "Test URL Signing Secret". ${AGAIN}`,
	},
	'topic-missing': NO_EVENT,
	'payload-not-an-object': NO_EVENT,
	'timestamp-missing': NO_TIMESTAMP,
	'timestamp-malformed': NO_TIMESTAMP,
	'timestamp-too-old': WRONG_TIME,
	'timestamp-too-far-ahead': WRONG_TIME,
};

/** Stands for a refused test event; the item of a genuine one never has `delivery.problem`. */
const problemSchema = z.object({
	delivery: z.object({ problem: z.object({ message: z.string(), hint: z.string() }) }),
});

const start = (problem: IDataObject): IWebhookResponseData => ({
	noWebhookResponse: true,
	workflowData: [[{ json: { delivery: { source: 'webhook', problem } } }]],
});

/**
 * Starts the test run, after the response has been sent, for a delivery that was refused: it fails at
 * once by {@link findTestProblem}, so that the editor shows why. Otherwise the editor would go on
 * listening, as if nothing had arrived. n8n listens for one event only, so the person starts again.
 */
export const showRejection = (reason: Rejection): IWebhookResponseData =>
	start(TEST_PROBLEMS[reason]);

/** As {@link showRejection}, for a delivery that could not be checked. */
export function showFailure(node: INode, error: unknown): IWebhookResponseData {
	const { message, description } = toNodeError(node, error);
	return start({ message, hint: description ?? AGAIN });
}

/**
 * Finds out whether {@link showRejection} or {@link showFailure} has started a test run.
 *
 * @returns the error with which its first step has to fail
 */
export function findTestProblem(
	node: INode,
	items: INodeExecutionData[],
): NodeApiError | NodeOperationError | undefined {
	const found = items.map(({ json }) => problemSchema.safeParse(json).data);
	const problem = found.find((each) => each !== undefined)?.delivery.problem;
	return problem && toNodeError(node, new UserError(problem.message, problem.hint));
}
