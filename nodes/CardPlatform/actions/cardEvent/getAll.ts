import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { eventSchema } from '../../api/event';
import { choice, type Field, type Find, flag } from '../../api/field';
import { createdIn } from '../../api/recordFilter';
import { cardPath } from '../../api/schemas';
import { UserError } from '../../api/userError';
import { isBlank, toDecimal, toDecimalString, toText } from '../../api/values';
import { createSource, newestEvents } from '../../events/cardEvents';
import { type NameCard, nameCards } from '../../events/cards';
import { ALL, parseEventTypes, selectEvents } from '../../events/eventTypes';
import { FILTERS, parseEventFilters } from '../../events/filters';
import { eventTypes, everyApproval, includeCard } from '../../events/fields';
import { simpleSchema, toReadable } from '../../events/item';
import type { Api } from '../../transport/client';
import { cardId, customQuery, filters, moreOptions, readLimit, returnAllOrLimit } from '../fields';
import { createdBetween, period, readPeriod } from '../listFilters';
import type { Item, Operation } from '../operation';

const countSchema = z.object({ count: z.number(), sums: z.record(z.string(), z.string()) });

const cardScope = choice({
	displayName: 'Cards',
	name: 'cardScope',
	options: [
		{ name: 'One', value: 'one', description: 'The events of one card' },
		{
			name: 'All',
			value: 'all',
			description: 'The events of all cards. Needs the filter Period or Created From.',
		},
	],
	default: 'one',
	description: 'Whose events to get',
});

const simplify = flag({
	displayName: 'Simplify',
	name: 'simplify',
	description: 'Whether to return a simplified version of the response instead of the raw data',
	hint: 'When on, leaves out summary, category and MCC, for example. Filters see all fields.',
});

const types: Field = {
	...eventTypes,
	required: false,
	displayName: 'Event Types',
	description: 'Return only events of these types',
};

const chosen = filters([
	...FILTERS.map((field) =>
		field.name === 'cardIds'
			? { ...field, displayOptions: { show: { '/cardScope': ['all'] } } }
			: field,
	),
	...createdBetween,
	types,
	period,
]);

const scope = [cardScope, { ...cardId, displayOptions: { show: { cardScope: ['one'] } } }];

/** Reads the events of one card (§4.6), or of those with transactions (§4.8), that pass the filters: newest first. */
async function readEvents(
	api: Api,
	item: Item,
	options: Field<Find>,
	limit: number,
): Promise<IDataObject[]> {
	const find = item.get(chosen);
	const option = item.get(options);
	const every = option(everyApproval) ?? false;
	const choice = parseEventTypes(find(types) ?? ALL, 'Event Types', every, parseEventFilters(find));
	const custom = option(customQuery);
	const range = readPeriod(api, item, find);
	if (item.get(cardScope) === 'one') {
		const path = `${cardPath(item.get(cardId))}/financial-events`;
		const events = await api.listUnpaginated(path, { custom }, eventSchema);
		return selectEvents(events, choice).filter(range ? createdIn(range).passes : () => true);
	}
	if (range !== undefined && range.from > -Infinity)
		return await newestEvents(createSource(api, custom), { ...range, choice, limit });
	throw new UserError(
		'No period is chosen for the events of all cards',
		'Add the filter "Period" or "Created From": for all cards, the node needs to know how far back to read.',
	);
}

const options = moreOptions([customQuery, everyApproval, includeCard]);

/** GET /cards/{card-id}/financial-events (§4.6). */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many card events',
	description: 'List purchases, declines, refunds and reversals',
	effect: 'read',
	// Simplified, as by default.
	returns: simpleSchema,
	fields: [...scope, ...returnAllOrLimit, simplify, chosen, options],
	async run(api, item) {
		const limit = readLimit(item);
		const simplifies = item.get(simplify);
		const events = api.cut(await readEvents(api, item, options, limit), limit);
		const includes = item.get(options)(includeCard) === true && events.length > 0;
		const nameCard: NameCard = includes ? await nameCards(api, api.report) : () => ({});
		return events.map((event) => toReadable({ ...nameCard(event), ...event }, simplifies));
	},
};

const countOptions = moreOptions([customQuery, everyApproval]);

/** Counts what {@link getAll} lists, and adds up its amounts: exactly, whatever their direction. */
export const count: Operation = {
	value: 'count',
	name: 'Count',
	action: 'Count card events',
	description: 'Count events, and add up their amounts by currency',
	effect: 'read',
	returns: countSchema,
	fields: [...scope, chosen, countOptions],
	async run(api, item) {
		const events = await readEvents(api, item, countOptions, Infinity);
		const sums = new Map<string, bigint>();
		let unclear = 0;
		for (const { amount, currency } of events) {
			const decimal = toDecimal(amount);
			const code = toText(currency)?.toUpperCase();
			if (decimal === undefined || isBlank(code) || code === undefined) unclear++;
			else sums.set(code, (sums.get(code) ?? 0n) + decimal);
		}
		if (unclear > 0)
			api.report(`The sums leave out events without a clear amount and currency: ${unclear}.`);
		const entries = [...sums].map(([code, sum]) => [code, toDecimalString(sum)] as const);
		return { count: events.length, sums: Object.fromEntries(entries) };
	},
};
