import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import type { Operation, Resource } from './operation';

/**
 * The action of an operation with its risk, e.g. "Freeze a card (changes live data)". n8n shows it in
 * the list of actions, names new nodes by it, and describes tools to models by it.
 */
export function toAction({ action, effect, risk }: Operation): string {
	const shown = risk ?? (effect === 'read' ? undefined : 'changes live data');
	return shown === undefined ? action : `${action} (${shown})`;
}

/**
 * The form offers no expressions for resource and operation, as n8n demands of verified nodes, but a
 * workflow file may hold them. n8n takes the "=" off such an expression, and would drop the values
 * of all fields that are not shown. What begins with "{{" sorts after every name; unlike `includes`,
 * the comparison does not throw in older versions of n8n where a choice is absent as it is the default.
 */
const IS_EXPRESSION = { _cnd: { gte: '{{' } };

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
			description: each.description,
		})),
		default: selected,
	};
}

/** The choices that show a required field of an operation: each has one value that shows it. */
function choicesOf({ displayOptions }: INodeProperties, resource: string, operation: string) {
	const own = Object.entries(displayOptions?.show ?? {}).flatMap(([name, values = []]) =>
		values.filter((value) => typeof value === 'string').map((value) => [name, value] as const),
	);
	return [['resource', resource] as const, ['operation', operation] as const, ...own];
}

/**
 * A required field, as several properties. Where an expression makes a choice, n8n shows every
 * property that has a `show` rule for it, and would demand the required fields of all operations. So
 * the required one has only `hide` rules, which n8n compares even with an expression. The others, one
 * for each choice, keep the value where an expression makes it; the run then says if it is empty.
 */
function toRequired(
	field: INodeProperties,
	resource: string,
	operation: string,
): INodeProperties[] {
	const choices = choicesOf(field, resource, operation);
	const hide = Object.fromEntries(
		choices.map(([name, value]) => [name, [{ _cnd: { not: value } }]]),
	);
	const optional = choices.map(([expression]) =>
		Object.fromEntries(
			choices.map(([name, value]) => [
				name,
				name === expression ? [IS_EXPRESSION] : [value, IS_EXPRESSION],
			]),
		),
	);
	return [
		{ ...field, displayOptions: { hide } },
		...optional.map((show) => ({ ...field, required: false, displayOptions: { show } })),
	];
}

function toFields(field: INodeProperties, resource: string, operation: string): INodeProperties[] {
	if (field.required === true) return toRequired(field, resource, operation);
	const show = { resource: [resource, IS_EXPRESSION], operation: [operation, IS_EXPRESSION] };
	return updateDisplayOptions({ show }, [field]);
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
				fields.flatMap((field) => toFields(field, resource.value, value)),
			),
		),
	];
}
