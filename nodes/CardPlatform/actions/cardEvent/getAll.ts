import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { eventSchema, timeOf } from '../../api/event';
import { choice, type Field, type ReadIfAdded } from '../../api/field';
import { createdIn, unreadable } from '../../api/recordFilter';
import { cardPath } from '../../api/schemas';
import { UserError } from '../../api/userError';
import { isBlank, toDecimal, toDecimalString, toText } from '../../api/values';
import { createSource, nameCards, newestEvents } from '../../events/cardEvents';
import {
	ALL,
	type EventFilter,
	parseEventTypes,
	refuseAllAndOthers,
	selectEvents,
} from '../../events/eventTypes';
import { eventTypes, everyApproval, includeCard, simplify } from '../../events/fields';
import { FILTERS_WITH_PICKER, parseEventFilters } from '../../events/filters';
import { simpleSchema, toReadable } from '../../events/item';
import type { Api } from '../../transport/client';
import { customQuery, filters, moreOptions, readLimit, returnAllOrLimit } from '../fields';
import { createdBetween, period, periodOfAll, readPeriod } from '../listFilters';
import type { Item, Operation } from '../operation';
import { cardId } from '../pickers';

const countSchema = z.object({ count: z.number(), sums: z.record(z.string(), z.string()) });

const cardScope = choice({
	displayName: 'Cards',
	name: 'cardScope',
	options: [
		{ name: 'One', value: 'one', description: 'The events of one card' },
		{ name: 'All', value: 'all', description: 'The events of all cards in a period' },
	],
	default: 'one',
	description: 'Whose events to get',
});

const simplifyEvents = {
	...simplify,
	hint: 'Leaves out issues, category, MCC, address and the ID of the event. Filters still use them.',
};

const isAll = { '/cardScope': ['all'] };

/** Of all cards, Period is a field of the form: the filter may stand there, too, but is hidden, as it cannot be added. */
const inFilters = createdBetween.flatMap((field): Field[] =>
	field === period
		? [
				{ ...field, displayOptions: { show: { '/cardScope': ['one'] } } },
				{ ...field, type: 'hidden', displayOptions: { show: isAll } },
			]
		: [field],
);

const types: Field = {
	...eventTypes,
	required: false,
	displayName: 'Event Types',
	description: 'Return only events of these types',
};

const chosen = filters([
	...inFilters,
	types,
	...FILTERS_WITH_PICKER.map((field) =>
		field.name === 'cardIds' ? { ...field, displayOptions: { show: isAll } } : field,
	),
]);

const scope = [
	cardScope,
	{ ...cardId, displayOptions: { show: { cardScope: ['one'] } } },
	{ ...periodOfAll, displayOptions: { show: { cardScope: ['all'] } } },
];

/** Reads the events of one card (§4.6), or of those with transactions (§4.8), that pass the filters: newest first. */
async function readEvents(
	api: Api,
	item: Item,
	options: Field<ReadIfAdded>,
	limit: number,
): Promise<IDataObject[]> {
	const find = item.get(chosen);
	const option = item.get(options);
	const every = option(everyApproval) ?? false;
	const isOne = item.get(cardScope) === 'one';
	const range = readPeriod(api, item, find, isOne ? undefined : item.get(periodOfAll));
	const unread = { amount: 0, createdAt: 0 };
	const eventFilters = parseEventFilters(find).map((filter): EventFilter => (event) => {
		const passes = filter(event);
		if (passes === undefined && !isBlank(event.amount)) unread.amount++;
		return passes;
	});
	// An event without a time is in no period.
	eventFilters.push((event) => {
		if (range !== undefined && Number.isNaN(timeOf(event))) unread.createdAt++;
		return true;
	});
	const typesFound = find(types) ?? ALL;
	const choice = parseEventTypes(typesFound, types.displayName, every, eventFilters);
	refuseAllAndOthers(typesFound, types.displayName);
	const custom = option(customQuery);
	const gone: string[] = [];
	const source = createSource(api, custom, (cardId) => gone.push(cardId));
	let events: IDataObject[];
	if (isOne) {
		const path = `${cardPath(item.get(cardId))}/financial-events`;
		const all = await api.listUnpaginated(path, { custom }, eventSchema);
		events = selectEvents(all, choice).filter(range ? createdIn(range).passes : () => true);
	} else if (range !== undefined && range.from > -Infinity)
		events = await newestEvents(source, { ...range, choice, limit });
	else {
		throw new UserError(
			'Cards: All needs a Period or "Created From"',
			'Add the filter "Created From": the node has to know how far back to read.',
		);
	}
	for (const [field, count] of Object.entries(unread))
		if (count > 0) api.report(unreadable(field, count));
	if (gone.length > 0)
		api.report(
			`Events are missing: the API has transactions of these cards, but not the cards themselves: ${gone.join(', ')}.`,
			'warning',
		);
	return events;
}

const withCard = {
	...includeCard,
	description:
		'Whether to add cardName and cardLastFour (default: on if Cards is All). The node lists the cards once per run, which needs card management.',
};

const options = moreOptions([withCard, everyApproval, customQuery]);

/** GET /cards/{card-id}/financial-events (§4.6). */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many card events',
	description: 'List purchases, declines, refunds and reversals',
	effect: 'read',
	// The default: simplified.
	returns: simpleSchema,
	fields: [...scope, ...returnAllOrLimit, simplifyEvents, chosen, options],
	async run(api, item) {
		const limit = readLimit(item);
		const simplifies = item.get(simplifyEvents);
		const events = api.cut(await readEvents(api, item, options, limit), limit);
		const isNamed = item.get(options)(withCard) ?? item.get(cardScope) === 'all';
		const includes = isNamed && events.length > 0;
		const nameCard = includes ? await nameCards(api, api.report) : undefined;
		return events.map((event) => toReadable({ ...nameCard?.(event), ...event }, simplifies));
	},
};

const countOptions = moreOptions([everyApproval, customQuery]);

/** Counts what {@link getAll} lists, and adds up its amounts: exactly, whatever their direction. */
export const count: Operation = {
	value: 'count',
	name: 'Count',
	action: 'Count card events',
	description: 'Count events, and add up all their amounts. The sum is not the spend.',
	effect: 'read',
	returns: countSchema,
	fields: [...scope, chosen, countOptions],
	async run(api, item) {
		const events = await readEvents(api, item, countOptions, Infinity);
		const sums = new Map<string, bigint>();
		let unclear = 0;
		for (const { amount, currency } of events) {
			const decimal = toDecimal(amount);
			const code = toText(currency)?.toUpperCase() ?? '';
			if (decimal === undefined || code === '') unclear++;
			else sums.set(code, (sums.get(code) ?? 0n) + decimal);
		}
		if (unclear > 0)
			api.report(`The sums leave out events without a clear amount and currency: ${unclear}.`);
		const entries = [...sums].map(([code, sum]) => [code, toDecimalString(sum)] as const);
		return { count: events.length, sums: Object.fromEntries(entries) };
	},
};
