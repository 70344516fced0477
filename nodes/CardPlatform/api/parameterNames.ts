import { z } from 'zod';

import { QUERY_PARAMETER_NAMES, type QueryParameter } from './assumptions';
import { UserError } from './userError';
import { parseJson } from './values';

/** The name of each query parameter on the wire; "": it is not sent. */
export type ParameterNames = Record<QueryParameter, string>;

/** Query parameters under our own names; an undefined one is not sent. */
export type Query = Partial<Record<QueryParameter, string | number | undefined>>;

/** Not a record: zod 4 refuses one with a field `constructor`. */
const namesSchema = z.object({}).catchall(z.string().trim());

/** Whether a name is one of ours (§4.3: undocumented, so the credential may rename it). */
const isQueryParameter = (name: string): name is QueryParameter =>
	Object.hasOwn(QUERY_PARAMETER_NAMES, name);

/** Makes the error for the field Parameter Names, e.g. "is not an object of strings". */
const badParameterNames = (what: string) =>
	new UserError(
		`Parameter Names in the credential ${what}`,
		`Open the Card Platform API credential and set Parameter Names to a JSON object with string values such as {"pageSize": "page_size"}, or leave it empty. Names that can be changed: ${Object.keys(QUERY_PARAMETER_NAMES).join(', ')}.`,
	);

/** Reads the field Parameter Names, JSON or an object; blank: nothing is renamed. */
export function readParameterNames(field: unknown): ParameterNames {
	const value = typeof field === 'string' && field.trim() === '' ? {} : (field ?? {});
	const parsed = namesSchema.safeParse(typeof value === 'string' ? parseJson(value) : value);
	if (!parsed.success) throw badParameterNames('is not an object of strings');

	const unknownName = Object.keys(parsed.data).find((name) => !isQueryParameter(name));
	if (unknownName !== undefined) throw badParameterNames(`has an unknown name: ${unknownName}`);
	const names: ParameterNames = { ...QUERY_PARAMETER_NAMES, ...parsed.data };
	const sent = Object.values(names).filter((name) => name !== '');
	// Only one of the two would be sent. With those of both times, a list is empty, and nobody notices.
	const repeated = sent.find((name, index) => sent.indexOf(name) < index);
	if (repeated !== undefined)
		throw badParameterNames(`has one name for two parameters: ${repeated}`);
	return names;
}

/** Gives a query under the names on the wire; a parameter whose name is empty is not sent. */
export function toWireQuery(names: ParameterNames, query: Query): Record<string, string> {
	const wire = new Map<string, string>();
	for (const name of Object.keys(query).filter(isQueryParameter)) {
		const value = query[name];
		if (value === undefined) continue;
		const wireName = names[name];
		if (wireName !== '') wire.set(wireName, String(value));
		// All else, the node does or checks by itself.
		else if (name === 'accountId')
			throw badParameterNames('has no name for accountId, so it cannot be sent');
	}
	return Object.fromEntries(wire);
}
