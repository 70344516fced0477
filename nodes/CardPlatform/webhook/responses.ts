import { OPTION_LABELS } from './properties';

/**
 * Every response of the trigger, by reason: its status, and the option to change, if any. n8n itself
 * responds to a genuine event. docs/webhooks.md shows this table.
 */
export const RESPONSES = {
	duplicate: { status: 200 },
	filtered: { status: 200 },
	'same-purchase': { status: 200 },
	'other-topic': { status: 200 },
	'topic-missing': { status: 400 },
	'payload-not-an-object': { status: 400 },
	'body-unreadable': { status: 401 },
	'signature-missing': { status: 401 },
	'signature-malformed': { status: 401 },
	'signature-mismatch': { status: 401 },
	'no-secret': { status: 401 },
	'timestamp-missing': { status: 401, option: OPTION_LABELS.timestampTolerance },
	'timestamp-malformed': { status: 401, option: OPTION_LABELS.timestampTolerance },
	'timestamp-too-old': { status: 401, option: OPTION_LABELS.timestampTolerance },
	'timestamp-too-far-ahead': { status: 401, option: OPTION_LABELS.timestampTolerance },
	'delivery not checked': { status: 500 },
} satisfies Record<string, { status: 200 | 400 | 401 | 500; option?: string }>;

/** A key of {@link RESPONSES}. */
export type Reason = keyof typeof RESPONSES;

type ReasonWith<Status> = {
	[Each in Reason]: (typeof RESPONSES)[Each]['status'] extends Status ? Each : never;
}[Reason];

/** Why a delivery gets 200 but starts nothing. */
export type Ignored = ReasonWith<200>;

/** Why a delivery is refused. */
export type Rejection = ReasonWith<400 | 401>;

/** Tells whether a delivery is refused for this reason, rather than ignored. */
export const isRejection = (reason: Ignored | Rejection): reason is Rejection =>
	RESPONSES[reason].status !== 200;
