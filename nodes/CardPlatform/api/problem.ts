/**
 * A failure told in words for the person who runs the workflow: `message` says what happened,
 * `hint` how to put it right. Neither ever holds a secret.
 *
 * `httpCode` is the status of the API's answer, where there was one (§7).
 */
export class Problem extends Error {
	readonly hint: string;

	readonly httpCode: string | undefined;

	constructor(message: string, hint: string, httpCode?: string) {
		super(message);
		this.name = 'Problem';
		this.hint = hint;
		this.httpCode = httpCode;
	}
}
