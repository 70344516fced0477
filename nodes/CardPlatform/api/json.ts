/**
 * Parses a JSON text.
 *
 * @returns the value, or undefined where the text is no JSON
 */
export function parseJson(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		return value;
	} catch {
		return undefined;
	}
}
