import { type CardFinancialEvent, eventSchema } from '../../api/event';
import { matchesEvent, parseEventFilter } from '../../api/eventFilter';
import { eventFilterOptions, eventKinds } from '../../api/eventFilterFields';
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
			...eventFilterOptions.filter(({ name }) => name !== 'cardIds'),
			{
				...eventKinds,
				required: false,
				displayName: 'Kinds of Events',
				description: 'Return only events of these types',
			},
		]),
		moreOptions([customQuery]),
	],
	async run(api, item) {
		const path = `/cards/${item.uuid('cardId', 'Card')}/financial-events`;
		const { events: kinds, ...values } = item.collection('filters').values;
		const filter = parseEventFilter(values, kinds);
		const custom = item.collection('options').namedTexts('customQuery', 'Custom Query Parameters');
		const limit = item.limit();
		const expected = { schema: eventSchema, name: 'a list of events' };
		const items = await api.whole(path, { custom }, expected);
		const events = items.filter((event) => matchesEvent(filter, event)).slice(0, limit);
		return item.flag('simplify') ? events.map(simplify) : events;
	},
};
