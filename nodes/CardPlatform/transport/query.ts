import {
	badParameterNames,
	isQueryParameter,
	type ParameterNames,
	type Query,
} from '../api/parameterNames';

/** Without these, a list is the same; without any other, it has more records than a person wants. */
const PAGING: ReadonlySet<string> = new Set(['page', 'pageSize']);

/** Gives a query under the names on the wire. */
export function toWireQuery(names: ParameterNames, query: Query): Record<string, string> {
	const wire: Record<string, string> = {};
	for (const name of Object.keys(query).filter(isQueryParameter)) {
		const value = query[name];
		if (value === undefined) continue;
		const wireName = names[name];
		if (wireName !== '') wire[wireName] = String(value);
		else if (!PAGING.has(name)) {
			throw badParameterNames(`has no name for ${name}, so it cannot be sent`);
		}
	}
	return wire;
}
