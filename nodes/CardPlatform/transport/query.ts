import {
	badParameterNames,
	isQueryParameter,
	type ParameterNames,
	type Query,
} from '../api/parameterNames';

/** Without these, the list would be another one: the node pages and filters by itself, but sorts nothing. */
const NEEDED: ReadonlySet<string> = new Set(['accountId', 'sort']);

/** Gives a query under the names on the wire; a parameter whose name is empty is not sent. */
export function toWireQuery(names: ParameterNames, query: Query): Record<string, string> {
	const wire: Record<string, string> = {};
	for (const name of Object.keys(query).filter(isQueryParameter)) {
		const value = query[name];
		if (value === undefined) continue;
		const wireName = names[name];
		if (wireName !== '') wire[wireName] = String(value);
		else if (NEEDED.has(name)) {
			throw badParameterNames(`has no name for ${name}, so it cannot be sent`);
		}
	}
	return wire;
}
