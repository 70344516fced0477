import { type IBuilderHint, type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import { toOptions } from '../api/field';
import { notice } from './fields';
import type { Resource } from './operation';

function operationSelector({ value, initial, operations }: Resource): INodeProperties {
	const selected = initial?.value ?? '';
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: toOptions(operations),
		default: selected,
	};
}

/**
 * Tells n8n's AI workflow builder what each operation does. Of several operations with one name, such as Get, n8n
 * would show the description of the first for all.
 */
export const toTypeHints = (resources: Resource[]): IBuilderHint['extraTypeDefContent'] =>
	resources.flatMap((resource) =>
		resource.operations.map((operation) => ({
			content: `${operation.action}. ${operation.description}`,
			displayOptions: { show: { resource: [resource.value], operation: [operation.value] } },
		})),
	);

/** Makes the form of the action node from the table of operations. */
export function toProperties(resources: Resource[], selected: string): INodeProperties[] {
	return [
		{
			...notice(
				'toolNotice',
				'Choose a credential with "Read Only" on, unless a person approves each action.',
			),
			displayOptions: { show: { '@tool': [true] } },
		},
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: toOptions(resources),
			default: selected,
		},
		...resources.map(operationSelector),
		...resources.flatMap((resource) =>
			resource.operations.flatMap(({ value: operation, fields }) => {
				const show = { resource: [resource.value], operation: [operation] };
				return updateDisplayOptions({ show }, fields);
			}),
		),
	];
}
