import type { Context, MiddlewareHandler } from 'hono';

/** The header that says what a real API does not: what was ignored, or left out. */
export const WARNING_HEADER = 'Sandbox-Warning';

const MOST_CHARACTERS = 500;

interface Notes {
	known?: string[];
	unknownFields?: string[];
	/** What else a client should know about a response. */
	warnings?: string[];
}

/** Notes something for the header of the response. */
export const note = (c: Context, what: keyof Notes, texts: string[]): void => c.set(what, texts);

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Gives the fields of a body that a schema has left out. */
export function unknownFields(sent: unknown, read: unknown, path = ''): string[] {
	if (!isObject(sent) || !isObject(read)) return [];
	return Object.entries(sent).flatMap(([name, value]) =>
		name in read ? unknownFields(value, read[name], `${path}${name}.`) : [path + name],
	);
}

/** Says in a header which parameters and fields of a request were ignored, and what was noted. */
export const warnOfUnknown: MiddlewareHandler<{ Variables: Notes }> = async (c, next) => {
	await next();
	const known = c.get('known') ?? [];
	const parameters = Object.keys(c.req.query()).filter((name) => !known.includes(name));
	const fields = c.get('unknownFields') ?? [];
	// A query that is refused, or for another reason never read, says nothing about its parameters.
	const ignored = [
		...(c.res.ok ? parameters.map((name) => `unknown parameter ${asciiOf(name)}`) : []),
		...fields.map((name) => `unknown field ${asciiOf(name)}`),
		...Object.entries(c.req.queries())
			.filter(([, values]) => values.length > 1)
			.map(([name]) => `all values but the first of parameter ${asciiOf(name)}`),
	];
	const warnings = c.get('warnings') ?? [];
	if (ignored.length > 0) warnings.push(`${ignored.join(', ')}: ignored`);
	if (warnings.length > 0) c.header(WARNING_HEADER, warnings.join('; ').slice(0, MOST_CHARACTERS));
};

/** A name as a header can carry it. */
const asciiOf = (name: string): string => encodeURI(Buffer.from(name).toString());
