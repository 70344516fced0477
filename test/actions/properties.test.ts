import { type INode, type INodeParameters, type INodeProperties, NodeHelpers } from 'n8n-workflow';

import { createNode } from '../../dev/harness/core/credentials.ts';
import { RESOURCES } from '../../nodes/CardPlatform/actions/table';
import { CardPlatform } from '../../nodes/CardPlatform/CardPlatform.node';
import { execute, useFakeClock } from '../support/execute';
import { fakeApi } from '../support/fakeApi';
import { FILLED, succeed } from '../support/operations';
import { createTriggerWorkflow } from '../support/trigger';

useFakeClock();

const { description } = new CardPlatform();

const nodeOf = (parameters: INodeParameters): INode => createNode('cardPlatform', parameters);

const parametersOf = (parameters: INodeParameters, withDefaults: boolean): INodeParameters =>
	NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		withDefaults,
		false,
		nodeOf(parameters),
		description,
	) ?? {};

/** All parameters of a node, as n8n completes them before it checks and runs it. */
const complete = (parameters: INodeParameters) => parametersOf(parameters, true);

/** The parameters of a node as n8n saves them: defaults are left out. */
const saved = (parameters: INodeParameters) => parametersOf(parameters, false);

/** What n8n finds wrong with a node's parameters, by their names. */
const issuesOf = (parameters: INodeParameters) =>
	NodeHelpers.getNodeParametersIssues(description.properties, nodeOf(parameters), description)
		?.parameters ?? {};

const requiredOf = (fields: INodeProperties[]) =>
	fields.filter(({ required }) => required === true);

const operations = RESOURCES.flatMap(({ value: resource, operations: each }) =>
	each.map(({ value: operation, fields }) => ({
		resource,
		operation,
		fields,
		name: `${resource}/${operation}`,
		/** With a custom period, the two days are required. */
		chosen: { resource, operation, ...(resource === 'payment' && { period: 'custom' }) },
	})),
);

test.each(RESOURCES)(
	'$name starts with an operation that only reads',
	({ initial, operations: own }) => {
		const reads = own.filter(({ effect }) => effect === 'read');
		if (initial === undefined) expect(reads).toEqual([]);
		else expect(reads).toContain(initial);
	},
);

const demanding = operations.filter(({ fields }) => requiredOf(fields).length > 0);

test.each(operations)(
	'$name: the fields that it cannot do without are required, and no others',
	async ({ chosen, fields }) => {
		const parameters = complete(chosen);
		const missing = new Set<string>();
		while (missing.size < fields.length) {
			const { error } = await execute(fakeApi(succeed), parameters);
			const empty = fields.find(({ displayName }) => error?.message === `${displayName} is empty`);
			if (empty === undefined) break;
			missing.add(empty.name);
			parameters[empty.name] = FILLED[empty.name as keyof typeof FILLED];
		}
		expect(missing).toEqual(new Set(requiredOf(fields).map(({ name }) => name)));
	},
);

test.each(operations)('$name: shows each of its fields once', ({ chosen, fields }) => {
	const parameters = complete(chosen);
	const shown = description.properties.filter((property) =>
		NodeHelpers.displayParameter(parameters, property, nodeOf(parameters), description),
	);
	const labels = shown.map(({ displayName }) => displayName);
	// The default is one card, and a limit.
	const isHidden = ({ displayOptions: { show = {} } = {} }: INodeProperties) =>
		Object.entries(show).some(([name, values = []]) => values[0] !== parameters[name]);
	const shownFirst = fields.filter((field) => !isHidden(field));
	expect(labels).toEqual([
		'Resource',
		'Operation',
		...shownFirst.map(({ displayName }) => displayName),
	]);
});

test.each([
	['getAll', 'cardEvent', 'Get Many: Card Event'],
	['getSensitiveDetails', 'card', 'Get Sensitive Details: Card'],
	['get', 'balance', 'Get: Balance'],
])('the subtitle of %s, %s is: %s', (operation, resource, subtitle) => {
	const node = createNode('cardPlatform', { resource, operation });
	const { expression } = createTriggerWorkflow(node);
	const template = description.subtitle ?? '';
	expect(expression.getSimpleParameterValue(node, template, 'internal', {})).toBe(subtitle);
});

describe.each(demanding)('$name', ({ chosen, fields }) => {
	const required = requiredOf(fields);
	test('filled, or with expressions: n8n finds nothing', () => {
		expect(issuesOf({ ...FILLED, ...chosen })).toEqual({});
		const value = '={{ $json.id }}';
		const expressions: INodeParameters = Object.fromEntries(
			required.map(({ name, type }) => [
				name,
				type === 'resourceLocator' ? { __rl: true, mode: 'id', value } : value,
			]),
		);
		expect(issuesOf({ ...expressions, ...chosen })).toEqual({});
	});
});

const switches = description.properties
	.filter(({ type }) => type === 'collection')
	.flatMap(({ name: collection, displayOptions, options = [] }) =>
		options.flatMap((entry) =>
			'type' in entry && entry.type === 'boolean'
				? [{ collection, entry, shown: displayOptions?.show }]
				: [],
		),
	);

test.each(switches)('$entry.displayName: adding it means yes', ({ collection, entry, shown }) => {
	const node = {
		resource: shown?.resource?.[0],
		operation: shown?.operation?.[0],
	} as INodeParameters;
	const added = { ...node, [collection]: { [entry.name]: entry.default } };
	expect(saved(added)).toMatchObject({ [collection]: { [entry.name]: true } });
	// Without it, n8n does not add the default.
	expect(complete({ ...node, [collection]: {} })[collection]).toEqual({});
});

test('Card Event requires no card for all cards', () => {
	const events = { resource: 'cardEvent', operation: 'getAll' };
	expect(issuesOf({ ...events, cardScope: 'all' })).toEqual({});
	// A model may choose: then the card stays.
	const cardScope = "={{ $fromAI('cards') }}";
	expect(complete({ ...FILLED, ...events, cardScope })).toMatchObject({ cardId: FILLED.cardId });
});

test('a tool says which credential to choose', () => {
	const [notice] = description.properties.filter(({ name }) => name === 'toolNotice');
	const isShown = (name: string) =>
		notice !== undefined &&
		NodeHelpers.displayParameter({}, notice, nodeOf({}), { ...description, name });
	expect(notice?.displayName).toContain('Choose a credential with "Read Only" on');
	expect([description.name, `${description.name}Tool`].map(isShown)).toEqual([false, true]);
});

test('risky operations have a notice above their fields', () => {
	const noticed = operations.filter(({ fields }) => fields[0]?.type === 'notice');
	expect(noticed.map(({ name }) => name)).toEqual([
		'account/transfer',
		'card/archive',
		'card/create',
		'card/getSensitiveDetails',
	]);
});
