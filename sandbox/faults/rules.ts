import { z } from 'zod/v4';

import { MAX_URL_LENGTH } from '../assumptions.ts';

const LONGEST_WAIT = 600_000;

const when = {
	/** How likely the rule applies where it could; 1 is always. */
	probability: z.number().min(0).max(1).default(1),
	/** How often it applies at most; without it, no end. */
	times: z.number().int().positive().optional(),
};

const onRequests = {
	...when,
	method: z
		.string()
		.regex(/^[a-z]{1,20}$/i, 'expected an HTTP method')
		.toUpperCase()
		.optional(),
	/** Below the path prefix of §9: this path and all below it. */
	path: z.string().max(MAX_URL_LENGTH).regex(/^\/./, 'expected a path such as "/cards"').optional(),
};

/** What can be sent as a header: no control characters, nothing beyond ASCII, no space around it. */
const headerValue = z
	.string()
	.regex(/^[!-~](?:[ -~]*[!-~])?$/, 'expected characters that an HTTP header can carry');

const milliseconds = z.number().int().min(0).max(LONGEST_WAIT);

/** A fault on its way to be applied: what goes wrong, where, how often. Times in milliseconds. */
export const faultRuleSchema = z.discriminatedUnion('kind', [
	z
		.object({
			kind: z.literal('status'),
			status: z.number().int().min(400).max(599),
			/** Seconds, or a date as HTTP writes it. */
			retryAfter: z.union([z.number().int().min(0), headerValue]).optional(),
			...onRequests,
		})
		.strict(),
	z.object({ kind: z.literal('latency'), ms: milliseconds, ...onRequests }).strict(),
	z.object({ kind: z.literal('drop-before'), ...onRequests }).strict(),
	z.object({ kind: z.literal('drop-after'), ...onRequests }).strict(),
	z.object({ kind: z.literal('duplicate'), ...when }).strict(),
	z.object({ kind: z.literal('bad-signature'), ...when }).strict(),
]);

/** A fault rule. */
export type FaultRule = z.infer<typeof faultRuleSchema>;

/** What can go wrong. */
export type FaultKind = FaultRule['kind'];

/** A rule of one kind. */
export type RuleOf<K extends FaultKind> = Extract<FaultRule, { kind: K }>;

/** Tells whether a rule is about requests with this method and path (below the prefix of §9). */
export function concerns(
	rule: RuleOf<'status' | 'latency' | 'drop-before' | 'drop-after'>,
	method: string,
	path: string,
): boolean {
	const { method: only, path: below } = rule;
	if (only !== undefined && only !== method) return false;
	return below === undefined || path === below || path.startsWith(`${below}/`);
}

/** PUT /sandbox/faults. */
export const faultsBody = z
	.object({
		rules: z.array(faultRuleSchema).max(100),
		/** Decides what a probability below 1 comes to: the same seed, the same faults. */
		seed: z.number().int().default(1),
	})
	.strict();
