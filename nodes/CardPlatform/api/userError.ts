/** What an error item shows of a failure: the key to repeat a transfer safely with, or the card to freeze, or its status. */
interface ErrorOutput {
	idempotencyKey?: string;
	cardId?: string;
	previousStatus?: string;
}

/** A failure that says what happened (`message`) and how to fix it (`hint`), to the person who runs the workflow. It never holds a secret. */
export class UserError extends Error {
	override name = 'UserError';

	readonly hint: string;

	/** The status of the API's response, if there was one (§7). */
	readonly httpCode: string | undefined;

	/** Whether a write may have been carried out. */
	readonly outcomeUnknown: boolean;

	/** Whether the API itself said this, in its error format; false for what stands in front of it. */
	readonly isFromApi: boolean;

	readonly output: ErrorOutput;

	constructor(
		message: string,
		hint: string,
		httpCode?: string,
		more: ErrorOutput & { outcomeUnknown?: boolean; isFromApi?: boolean } = {},
	) {
		super(message);
		const { outcomeUnknown = false, isFromApi = false, ...output } = more;
		this.hint = hint;
		this.httpCode = httpCode;
		this.outcomeUnknown = outcomeUnknown;
		this.isFromApi = isFromApi;
		this.output = output;
	}
}

/** Gives a value in place of an error with which the API itself says that a record does not exist (§7). */
export const ifNotFound =
	<T>(value: T) =>
	(error: unknown): T => {
		if (error instanceof UserError && error.httpCode === '404' && error.isFromApi) return value;
		throw error;
	};
