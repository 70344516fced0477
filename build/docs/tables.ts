import type { ICredentialType, INodeProperties } from 'n8n-workflow';

import { CardPlatformApi } from '../../credentials/CardPlatformApi.credentials.ts';
import { CardPlatformWebhookApi } from '../../credentials/CardPlatformWebhookApi.credentials.ts';
import { RESOURCES } from '../../nodes/CardPlatform/actions/table.ts';
import { readApiConfig } from '../../nodes/CardPlatform/api/config.ts';
import { hintFor } from '../../nodes/CardPlatform/transport/hints.ts';
import { RESPONSES } from '../../nodes/CardPlatform/webhook/responses.ts';
import { collectMessages, type Message } from './messages.ts';
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

const PATHS = ['/cards', '/cards/1', '/cards/1/freeze', '/accounts/1', '/transactions/1'];

const configOf = (keyScope: string) =>
	readApiConfig({ baseUrl: 'https://api.example.com/v1/public', apiKey: 'key', keyScope });

/** Every hint to an error response with this status, in the order of the requests. */
export const hintsTo = (status: number): string[] => [
	...new Set(
		[...PATHS, '/payments', '/health'].flatMap((path) =>
			['account', 'customer'].flatMap((scope) =>
				(['repeatable', 'once'] as const).map((effect) =>
					hintFor(status, { path, effect }, configOf(scope)),
				),
			),
		),
	),
];

/** A status, and how the page names it with others that have the same hints. */
const STATUSES: [status: number, name: string][] = [
	[400, '400'],
	[401, '401'],
	[403, '403'],
	[404, '404'],
	[413, '413'],
	[429, '429'],
	[500, '5xx'],
	[301, '3xx'],
	[418, 'others'],
];

const statuses: Table = {
	head: ['Status', 'Hint'],
	rows: STATUSES.flatMap(([status, name]) => hintsTo(status).map((hint) => [name, hint])),
};

/** The sections of docs/messages.md, each with what its messages have in their file or text. */
const SECTIONS: Record<string, RegExp> = {
	'the credential':
		/credentials\/|api\/(baseUrl|config|parameterNames)|testApi|authorize|query\.ts|The credential/,
	transfers: /actions\/account\//,
	'the polling trigger': /polling\/|PollingTrigger/,
	'the webhook trigger':
		/webhook\/|CardPlatformTrigger|events\/(deduplicate|log|triggerParameters)|withTimeout/,
	'requests and responses': /transport\/|cardEvents\//,
	'fields and lists': /./,
};

// Without those that consist of nothing but what comes from elsewhere.
const messages = collectMessages().filter(({ text }) => /[a-z]/i.test(text));

/** More hints than these belong to the status of a response; what to do is then written by hand. */
const MAX_HINTS = 5;

const sectionOf = ({ file, text }: Message) =>
	Object.keys(SECTIONS).find((name) => SECTIONS[name]?.test(`${file} ${text}`));

const messageTables = Object.fromEntries(
	Object.keys(SECTIONS).map((name): [string, Table] => {
		const rows = messages
			.filter((message) => sectionOf(message) === name)
			.sort((a, b) => a.text.localeCompare(b.text, 'en'))
			.map(({ text, hints }) => [
				`\`${text}\``,
				hints?.length && hints.length <= MAX_HINTS ? hints.join('<br>') : undefined,
			]);
		return [name, { head: ['Message', 'What to do'], rows }];
	}),
);

/** The tables of the documents that are made from the code, by file and by the name in their marks. */
export const TABLES: Record<string, Record<string, Table>> = {
	'docs/operations.md': { operations },
	'docs/credentials.md': {
		'Card Platform API': fieldsOf(new CardPlatformApi()),
		'Card Platform Webhook API': fieldsOf(new CardPlatformWebhookApi()),
	},
	'docs/webhooks.md': { responses },
	'docs/messages.md': { statuses, ...messageTables },
};
