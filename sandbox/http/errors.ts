import type { z } from 'zod/v4';

import { BAD_REQUEST_CODE } from '../assumptions.ts';

type ErrorStatus = 400 | 401 | 403 | 404 | 405;

/** An error response of the API or the control plane: its HTTP status and §7 body. */
export class ApiError extends Error {
	readonly status: ErrorStatus;
	readonly code: string;

	constructor(status: ErrorStatus, code: string, message: string) {
		super(message);
		this.status = status;
		this.code = code;
	}
}

export const reasonOf = (error: unknown): string =>
	error instanceof Error ? error.message : String(error);

/** A reason why the sandbox cannot start, in one line for the person at the command line. */
export class StartError extends Error {}

/** A mistake in the options of a start or of a command; never says what a secret is. */
export class UsageError extends StartError {}

/** 400, §7: an invalid request. `message` says what is wrong with it. */
export const badRequest = (message: string): ApiError =>
	new ApiError(400, BAD_REQUEST_CODE, message);

/** 401, §7 and §5.6: no usable credentials. */
export const unauthorized = (message: string): ApiError =>
	new ApiError(401, 'unauthorized', message);

/** 403, §7 and §5.5: by default the text of a feature that is not enabled. */
export const forbidden = (message = 'Access to the resource is not provided'): ApiError =>
	new ApiError(403, 'forbidden', message);

/** 404, §7. */
export const notFound = (message = 'The resource was not found'): ApiError =>
	new ApiError(404, 'not-found', message);

/** Gives `value` as the schema parses it; throws a 400 (§7) that names each wrong field. */
export function parseOrBadRequest<T>(schema: z.ZodType<T>, value: unknown): T {
	const result = schema.safeParse(value, { error: wording });
	if (result.success) return result.data;
	throw badRequest([...new Set(complaintsOf(result.error.issues))].join('; '));
}

/** Of a union, the kind of value that was sent says what is wrong with it, or else the first kind. */
const complaintsOf = (issues: z.core.$ZodIssue[]): string[] =>
	issues.flatMap((issue) => {
		if (issue.code === 'invalid_union' && issue.errors.length > 0 && issue.message === '') {
			const isOtherKind = ({ code, path }: z.core.$ZodIssue) =>
				['invalid_type', 'invalid_value'].includes(code) && path.length === 0;
			const sent = issue.errors.find((each) => !each.every(isOtherKind)) ?? issue.errors[0] ?? [];
			return complaintsOf(sent.map((each) => ({ ...each, path: [...issue.path, ...each.path] })));
		}
		const place = issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
		return place + issue.message.replace(/^(Invalid \w+|Too \w+): /, '');
	});

/** For a discriminated union, whose issue names no values. */
export const oneOfKinds = (kinds: string[]) => ({
	error: ({ code }: { code?: string }) =>
		code === 'invalid_union' ? `expected one of ${quoted(kinds)}` : undefined,
});

/** Gives values as an error lists them. */
export const quoted = (values: unknown[]): string =>
	values.map((value) => `"${String(value)}"`).join(', ');

/** Shorter than zod's words, which follow for everything else. */
const wording: z.core.$ZodErrorMap = (issue) => {
	if (issue.code === 'invalid_value') return `expected one of ${quoted(issue.values)}`;
	if (issue.code === 'unrecognized_keys') return `unknown field ${quoted(issue.keys)}`;
	if (issue.code === 'invalid_union') return '';
	if (issue.code === 'invalid_type' && issue.input === undefined) return 'required';
	return undefined;
};
