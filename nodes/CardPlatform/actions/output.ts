/**
 * Gives what the API answered to a write whose answer is not shown (§4): the object that came, or
 * what is known to be true where none did.
 */
export const toOutput = (answer: unknown, known: object): object =>
	typeof answer === 'object' && answer !== null ? answer : known;
