import type { IDataObject } from 'n8n-workflow';

import { eventSchema } from '../../api/event';
import { choice, type Field, flag } from '../../api/field';
import { createdIn } from '../../api/recordFilter';
import { UserError } from '../../api/userError';
import { createSource, newestEvents } from '../../events/cardEvents';
import { ALL, parseEventTypes, selectEvents } from '../../events/eventTypes';
import { FILTERS, parseEventFilters } from '../../events/filters';
import { eventTypes, everyApproval } from '../../events/form';
import { cardId, customQuery, filters, moreOptions, readLimit, returnAllOrLimit } from '../fields';
import { createdBetween, period, readPeriod } from '../listFilters';
import type { Operation } from '../operation';

/** The fields of a simplified event: n8n's guidelines want at most ten of its 19 (§2). */
const mainSchema = eventSchema.pick({
	id: true,
	transactionId: true,
	cardId: true,
	amount: true,
	amountDirection: true,
	currency: true,
	isSuccess: true,
	isReversal: true,
	createdAt: true,
	merchantName: true,
});

const simplified = (event: IDataObject) =>
	Object.fromEntries(Object.keys(mainSchema.shape).map((name) => [name, event[name]]));

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
	hint: 'When on, leaves out issues, category, MCC and country, for example. Filters see all fields.',
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

const options = moreOptions([customQuery, everyApproval]);

/** GET /cards/{card-id}/financial-events (§4.6), of one card or of those with transactions (§4.8). */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many card events',
	description: 'List purchases, declines, refunds and reversals',
	effect: 'read',
	// Simplified, as by default.
	returns: mainSchema,
	fields: [
		cardScope,
		{ ...cardId, displayOptions: { show: { cardScope: ['one'] } } },
		...returnAllOrLimit,
		simplify,
		chosen,
		options,
	],
	async run(api, item) {
		const find = item.get(chosen);
		const option = item.get(options);
		const all = parseEventFilters(find);
		const every = option(everyApproval) ?? false;
		const choice = parseEventTypes(find(types) ?? ALL, 'Event Types', every, all);
		const custom = option(customQuery);
		const range = readPeriod(item, find);
		const limit = readLimit(item);
		const simplifies = item.get(simplify);

		const ofOne = async (id: string) => {
			const path = `/cards/${id}/financial-events`;
			const events = await api.listUnpaginated(path, { custom }, eventSchema);
			return selectEvents(events, choice).filter(range ? createdIn(range).passes : () => true);
		};
		const ofAll = async () => {
			if (range !== undefined && range.from > -Infinity)
				return await newestEvents(createSource(api, custom), { ...range, choice, limit });
			throw new UserError(
				'No period is chosen for the events of all cards',
				'Add the filter "Period" or "Created From": for all cards, the node needs to know how far back to read.',
			);
		};
		const isOne = item.get(cardScope) === 'one';
		const events = api.cut(isOne ? await ofOne(item.get(cardId)) : await ofAll(), limit);
		return simplifies ? events.map(simplified) : events;
	},
};
