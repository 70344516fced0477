import type { IDataObject } from 'n8n-workflow';

/** Parses JSON; undefined if the string is not JSON. */
export function parseJson(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		return value;
	} catch {
		return undefined;
	}
}

/** Tells whether a value is an object with names and values, as an event or a card is. */
export const isDataObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
