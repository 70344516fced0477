import { z } from 'zod/v4';

import { type Attempt, isAccepted } from './outbox.ts';

type Outcome = Pick<Attempt, 'httpStatus' | 'error' | 'responseBody'>;

const CLOCK =
	'The clocks of the sandbox and of n8n differ too much. If the clock of the sandbox was changed, reset it. Otherwise, correct the clock of the machine on which n8n runs.';

const CHANGED =
	'The delivery did not arrive as it was sent: let no proxy in front of n8n change its headers or its body.';

/** What to do about each response of the connector's trigger, by its reason. */
const BY_REASON: Record<string, string> = {
	duplicate: 'Nothing to do: the trigger has already received this event.',
	filtered:
		'Nothing to do: the event does not match Trigger On or Filters of the trigger. To start the workflow, send an event that does.',
	'same-purchase':
		'Nothing to do: an earlier event of this purchase has already started the workflow. With the option Each Approved Step, each one starts it.',
	'other-topic':
		'Nothing to do: the trigger receives events of the topic card.financial_event.v1 only.',
	'topic-missing': CHANGED,
	'payload-not-an-object': CHANGED,
	'body-unreadable': CHANGED,
	'signature-missing': CHANGED,
	'signature-malformed': CHANGED,
	'timestamp-missing': CHANGED,
	'timestamp-malformed': CHANGED,
	'timestamp-too-old': CLOCK,
	'timestamp-too-far-ahead': CLOCK,
	'check-failed':
		'The trigger could not check the delivery: the log of n8n says why. If its credential was deleted, select another one and publish.',
};

function byError(error: string, url: string): string {
	const { host, hostname } = new URL(url);
	if (error.includes('ECONNREFUSED')) {
		return `Nothing listens at ${host}: start the receiver, or correct the URL.`;
	}
	if (/ENOTFOUND|EAI_AGAIN/.test(error)) return `No host is named ${hostname}: correct the URL.`;
	if (error.startsWith('no response within')) {
		return 'The receiver did not respond in time: respond first, and do the work after it (n8n: set Respond to Immediately).';
	}
	return 'The connection broke off: check that the URL is right, that the receiver is running, and that its certificate is valid.';
}

const ownBody = z.object({
	ignored: z.string().max(40).optional(),
	message: z.string().optional(),
});

/** What the connector's trigger writes in its response; nothing of another receiver's. */
function parseResponse(text: string): z.infer<typeof ownBody> {
	try {
		return ownBody.parse(JSON.parse(text));
	} catch {
		return {};
	}
}

/** Gives the reason why a receiver accepted a delivery and did nothing with it; undefined where it does not say so. */
export const ignoredBecause = (outcome: Outcome): string | undefined =>
	isAccepted(outcome) ? parseResponse(outcome.responseBody).ignored : undefined;

/** Tells whether a URL is a test URL of n8n, which works only while the editor listens. */
export const isTestUrl = (url: string): boolean => url.includes('/webhook-test/');

/** Says in a sentence what to do about the outcome of an attempt; undefined where there is nothing to say. */
export function adviceFor(url: string, outcome: Outcome): string | undefined {
	const { httpStatus, error, responseBody } = outcome;
	if (httpStatus === null) return byError(error ?? '', url);
	const { message } = parseResponse(responseBody);
	const reason = isAccepted(outcome) ? ignoredBecause(outcome) : message;
	if (reason === 'signature-mismatch' || reason === 'no-secret') {
		const field = isTestUrl(url) ? 'Test URL Signing Secret' : 'Signing Secret';
		return `Paste the signing secret of this URL into ${field} of the trigger's credential: every URL has its own. If you no longer have it, rotate it.`;
	}
	return BY_REASON[reason ?? ''] ?? byStatus(httpStatus, url);
}

function byStatus(status: number, url: string): string | undefined {
	if (status === 404 && isTestUrl(url)) {
		return "n8n's test URL works only while the editor listens: click Execute step in the trigger, then send the event again.";
	}
	if (status === 404 && url.includes('/webhook/')) {
		return 'The workflow is not published, or its URL has changed: publish it in n8n, then send the event again.';
	}
	if (status === 404) return 'The receiver has nothing at this URL: correct it.';
	if (status >= 502 && status <= 504) {
		return 'The receiver is starting, or the proxy in front of it cannot reach it: wait, then send the event again.';
	}
	if (status >= 500 && url.includes('/webhook')) {
		return 'The workflow failed: open it under Executions in n8n.';
	}
	if (status >= 500) return 'The receiver failed: its log says why.';
	if (status === 401 || status === 403) {
		return 'The receiver refused the delivery: its signing secret must be that of this endpoint, and the signature is the HMAC of the exact bytes of the body.';
	}
	if (status >= 400) return 'The receiver refused the delivery: its response or its log says why.';
	if (status >= 300)
		return 'The receiver redirects, and the sandbox follows no redirects: add the new URL.';
	return undefined;
}
