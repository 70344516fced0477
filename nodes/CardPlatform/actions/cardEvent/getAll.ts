import { eventSchema } from '../../api/event';
import { matchesEvent, parseEventFilter } from '../../api/eventFilter';
import { eventFilterOptions, eventKinds } from '../../api/eventFilterFields';
import { cardId, customQuery, filters, moreOptions, returnAllOrLimit } from '../fields';
import type { Operation } from '../operation';

/** GET /cards/{card-id}/financial-events (§4.6). */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many events of a card',
	description:
		'List the financial events of a card, newest first: authorizations, declines, reversals, refunds',
	effect: 'read',
	fields: [
		cardId,
		...returnAllOrLimit,
		filters([
			...eventFilterOptions.filter(({ name }) => name !== 'cardIds'),
			{
				...eventKinds,
				displayName: 'Kinds of Events',
				description: 'Return only events of these kinds',
			},
		]),
		moreOptions([customQuery]),
	],
	async run(api, item) {
		const path = `/cards/${item.uuid('cardId', 'Card')}/financial-events`;
		const { events, ...values } = item.collection('filters').values;
		const filter = parseEventFilter(values, events);
		const custom = item.collection('options').namedTexts('customQuery', 'Custom Query Parameters');
		const limit = item.limit();
		const { items } = await api.page(
			path,
			{ custom },
			{ schema: eventSchema, name: 'a list of events' },
		);
		return items.filter((event) => matchesEvent(filter, event)).slice(0, limit);
	},
};
