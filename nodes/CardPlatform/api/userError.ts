/**
 * A failure told in words for the person who runs the workflow: `message` says what happened,
 * `hint` how to put it right. Neither ever holds a secret.
 *
 * `httpCode` is the status of the API's answer, where there was one (§7). `isUnclear` is true of a
 * write that may have been done all the same. `idempotencyKey` is the key to repeat it safely with.
 */
export class UserError extends Error {
	readonly hint: string;

	readonly httpCode: string | undefined;

	readonly isUnclear: boolean;

	readonly idempotencyKey: string | undefined;

	constructor(
		message: string,
		hint: string,
		httpCode?: string,
		more: { isUnclear?: boolean; idempotencyKey?: string } = {},
	) {
		super(message);
		this.name = 'UserError';
		this.hint = hint;
		this.httpCode = httpCode;
		this.isUnclear = more.isUnclear ?? false;
		this.idempotencyKey = more.idempotencyKey;
	}
}
