import type { z } from 'zod';

import { BAD_REQUEST_CODE, CONTENT_TOO_LARGE_CODE, MAX_BODY_BYTES } from '../assumptions.ts';

type ErrorStatus = 400 | 401 | 403 | 404 | 413;

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

/** A reason why the sandbox cannot start, in one line for the person at the command line. */
export class StartError extends Error {}

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

/** 413 (assumption MAX_BODY_BYTES): a request body that is too large. */
export const contentTooLarge = (): ApiError =>
	new ApiError(
		413,
		CONTENT_TOO_LARGE_CODE,
		`The request body is larger than 1 MB (${MAX_BODY_BYTES} bytes)`,
	);

/** Gives `value` as the schema parses it; throws a 400 (§7) that names each wrong field. */
export function parseOrBadRequest<T>(
	schema: z.ZodType<T, z.ZodTypeDef, unknown>,
	value: unknown,
): T {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const complaints = result.error.issues.map(({ path, message }) =>
		path.length > 0 ? `${path.join('.')}: ${message}` : message,
	);
	throw badRequest(complaints.join('; '));
}
