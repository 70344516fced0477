import type { INodeParameters } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { RESOURCES } from '../../nodes/CardPlatform/actions/table';
import { CardPlatformPollingTrigger } from '../../nodes/CardPlatform/CardPlatformPollingTrigger.node';
import { CardPlatformTrigger } from '../../nodes/CardPlatform/CardPlatformTrigger.node';
import { triggerFilters } from '../../nodes/CardPlatform/events/fields';
import { parsePollingOptions } from '../../nodes/CardPlatform/polling/fields';
import { parseTriggerFilters } from '../../nodes/CardPlatform/webhook/properties';
import { parseOptions } from '../../nodes/CardPlatform/webhook/properties';
import { expectRefused, useFakeClock } from '../support/execute';
import { parametersOf } from '../support/operations';
import { userErrorOf } from '../support/userErrorOf';

// Filters, Options or Sort as one expression, which only a file or a model writes: n8n drops what it says.

useFakeClock();

const collections = RESOURCES.flatMap(({ value, operations }) =>
	operations.flatMap(({ value: operation, fields }) =>
		fields
			.filter(({ type }) => type === 'collection')
			.map(({ name, displayName }) => [`${value}/${operation}`, name, displayName] as const),
	),
);

test.each(collections)('%s: %s as one expression is refused', async (operation, name, label) => {
	for (const value of ['={{ {"status": ["frozen"]} }}', '={{ $json.filters }}', 'frozen', ['x']]) {
		const parameters = parametersOf(operation, { [name]: value });
		const error = await expectRefused(parameters, `${label} is set by one expression`);
		expect(error?.description).toContain('Each field can have an expression');
	}
});

test.each([new CardPlatformTrigger(), new CardPlatformPollingTrigger()])(
	'so it is in a trigger',
	({ description }) => {
		const complete = (parameters: INodeParameters) => {
			const node = {
				...{ id: '', name: '', type: '', typeVersion: 2 },
				position: [0, 0] as [0, 0],
			};
			const { properties } = description;
			const given = { ...node, parameters };
			return NodeHelpers.getNodeParameters(properties, parameters, true, false, given, description);
		};
		const filters = (value: string | object) =>
			triggerFilters.parse(complete({ filters: value } as INodeParameters)?.filters, 'Filters', '');
		expect(userErrorOf(() => filters('={{ $json.filters }}')).message).toContain('one expression');
		expect(() => filters({ currencies: 'USD' })).not.toThrow();
	},
);

test('its filters and options are named', () => {
	expect(() => parseTriggerFilters('x', 'all', false)).toThrow('Filters is set by one');
	for (const parse of [parseOptions, parsePollingOptions])
		expect(() => parse('x')).toThrow('Options is set by one');
});
