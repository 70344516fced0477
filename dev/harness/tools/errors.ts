/** Something that a person can do something about: what went wrong, and how to get past it. */
export class UserError extends Error {
	readonly fix: string;

	constructor(message: string, fix: string, options?: ErrorOptions) {
		super(message, options);
		this.name = 'UserError';
		this.fix = fix;
	}
}

/** What an error says, with what it was caused by: a bare "fetch failed" helps nobody. */
export function errorMessage(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	if (error instanceof SuppressedError) {
		return `${errorMessage(error.suppressed)}; then ${errorMessage(error.error)}`;
	}
	return error.cause === undefined
		? error.message
		: `${error.message} (${errorMessage(error.cause)})`;
}
