import { type CardFinancialEvent, eventSchema } from '../../api/event';
import { eventFilters, eventTypes, parseEventFilter } from '../../events/filter';
import { cardId, customQuery, filters, moreOptions, returnAllOrLimit } from '../fields';
import type { Operation } from '../operation';

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

const simplify = (event: CardFinancialEvent) =>
	Object.fromEntries(MAIN_FIELDS.map((name) => [name, event[name]]));

/** GET /cards/{card-id}/financial-events (§4.6). */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many card events',
	description:
		'List the financial events of a card, newest first: authorizations, declines, reversals, refunds',
	effect: 'read',
	fields: [
		cardId,
		...returnAllOrLimit,
		{
			displayName: 'Simplify',
			name: 'simplify',
			type: 'boolean',
			default: false,
			description: 'Whether to return a simplified version of the response instead of the raw data',
		},
		filters([
			...eventFilters.filter(({ name }) => name !== 'cardIds'),
			{
				...eventTypes,
				required: false,
				displayName: 'Event Types',
				description: 'Return only events of these types',
			},
		]),
		moreOptions([customQuery]),
	],
	async run(api, item) {
		const path = `/cards/${item.cardId()}/financial-events`;
		const { events: types, ...values } = item.collection('filters').values;
		const passes = parseEventFilter(values, types, 'Event Types');
		const custom = item.collection('options').stringMap('customQuery', 'Custom Query Parameters');
		const limit = item.limit();
		const expected = { schema: eventSchema, name: 'a list of events' };
		const items = await api.listUnpaginated(path, { custom }, expected);
		const events = items.filter(passes).slice(0, limit);
		return item.flag('simplify') ? events.map(simplify) : events;
	},
};
