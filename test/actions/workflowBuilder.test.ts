import { generateNodeTypeFile } from '@n8n/workflow-sdk';
import type { INodeType } from 'n8n-workflow';

import { RESOURCES } from '../../nodes/CardPlatform/actions/table';
import { CardPlatform } from '../../nodes/CardPlatform/CardPlatform.node';
import { CardPlatformPollingTrigger } from '../../nodes/CardPlatform/CardPlatformPollingTrigger.node';
import { CardPlatformTrigger } from '../../nodes/CardPlatform/CardPlatformTrigger.node';

type Description = Parameters<typeof generateNodeTypeFile>[0];

/** n8n checks no more of a description before it generates the types. */
const isDescription = (value: object): value is Description & object =>
	'properties' in value && 'group' in value;

/** What n8n's AI workflow builder reads about a node, by n8n's own generator. */
function typesOf({ description }: INodeType): string {
	if (!isDescription(description)) throw new Error('no description');
	return generateNodeTypeFile(description);
}

const actions = typesOf(new CardPlatform());

const operations = RESOURCES.flatMap(({ value: resource, description, operations: each }) =>
	each.map((operation) => ({ resource, about: description, ...operation })),
);

test.each(operations)(
	'$resource $value: its type has its own description',
	({ resource, value, about, description, fields }) => {
		const type = actions
			.split(/^\/\*\* (?=.*\n?export type)/m)
			.find((each) => each.includes(`resource: '${resource}';\n  operation: '${value}';`));
		expect(type?.startsWith(`${about} */`)).toBe(true);
		expect(type).toContain(`. ${description}\n`);
		const isPicked = fields.some(({ name }) => ['cardId', 'transactionId'].includes(name));
		expect(type?.includes('@builderHint Required')).toBe(isPicked);
	},
);

test('the triggers say what a person has to do, and that a purchase has several events', () => {
	expect(typesOf(new CardPlatformTrigger())).toMatch(
		/@builderHint .*new credential with the signing secret of its URL.*once per purchase/,
	);
	expect(typesOf(new CardPlatformPollingTrigger())).toMatch(
		/@builderHint .*One Execution per Event.*once per purchase/,
	);
	expect(actions).toMatch(/@builderHint .*Read Only/);
});
