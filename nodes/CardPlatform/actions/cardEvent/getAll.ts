import type { IDataObject } from 'n8n-workflow';

import { notOffered } from '../../api/collection';
import { eventSchema, timeOf } from '../../api/event';
import { UserError } from '../../api/userError';
import { emptyField, isBlank, toList } from '../../api/values';
import { newestEvents } from '../../cardEvents/newestEvents';
import { createSource } from '../../cardEvents/source';
import { ALL, type EventChoice, parseEventTypes, selectEvents } from '../../events/eventTypes';
import { parseEventFilters } from '../../events/filters';
import { eventFilters, eventTypes, everyApproval } from '../../events/form';
import type { Api } from '../../transport/client';
import { cardId, customQuery, filters, moreOptions, returnAllOrLimit } from '../fields';
import { createdBetween, period, readPeriod } from '../listFilters';
import type { Operation } from '../operation';
import type { Collection, ItemParameters } from '../parameters';

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

const pick = (event: IDataObject, names: readonly string[]) =>
	Object.fromEntries(names.map((name) => [name, event[name]]));

const FIELDS = Object.keys(eventSchema.shape);

/** The fields that a tool returns of each event; undefined for all. */
function readFields(item: ItemParameters): readonly string[] | undefined {
	const output = item.oneOf('output', item.flag('simplify', true) ? 'simplified' : 'raw');
	if (output !== 'selected') return output === 'raw' ? undefined : MAIN_FIELDS;
	const chosen: unknown = item.context.getNodeParameter('fields', item.index, []);
	if (isBlank(chosen)) throw emptyField('Fields');
	const names = toList(chosen, 'Fields', 'names of fields');
	const unknown = names.find((name) => !FIELDS.includes(name));
	if (unknown !== undefined) throw notOffered('Fields', unknown, FIELDS);
	return names;
}

/** The period, in milliseconds since 1970: its start is included, its end is not. */
function toPeriod(item: ItemParameters, chosen: Collection): { from: number; to: number } {
	return readPeriod(item, chosen) ?? { from: -Infinity, to: Infinity };
}

/** What a person chose. */
interface Query {
	period: { from: number; to: number };
	choice: EventChoice;
	limit: number;
	custom: Record<string, string>;
	everyCard: boolean;
}

async function eventsOfOne(api: Api, id: string, { period, choice, limit, custom }: Query) {
	const path = `/cards/${id}/financial-events`;
	const expected = { schema: eventSchema, name: 'a list of events' };
	const events = await api.listUnpaginated(path, { custom }, expected);
	const { from, to } = period;
	const isInPeriod = (event: IDataObject) => {
		const time = timeOf(event);
		return (from === -Infinity && to === Infinity) || (time >= from && time < to);
	};
	return api.cut(selectEvents(events, choice).filter(isInPeriod), limit);
}

async function eventsOfAll(api: Api, { period, choice, limit, custom, everyCard }: Query) {
	if (period.from > -Infinity) {
		const query = { ...period, choice, limit, everyCard };
		return api.cut(await newestEvents(createSource(api, custom), query), limit);
	}
	throw new UserError(
		'No period is chosen for the events of all cards',
		'Add the filter "Period" or "Created After": for all cards, the node needs to know how far back to read.',
	);
}

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
					description: 'The events of all cards. Needs the filter Period or Created After.',
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
			displayOptions: { hide: { '@tool': [true] } },
			default: true,
			description: 'Whether to return a simplified version of the response instead of the raw data',
			hint: 'When on, leaves out issues, category, MCC and country, for example. Filters see all fields.',
		},
		// In place of Simplify, n8n's guidelines want these for tools.
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			displayOptions: { show: { '@tool': [true] } },
			options: [
				{ name: 'Raw', value: 'raw', description: 'All fields' },
				{ name: 'Selected Fields', value: 'selected', description: 'The fields that you choose' },
				{
					name: 'Simplified',
					value: 'simplified',
					description: 'The ten main fields, without issues, category, MCC and country',
				},
			],
			default: 'simplified',
			description: 'Which fields of each event the model gets',
		},
		{
			displayName: 'Fields',
			name: 'fields',
			type: 'multiOptions',
			required: true,
			displayOptions: { show: { '@tool': [true], output: ['selected'] } },
			options: FIELDS.map((name) => ({ name, value: name })),
			default: [],
			description: 'The fields of each event that the model gets',
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
		moreOptions([
			customQuery,
			everyApproval,
			{
				displayName: 'Include Cards Without Transactions',
				name: 'includeCardsWithoutTransactions',
				type: 'boolean',
				displayOptions: { show: { '/cardScope': ['all'] } },
				default: false,
				description:
					'Whether to also read the events of cards that have no transaction in the period. Finds an event whose transaction is missing, but needs one request for each card.',
			},
		]),
	],
	async run(api, item) {
		const chosen = item.collection('filters');
		const period = toPeriod(item, chosen);
		const options = item.collection('options');
		const { events: types = ALL } = chosen.values;
		const all = parseEventFilters(chosen.values);
		const choice = parseEventTypes(types, 'Event Types', options.flag('everyApproval'), all);
		const custom = options.stringMap('customQuery');
		const everyCard = options.flag('includeCardsWithoutTransactions');
		const query = { period, choice, custom, everyCard, limit: item.limit() };
		const scope = item.oneOf('cardScope', 'one');
		const names = readFields(item);
		const events =
			scope === 'one'
				? await eventsOfOne(api, item.cardId(), query)
				: await eventsOfAll(api, query);
		return names === undefined ? events : events.map((event) => pick(event, names));
	},
};
