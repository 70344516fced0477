import type { ICredentialType, INodeProperties } from 'n8n-workflow';

import { CardPlatformApi } from '../../credentials/CardPlatformApi.credentials.ts';
import { CardPlatformWebhookApi } from '../../credentials/CardPlatformWebhookApi.credentials.ts';
import { RESOURCES } from '../../nodes/CardPlatform/actions/table.ts';
import { RESPONSES } from '../../nodes/CardPlatform/webhook/rejections.ts';
import type { Table } from './page.ts';

const operations: Table = {
	head: ['Operation', 'Action', 'What it does'],
	rows: RESOURCES.flatMap((resource) =>
		resource.operations.map((operation) => [
			`${resource.name}: ${operation.name}`,
			operation.action,
			operation.description,
		]),
	),
};

/** A field's name, after the name of the field that shows it. */
function nameOf({ displayName, displayOptions }: INodeProperties, fields: INodeProperties[]) {
	const [shownBy] = Object.keys(displayOptions?.show ?? {});
	const parent = fields.find(({ name }) => name === shownBy);
	return parent === undefined ? displayName : `${parent.displayName} → ${displayName}`;
}

function defaultOf({ required, default: value, options = [] }: INodeProperties): string {
	if (required === true) return 'required';
	const chosen = options.find((option) => 'value' in option && option.value === value);
	if (chosen !== undefined) return chosen.name;
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	if (value === '') return '–';
	return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

/** The description of a switch only repeats its hint, in the words that n8n prescribes. */
const textOf = ({ hint, description, type }: INodeProperties) =>
	[hint, type === 'boolean' ? undefined : description]
		.filter((text) => text !== undefined)
		.map((text) => text.replace(/([^.])$/, '$1.'))
		.join(' ');

const fieldsOf = ({ properties }: ICredentialType): Table => ({
	head: ['Field', 'Default', 'What it does'],
	rows: properties.map((field) => [nameOf(field, properties), defaultOf(field), textOf(field)]),
});

const responses: Table = {
	head: ['Reason', 'Status', 'Option to change', 'When'],
	rows: Object.entries<{ status: number; option?: string }>(RESPONSES).map(
		([reason, { status, option = '–' }]) => [`\`${reason}\``, String(status), option, undefined],
	),
};

/** The tables of the documents that are made from the code, by file and by the name in their marks. */
export const TABLES: Record<string, Record<string, Table>> = {
	'docs/operations.md': { operations },
	'docs/credentials.md': {
		'Card Platform API': fieldsOf(new CardPlatformApi()),
		'Card Platform Webhook API': fieldsOf(new CardPlatformWebhookApi()),
	},
	'docs/webhooks.md': { responses },
};
