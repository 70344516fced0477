import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { RESOURCES } from '../../nodes/CardPlatform/actions/table';
import { pollingProperties } from '../../nodes/CardPlatform/polling/fields';
import { parsePollingOptions } from '../../nodes/CardPlatform/polling/fields';
import { parseTriggerFilters } from '../../nodes/CardPlatform/webhook/properties';
import { parseOptions, triggerProperties } from '../../nodes/CardPlatform/webhook/properties';
import { execute, useFakeClock } from '../support/execute';
import { fakeApi } from '../support/fakeApi';
import { FILLED } from '../support/operations';
import { userErrorOf } from '../support/userErrorOf';

// What a person added and what has no value for an item is an error that names it, in every form: without it,
// the records of all would come, and the next node may archive them.

useFakeClock();

const EMPTY = [
	'',
	' \n',
	[],
	'={{ undefined }}',
	'={{ null }}',
	'={{ $json.employee }}',
	'={{ [] }}',
];

/** All but what n8n makes of one expression: filters/oneExpression.test.ts. */
const isProperty = (entry: object): entry is INodeProperties =>
	'displayName' in entry && 'type' in entry && entry.displayName !== 'Unsupported Expression';

const entriesOf = ({ options = [] }: Pick<INodeProperties, 'options'>) =>
	options.filter(isProperty);

/** Every entry of every collection of the action node. */
const entries = RESOURCES.flatMap(({ value: resource, operations }) =>
	operations.flatMap(({ value: operation, fields }) =>
		fields
			.filter(({ type }) => type === 'collection')
			.flatMap((field) =>
				entriesOf(field).map((entry) => ({ resource, operation, collection: field.name, entry })),
			),
	),
);

const nameOf = ({ resource, operation, entry }: (typeof entries)[number]) =>
	`${resource}/${operation}: ${entry.displayName}`;

async function refusalOf(parameters: INodeParameters) {
	const api = fakeApi(() => ({ body: [] }));
	const { error } = await execute(api, parameters, {
		items: [{ other: 'field' }],
		credential: { accountId: '1001' },
	});
	expect(api.requests).toEqual([]);
	return { message: error?.message, description: error?.description };
}

const messageOf = async (parameters: INodeParameters) => (await refusalOf(parameters)).message;

test.each(entries.map((each) => [nameOf(each), each] as const))('%s', async (_name, given) => {
	const { resource, operation, collection, entry } = given;
	// The events of all cards have more filters.
	const base = { ...FILLED, cardScope: 'all', returnAll: true, resource, operation };
	const values =
		entry.type === 'resourceLocator'
			? [...EMPTY, ...EMPTY.map((value) => ({ __rl: true, mode: 'id', value }))]
			: EMPTY;
	for (const value of values) {
		const message = await messageOf({ ...base, [collection]: { [entry.name]: value } });
		expect([value, message]).toEqual([value, `${entry.displayName} is empty`]);
	}
});

test.each([
	['returnAll', 'Return All', { resource: 'card', operation: 'getAll' }],
	['limit', 'Limit', { resource: 'card', operation: 'getAll', returnAll: false }],
	['cardScope', 'Cards', { resource: 'cardEvent', operation: 'getAll' }],
	['type', 'Type', { resource: 'card', operation: 'create' }],
	['period', 'Period', { resource: 'payment', operation: 'getAll' }],
	['from', 'Due From', { resource: 'payment', operation: 'getAll', period: 'custom' }],
	['period', 'Period', { resource: 'cardEvent', operation: 'count', cardScope: 'all' }],
])('the field %s', async (name, label, parameters) => {
	for (const value of ['={{ undefined }}', '={{ null }}', '={{ $json.employee }}']) {
		const message = await messageOf({ ...FILLED, ...parameters, [name]: value });
		expect(message).toBe(`${label} is empty`);
	}
});

describe('parts of a field', () => {
	const card = { ...FILLED, resource: 'card', operation: 'create' };
	const TEAM = 'Custom Fields: "team" is empty';

	test.each<[string, INodeParameters, string]>([
		['a limit that was not set', { limit: {} }, 'Limit is empty'],
		['no amount', { limit: { value: { amount: '', type: 'monthly' } } }, 'Limit Amount is empty'],
		['no type', { limit: { value: { amount: '5', type: '={{ null }}' } } }, 'Limit Type is empty'],
		['no custom field', { customFields: {} }, 'Custom Fields is empty'],
		['JSON as n8n adds it', { customFields: '{}' }, 'Custom Fields is empty'],
		['blank JSON', { customFields: '' }, 'Custom Fields is empty'],
		['JSON with blanks', { customFields: '={"team": "{{ $json.team }}"}' }, TEAM],
		['JSON with null', { customFields: '={{ JSON.stringify({ team: null }) }}' }, TEAM],
		['JSON with an empty list', { customFields: '={{ JSON.stringify({ team: [] }) }}' }, TEAM],
		['an object with null', { customFields: '={{ ({ team: null }) }}' }, TEAM],
		['an object without the value', { customFields: '={{ ({ team: $json.team }) }}' }, TEAM],
	])('%s', async (_name, additionalFields, says) => {
		const { message, description } = await refusalOf({ ...card, additionalFields });
		expect(message).toBe(says);
		// A limit has both or is removed as a whole.
		const isOptional = !/^Limit (Amount|Type)/.test(says);
		expect(description?.includes('or remove the field')).toBe(isOptional);
	});

	const pairs = [{ name: 'team', value: '={{ $json.team }}' }];
	const list = (resource: string, filters: INodeParameters): INodeParameters => {
		return { ...FILLED, cardScope: 'all', resource, operation: 'getAll', filters };
	};

	test.each<[INodeParameters, string]>([
		...[' , ', '={{ $json.home }}, USD', '={{ ["", "USD"] }}', 'USD,'].map(
			(currencies): [INodeParameters, string] => [
				list('transaction', { currencies }),
				'Currencies has an empty entry: ',
			],
		),
		[list('card', { status: '={{ "Active" }}' }), 'Status has an invalid value: "Active"'],
		[list('transaction', { status: 'undefined' }), 'Status has an invalid value: "undefined"'],
		[list('cardEvent', { excludeMerchantCountries: '={{ NaN }}' }), 'is not a list: null'],
		[list('cardEvent', { merchantName: '={{ NaN }}' }), 'Merchant Name is not a string: null'],
		// Without the mark of a resource locator.
		[list('transaction', { cardId: { mode: 'list', value: '' } }), 'Card is empty'],
		[
			{ ...list('transaction', {}), options: { customQuery: { pairs } } },
			'Custom Query Parameters: "team" is empty',
		],
	])('%j: %s', async (parameters, says) => {
		expect(await messageOf(parameters)).toContain(says);
	});
});

describe('triggers', () => {
	const VALUES = ['', ' \n', [], undefined, null];
	const entriesIn = (properties: INodeProperties[], name: string) =>
		properties.filter((each) => each.name === name).flatMap(entriesOf);

	const forms: [string, INodeProperties[], string, (values: object) => unknown][] = [
		['filter', triggerProperties, 'filters', (each) => parseTriggerFilters(each, ['all'], false)],
		['option', triggerProperties, 'options', parseOptions],
		['option of polls', pollingProperties, 'options', parsePollingOptions],
	];
	const all = forms.flatMap(([kind, properties, collection, read]) =>
		entriesIn(properties, collection).map(({ name, displayName }) => ({
			...{ kind, name, displayName, read },
		})),
	);

	const triggerOn = {
		...{ kind: 'field', name: 'events', displayName: 'Trigger On' },
		read: ({ events }: { events?: unknown }) => parseTriggerFilters({}, events, false),
	};

	test.each([...all, triggerOn])('the $kind $displayName', ({ name, displayName, read }) => {
		for (const value of VALUES) {
			const { message } = userErrorOf(() => read({ [name]: value }));
			expect(message).toBe(`${displayName} is empty`);
		}
	});
});
