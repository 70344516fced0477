import type { IDataObject } from 'n8n-workflow';

import { eventSchema } from '../../api/event';
import { createdIn } from '../../api/recordFilter';
import { UserError } from '../../api/userError';
import { createSource, newestEvents } from '../../events/cardEvents';
import { ALL, parseEventTypes, selectEvents } from '../../events/eventTypes';
import { parseEventFilters } from '../../events/filters';
import { eventFilters, eventTypes, everyApproval } from '../../events/form';
import { cardId, customQuery, filters, moreOptions, returnAllOrLimit } from '../fields';
import { createdBetween, period, readPeriod } from '../listFilters';
import type { Operation } from '../operation';

/** The fields of a simplified event: n8n's guidelines want at most ten of its 19 (§2). */
const MAIN_FIELDS = [
	'id',
	'transactionId',
	'cardId',
	'amount',
	'amountDirection',
	'currency',
	'isSuccess',
	'isReversal',
	'createdAt',
	'merchantName',
] as const;

const simplified = (event: IDataObject) =>
	Object.fromEntries(MAIN_FIELDS.map((name) => [name, event[name]]));

/** GET /cards/{card-id}/financial-events (§4.6), of one card or of those with transactions (§4.8). */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many card events',
	description: 'List purchases, declines, refunds and reversals',
	effect: 'read',
	fields: [
		{
			displayName: 'Cards',
			name: 'cardScope',
			type: 'options',
			options: [
				{
					name: 'One',
					value: 'one',
					description: 'The events of one card',
				},
				{
					name: 'All',
					value: 'all',
					description: 'The events of all cards. Needs the filter Period or Created From.',
				},
			],
			default: 'one',
			description: 'Whose events to get',
		},
		{ ...cardId, displayOptions: { show: { cardScope: ['one'] } } },
		...returnAllOrLimit,
		{
			displayName: 'Simplify',
			name: 'simplify',
			type: 'boolean',
			default: true,
			description: 'Whether to return a simplified version of the response instead of the raw data',
			hint: 'When on, leaves out issues, category, MCC and country, for example. Filters see all fields.',
		},
		filters([
			...eventFilters.map((field) =>
				field.name === 'cardIds'
					? { ...field, displayOptions: { show: { '/cardScope': ['all'] } } }
					: field,
			),
			...createdBetween,
			{
				...eventTypes,
				required: false,
				displayName: 'Event Types',
				description: 'Return only events of these types',
			},
			period,
		]),
		moreOptions([customQuery, everyApproval]),
	],
	async run(api, item) {
		const chosen = item.collection('filters');
		const options = item.collection('options');
		const { events: types = ALL } = chosen.values;
		const all = parseEventFilters(chosen.values);
		const choice = parseEventTypes(types, 'Event Types', options.flag('everyApproval'), all);
		const custom = options.stringMap('customQuery');
		const range = readPeriod(item, chosen);
		const limit = item.limit();
		const simplify = item.flag('simplify', true);

		const ofOne = async (id: string) => {
			const path = `/cards/${id}/financial-events`;
			const expected = { schema: eventSchema, name: 'a list of events' };
			const events = await api.listUnpaginated(path, { custom }, expected);
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
		const isOne = item.oneOf('cardScope', 'one') === 'one';
		const events = api.cut(isOne ? await ofOne(item.cardId()) : await ofAll(), limit);
		return simplify ? events.map(simplified) : events;
	},
};
