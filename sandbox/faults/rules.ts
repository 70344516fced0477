import { z } from 'zod/v4';

import { MAX_URL_LENGTH } from '../assumptions.ts';
import { API_PATH, readApi } from '../docs/api.ts';
import { oneOfKinds } from '../http/errors.ts';

const LONGEST_WAIT = 600_000;

const when = {
	/** How often it applies at most; without it, no end. */
	times: z.int().positive().optional(),
};

const onRequests = {
	...when,
	method: z
		.string()
		.regex(/^[a-z]{1,20}$/i, 'expected an HTTP method')
		.toUpperCase()
		.optional(),
	/** Below the path prefix of §9: this path and all below it. */
	path: z
		.string()
		.max(MAX_URL_LENGTH)
		.regex(/^\/./, 'expected a path such as "/cards"')
		.refine((path) => !`${path}/`.startsWith(`${API_PATH}/`), `leave out ${API_PATH}`)
		.optional(),
};

const RULES = [
	z.strictObject({
		kind: z.literal('status'),
		status: z.int().min(400).max(599),
		/** Seconds. */
		retryAfter: z.int().min(0).optional(),
		...onRequests,
	}),
	z.strictObject({
		kind: z.literal('latency'),
		ms: z.int().min(0).max(LONGEST_WAIT),
		...onRequests,
	}),
	z.strictObject({ kind: z.literal('drop-before'), ...onRequests }),
	z.strictObject({ kind: z.literal('drop-after'), ...onRequests }),
	z.strictObject({ kind: z.literal('duplicate'), ...when }),
	z.strictObject({ kind: z.literal('bad-signature'), ...when }),
] as const;

interface Scope {
	kind: string;
	method?: string | undefined;
	path?: string | undefined;
}

/** The requests of the API, such as "GET /cards/{card-id}". */
let requests: string[][] | undefined;

/** Tells whether a rule is about a request that the API has, or about deliveries. */
function canApply({ method, path }: Scope): boolean {
	requests ??= Object.entries(readApi().paths).flatMap(([each, operations]) =>
		Object.keys(operations).map((name) => [name.toUpperCase(), ...each.split('/')]),
	);
	const parts = path?.split('/') ?? [];
	return requests.some(
		([name, ...segments]) =>
			(method === undefined || name === method.replace('HEAD', 'GET')) &&
			parts.length <= segments.length &&
			parts.every((part, index) => segments[index] === part || segments[index]?.startsWith('{')),
	);
}

/** A fault on its way to be applied: what goes wrong, where, how often. The last two kinds are of deliveries. */
export const faultRuleSchema = z
	.discriminatedUnion('kind', RULES, oneOfKinds(RULES.map(({ shape }) => shape.kind.value)))
	.refine((rule) => canApply(rule), 'the API has no request with this method and path');

export type FaultRule = z.infer<typeof faultRuleSchema>;

export type FaultKind = FaultRule['kind'];

export type RuleOf<K extends FaultKind> = Extract<FaultRule, { kind: K }>;

/** Tells whether a rule is about requests with this method and path (below the prefix of §9). */
export function concerns(
	{ method: only, path: below }: Scope,
	method: string,
	path: string,
): boolean {
	if (only !== undefined && only !== method) return false;
	return below === undefined || path === below || path.startsWith(`${below}/`);
}

export const faultsBody = z.strictObject({ rules: z.array(faultRuleSchema).max(100) });
