import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import type { Effect } from '../transport/retry';
import type { Operation, Resource } from './operation';

/**
 * The action of an operation with its risk, e.g. "Freeze a card (changes live data)". n8n shows it in
 * the list of actions, names new nodes by it, and describes tools to models by it.
 */
export function toAction({ action, effect, risk }: Operation): string {
	const shown = risk ?? (effect === 'read' ? undefined : 'changes live data');
	return shown === undefined ? action : `${action} (${shown})`;
}

/** What a person has to know of an effect. */
const WARNINGS: Record<Effect, string> = {
	read: '',
	repeatable: ' Changes live data. Repeating it changes nothing more.',
	ordered: ' Changes live data.',
	once: ' Changes live data. Not safe to repeat.',
};

/**
 * The form offers no expressions for resource and operation, as n8n demands of verified nodes, but a
 * workflow file may hold them. n8n takes the "=" off such an expression, and would drop the values
 * of all fields that are not shown.
 */
const IS_EXPRESSION = { _cnd: { includes: '{{' } };

const describe = ({ description, effect }: Operation) =>
	`${description}${WARNINGS[effect] && `.${WARNINGS[effect]}`}`;

function operationSelector({ value, initial, operations }: Resource): INodeProperties {
	const selected = initial?.value ?? '';
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value, IS_EXPRESSION] } },
		options: operations.map((each) => ({
			name: each.name,
			value: each.value,
			action: toAction(each),
			description: describe(each),
		})),
		default: selected,
	};
}

/**
 * Makes the form of the action node out of the table of operations.
 *
 * @param resources in the order of the form
 * @param selected the resource that a new node starts with
 */
export function toProperties(resources: Resource[], selected: string): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ name, value }) => ({ name, value })),
			default: selected,
		},
		...resources.map(operationSelector),
		...resources.flatMap((resource) =>
			resource.operations.flatMap(({ value, fields }) =>
				updateDisplayOptions(
					{
						show: { resource: [resource.value, IS_EXPRESSION], operation: [value, IS_EXPRESSION] },
					},
					fields,
				),
			),
		),
	];
}
