/**
 * A failure with a message for the person who runs the workflow: `message` says what happened, `hint`
 * how to fix it. Neither ever holds a secret.
 *
 * `httpCode` is the status of the API's response, if there was one (§7). `outcomeUnknown` is true for a
 * write that may have been carried out. `idempotencyKey` is the key to repeat it safely with. `previousStatus` is
 * the status of the card that was not changed.
 */
export class UserError extends Error {
	readonly hint: string;

	readonly httpCode: string | undefined;

	readonly outcomeUnknown: boolean;

	readonly idempotencyKey: string | undefined;

	readonly previousStatus: string | undefined;

	/** Whether the API itself said this, in its error format; false for what stands in front of it. */
	readonly isFromApi: boolean;

	constructor(
		message: string,
		hint: string,
		httpCode?: string,
		more: Partial<
			Pick<UserError, 'outcomeUnknown' | 'idempotencyKey' | 'previousStatus' | 'isFromApi'>
		> = {},
	) {
		super(message);
		this.name = 'UserError';
		this.hint = hint;
		this.httpCode = httpCode;
		this.outcomeUnknown = more.outcomeUnknown ?? false;
		this.idempotencyKey = more.idempotencyKey;
		this.previousStatus = more.previousStatus;
		this.isFromApi = more.isFromApi ?? false;
	}
}
