import { z } from 'zod';

import { BAD_REQUEST_CODE } from '../assumptions.ts';

type ErrorStatus = 400 | 401 | 403 | 404;

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

/** What an error says of itself; errors of the database say what is wrong, such as a full disk. */
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
export function parseOrBadRequest<T>(
	schema: z.ZodType<T, z.ZodTypeDef, unknown>,
	value: unknown,
): T {
	const result = schema.safeParse(value, { errorMap });
	if (result.success) return result.data;
	throw badRequest([...new Set(complaintsOf(result.error))].join('; '));
}

/** Of a union, the kind of value that was sent says what is wrong with it, or else the first kind. */
const complaintsOf = ({ issues }: z.ZodError): string[] =>
	issues.flatMap((issue) => {
		const { path, message } = issue;
		if (issue.code === 'invalid_union' && message === '') {
			const isOtherKind = (each: z.ZodIssue) =>
				each.code === 'invalid_type' && each.path.length === path.length;
			const sent = issue.unionErrors.find((each) => !each.issues.every(isOtherKind));
			return complaintsOf(sent ?? issue.unionErrors[0] ?? new z.ZodError([]));
		}
		return path.length > 0 ? `${path.join('.')}: ${message}` : message;
	});

const quoted = (values: (string | number)[]): string =>
	values.map((value) => `"${value}"`).join(', ');

const FORMATS: Record<string, string> = {
	uuid: 'a UUID',
	url: 'a URL',
	datetime: 'a date-time such as 2026-01-31T12:00:00Z',
};

/** Says what is expected in plain words, where the schema itself does not say it. */
const errorMap: z.ZodErrorMap = (issue, { defaultError }) => {
	const { message } = z.defaultErrorMap(issue, { data: undefined, defaultError: '' });
	return { message: defaultError === message ? wording(issue, message) : defaultError };
};

function wording(issue: z.ZodIssueOptionalMessage, otherwise: string): string {
	if (issue.code === 'invalid_type') {
		if (issue.received === 'undefined') return 'required';
		// The values of an enum stand there as 'asc' | 'desc'.
		if (issue.expected.includes("'")) {
			return `expected one of ${issue.expected.replaceAll("'", '"').replaceAll(' | ', ', ')}`;
		}
		const expected = `expected ${article(issue.expected)}`;
		// A field of a form is always a string.
		return issue.received === 'nan' ? expected : `${expected}, not ${issue.received}`;
	}
	if (issue.code === 'invalid_enum_value') return `expected one of ${quoted(issue.options)}`;
	if (issue.code === 'invalid_union_discriminator') {
		return `expected one of ${quoted(issue.options.map(String))}`;
	}
	if (issue.code === 'unrecognized_keys') return `unknown field ${quoted(issue.keys)}`;
	if (issue.code === 'invalid_union') return '';
	if (issue.code === 'invalid_string' && typeof issue.validation === 'string') {
		return `expected ${FORMATS[issue.validation] ?? 'another format'}`;
	}
	if (issue.code === 'too_small') {
		const bound = issue.inclusive ? 'at least' : 'more than';
		return `expected ${bound} ${issue.minimum}${unit(issue.type, issue.minimum)}`;
	}
	if (issue.code === 'too_big') {
		return `expected at most ${issue.maximum}${unit(issue.type, issue.maximum)}`;
	}
	return otherwise;
}

const article = (type: string): string =>
	type === 'integer' ? 'a whole number' : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;

const UNITS: Record<string, string> = { string: 'character', array: 'item' };

function unit(type: string, count: number | bigint): string {
	const name = UNITS[type];
	return name === undefined ? '' : ` ${name}${Number(count) === 1 ? '' : 's'}`;
}
