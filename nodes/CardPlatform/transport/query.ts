import { z } from 'zod';

import { QUERY_PARAMETER_NAMES, type QueryParameter } from '../api/assumptions';
import { parseJson } from '../api/json';
import { UserError } from '../api/userError';

/** Query parameters under our own names; an undefined one is not sent. */
export type Query = Partial<Record<QueryParameter, string | number | undefined>>;

const namesSchema = z.record(z.string(), z.string());

const isQueryParameter = (name: string): name is QueryParameter =>
	Object.hasOwn(QUERY_PARAMETER_NAMES, name);

const badNames = (what: string) =>
	new UserError(
		`Parameter Names in the credential ${what}`,
		`Open the Card Platform API credential and set Parameter Names to a JSON object with string values such as {"pageSize": "page_size"}, or leave it empty. Names that can be changed: ${Object.keys(QUERY_PARAMETER_NAMES).join(', ')}.`,
	);

function parseNames(parameterNames: unknown): Record<string, string> {
	if (parameterNames === undefined || parameterNames === null) return {};
	const isString = typeof parameterNames === 'string';
	if (isString && parameterNames.trim() === '') return {};
	const parsed = namesSchema.safeParse(isString ? parseJson(parameterNames) : parameterNames);
	if (!parsed.success) throw badNames('is not an object of strings');

	const unknownName = Object.keys(parsed.data).find((name) => !isQueryParameter(name));
	if (unknownName !== undefined) throw badNames(`has an unknown name: ${unknownName}`);
	return parsed.data;
}

function namesOnWire(parameterNames: unknown): Record<QueryParameter, string> {
	const names = { ...QUERY_PARAMETER_NAMES, ...parseNames(parameterNames) };
	const sent = Object.values(names).filter((name) => name.trim() !== '');
	const repeated = sent.find((name, index) => sent.indexOf(name) < index);
	if (repeated !== undefined) throw badNames(`has one name for two parameters: ${repeated}`);
	return names;
}

/** Tells whether a parameter is sent: it is not if the credential names it "". */
export const isSent = (parameterNames: unknown, name: QueryParameter): boolean =>
	namesOnWire(parameterNames)[name].trim() !== '';

/** Without these, a list is the same; without any other, it has more records than a person wants. */
const PAGING: ReadonlySet<string> = new Set(['page', 'pageSize']);

/**
 * Puts a query into the names that this API listens to (§4.3: not shown, so the credential's
 * "Parameter Names" may rename each; renamed to nothing, a parameter is never sent).
 *
 * @param parameterNames the credential's field: a JSON string or an object
 * @param query values under our names
 * @returns the query as it goes on the wire
 * @throws UserError where `parameterNames` is not an object of strings under known names, or where a filter
 * could not be sent
 */
export function toWireQuery(parameterNames: unknown, query: Query): Record<string, string> {
	const names = namesOnWire(parameterNames);
	const wire: Record<string, string> = {};
	for (const name of Object.keys(query).filter(isQueryParameter)) {
		const value = query[name];
		if (value === undefined) continue;
		const wireName = names[name].trim();
		if (wireName !== '') wire[wireName] = String(value);
		else if (!PAGING.has(name)) throw badNames(`has no name for ${name}, so it cannot be sent`);
	}
	return wire;
}
