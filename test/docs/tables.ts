import { readFileSync } from 'node:fs';

import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod';

import { type OutputSchema, outputSchemas } from '../../dev/build/outputSchemas';
import { READ_TIMEOUT_MS } from '../../nodes/CardPlatform/actions/card/changeStatus';
import { MAX_PICKED_RECORDS } from '../../nodes/CardPlatform/actions/listSearch';
import type { Operation } from '../../nodes/CardPlatform/actions/operation';
import { findOperation, RESOURCES } from '../../nodes/CardPlatform/actions/table';
import * as api from '../../nodes/CardPlatform/api/assumptions';
import { MAX_CONCURRENT_REQUESTS } from '../../nodes/CardPlatform/api/config';
import { eventSchema } from '../../nodes/CardPlatform/api/event';
import { LISTED_ENTRIES } from '../../nodes/CardPlatform/events/deduplicate';
import { EVENT_TYPES } from '../../nodes/CardPlatform/events/eventTypes';
import { FILTERS } from '../../nodes/CardPlatform/events/filters';
import { MAX_EVENTS, MAX_TEST_EVENTS } from '../../nodes/CardPlatform/polling/cardEvents';
import { LATE_EVENT_MS, MAX_BACK_OFF_MS } from '../../nodes/CardPlatform/polling/eventMemory';
import { lookBack, recheckInterval } from '../../nodes/CardPlatform/polling/fields';
import { ACTIVATION_BUDGET_MS, POLL_BUDGET_MS } from '../../nodes/CardPlatform/polling/runPoll';
import { MAX_STATE_LENGTH } from '../../nodes/CardPlatform/polling/state';
import { PATIENCE_MS } from '../../nodes/CardPlatform/transport/request';
import { LEVELS } from '../../nodes/CardPlatform/webhook/receive';
import {
	REPORT_INTERVAL_MS,
	type Response,
	RESPONSES,
} from '../../nodes/CardPlatform/webhook/rejections';
import { MAX_SECRET_AGE_MS } from '../../nodes/CardPlatform/webhook/signingKeys';
import { name } from '../../package.json';
import { readApi } from '../../sandbox/docs/api';
import { send } from '../support/execute';
import { type ApiRequest, refusal } from '../support/fakeApi';
import { operations } from '../support/openapi';
import { parametersOf, succeed } from '../support/operations';
import { codeStep, type Json } from '../workflows/codeStep';

// The tables of the documents that follow from the code, by the name in the comment above them.

/** The first cells of each row, of which the very first names it; people write the others. */
export type Table = string[][];

const code = (text: string) => `\`${text}\``;
const list = (texts: string[]) => [...new Set(texts)].join(', ') || '–';

function groupBy<T>(of: T[], keyOf: (one: T) => string): [string, T[]][] {
	const keys = [...new Set(of.map(keyOf))];
	return keys.map((key) => [key, of.filter((one) => keyOf(one) === key)]);
}

// Operations: they run against a fake API, which shows what they send and need.

const EFFECTS = {
	read: 'yes: it reads',
	repeatable: 'yes',
	ordered: 'yes, in order',
	unrepeatable: '**no**',
};

/** What openapi.yaml says that all endpoints of a tag require, such as "card management". */
const features = z
	.array(z.object({ name: z.string(), description: z.string() }))
	.parse(readApi().tags)
	.flatMap(({ name, description }) => {
		const need = /These endpoints require ([^;.]+)/.exec(description)?.[1];
		return need === undefined ? [] : [{ need, prefix: `/${name.toLowerCase()}` }];
	});

const endpointOf = ({ method, path }: ApiRequest) => {
	const found = operations.find((each) => each.method === method && each.match(path));
	return code(`${method} ${found?.path ?? path}`);
};

async function observe(parameters: INodeParameters) {
	const fails = async (respond: typeof succeed, credential = {}) =>
		(await send(parameters, respond, { credential })).error !== undefined;
	const asByDefault = 'includeDetails' in parameters && { includeDetails: true };
	const { requests } = await send({ ...parameters, ...asByDefault }, succeed);
	const needs: string[] = [];
	for (const { need, prefix } of features) {
		const refuse: typeof succeed = (request) =>
			request.path.startsWith(prefix) ? refusal(403) : succeed(request);
		if (await fails(refuse)) needs.push(need);
	}
	if (await fails(succeed, { sensitiveDetails: false })) needs.push('*Allow Sensitive Details*');
	const sends = [...new Set(requests.map(endpointOf))];
	return {
		sends: sends.length > 3 ? `${sends.length} kinds of GET` : sends.join('<br>'),
		need: needs.join(' and ') || 'nothing',
		onlyReads: !(await fails(succeed, { readOnly: true })),
	};
}

/** The fields of an item; a type is named unless it is a string. */
const fieldsOf = ({ properties = {} }: OutputSchema): string =>
	Object.entries(properties)
		.map(([name, each]) => {
			const inner = fieldsOf(each.items ?? each);
			const type = each.type === 'string' ? '' : inner ? `${each.type} of ${inner}` : each.type;
			return code(name) + (type && ` (${type})`);
		})
		.join(', ');

interface Seen extends Operation, Awaited<ReturnType<typeof observe>> {
	resource: string;
	returned: string;
}

/** Names such as "Card: Get, Update · Payment: Get Many". */
const named = (of: Pick<Seen, 'resource' | 'name'>[]) =>
	groupBy(of, ({ resource }) => resource)
		.map(([resource, each]) => `${resource}: ${list(each.map(({ name }) => name))}`)
		.join(' · ') || '–';

async function operationTables(): Promise<Record<string, Table>> {
	const schemas = outputSchemas(z, RESOURCES, eventSchema);
	const seen: Seen[] = [];
	for (const { value, name: resource, operations: own } of RESOURCES) {
		for (const each of own) {
			const observed = await observe(parametersOf(`${value}/${each.value}`));
			const returned = fieldsOf(schemas[`v1.0.0/${value}/${each.value}`] ?? { type: '' });
			seen.push({ ...each, ...observed, resource, returned });
		}
	}
	const sections = groupBy(seen, ({ resource }) => resource).map(([resource, own]) => [
		resource,
		own.map((each) => [each.name, each.description, each.sends, EFFECTS[each.effect]]),
	]);
	return {
		...(Object.fromEntries(sections) as Record<string, Table>),
		nodes: [
			['**Card Platform**', named(seen)],
			['**Card Platform Trigger**'],
			['**Card Platform Polling Trigger**'],
		],
		permissions: groupBy(seen, ({ need }) => need).map(([need, own]) => [
			need,
			...[true, false].map((reads) => named(own.filter((each) => each.onlyReads === reads))),
		]),
		returns: groupBy(seen, (each) => each.returned).map(([fields, own]) => [named(own), fields]),
	};
}

// Triggers and limits.

const number = (value: number) => value.toLocaleString('en');
const count = (value: number, unit: string) => `${number(value)} ${unit}${value === 1 ? '' : 's'}`;
const time = (ms: number) =>
	ms % 3_600_000 === 0
		? count(ms / 3_600_000, 'hour')
		: ms % 60_000 === 0
			? count(ms / 60_000, 'minute')
			: count(ms / 1_000, 'second');

const LIMITS: Table = [
	['Silence of the API', time(api.REQUEST_TIMEOUT_MS)],
	['Retries of a request', number(api.MAX_RETRIES)],
	['Wait that the API asks for', time(api.MAX_RETRY_AFTER_MS)],
	['429s in an execution', time(PATIENCE_MS.execution)],
	['429s in a manual run, a tool or a poll', time(PATIENCE_MS.watched)],
	['Requests in flight', `${api.DEFAULT_CONCURRENT_REQUESTS}, up to ${MAX_CONCURRENT_REQUESTS}`],
	['Records in a request', number(api.MAX_PAGE_SIZE)],
	['Records in a picker', number(MAX_PICKED_RECORDS)],
	['Reading a card before it is changed', time(READ_TIMEOUT_MS)],
	['A poll', time(POLL_BUDGET_MS)],
	['The first poll', time(ACTIVATION_BUDGET_MS)],
	['Events in a poll', number(MAX_EVENTS.perPoll)],
	['The same, with One Execution per Event', number(MAX_EVENTS.perEvent)],
	['Test events', number(MAX_TEST_EVENTS)],
	[lookBack.displayName, `${Number(lookBack.default)}, up to ${lookBack.typeOptions?.maxValue}`],
	[recheckInterval.displayName, number(Number(recheckInterval.default))],
	['A transaction that is listed late', time(api.LATE_TRANSACTION_MS)],
	['An event that is listed after its transaction', time(LATE_EVENT_MS)],
	['Pause before a card that failed is read again', `up to ${time(MAX_BACK_OFF_MS)}`],
	['What a polling trigger remembers', `${number(MAX_STATE_LENGTH)} characters`],
	['Starts that a workflow remembers', number(LISTED_ENTRIES)],
	['Age of a delivery', time(api.TIMESTAMP_TOLERANCE_SECONDS * 1_000)],
	['A secret that was changed', time(MAX_SECRET_AGE_MS)],
	['Reports of rejected deliveries', `1 in ${time(REPORT_INTERVAL_MS)}`],
];

const triggerTables: Record<string, Table> = {
	limits: LIMITS,
	responses: Object.entries<Response>(RESPONSES).map(([reason, { status }]) => [
		code(reason),
		String(status),
		LEVELS[status],
	]),
	'trigger on': EVENT_TYPES.map(({ name, description }) => [name, description]),
	filters: FILTERS.map(({ displayName, description = '' }) => [displayName, description]),
};

// Workflows: their files say what starts them and what they use.

interface Node {
	name: string;
	type: string;
	disabled?: boolean;
	parameters: Record<string, unknown>;
}

/** Those of the triggers, as far as they are told. */
interface Parameters {
	events?: string[];
	filters?: Record<string, string>;
	watch?: string;
	rule?: { interval: { triggerAtDayOfMonth?: number }[] };
	pollTimes?: { item: { mode: string }[] };
}

const TRIGGERS: Record<string, string> = {
	cardPlatformTrigger: 'webhook',
	cardPlatformPollingTrigger: 'poll',
	formTrigger: 'a form',
	chatTrigger: 'a chat',
	errorTrigger: 'a failed execution',
};

const APPS: Record<string, string> = {
	emailSend: 'e-mail',
	slack: 'Slack',
	microsoftTeams: 'Teams',
	googleSheets: 'Google Sheets',
	microsoftExcel: 'Excel',
};

const kindOf = ({ type }: Node) => type.replace(/^.*\./, '');
const nodesOf = (file: string) =>
	(JSON.parse(readFileSync(`workflows/${file}.json`, 'utf8')) as { nodes: Node[] }).nodes;

function startOf(node: Node): string[] {
	const { events = [], filters = {}, watch, rule, pollTimes } = node.parameters as Parameters;
	const day = rule?.interval[0]?.triggerAtDayOfMonth;
	if (rule) return [`${node.name.toLowerCase()}${day === undefined ? '' : `, on day ${day}`}`];
	const kind = TRIGGERS[kindOf(node)];
	if (kind === undefined) return [];
	const interval = pollTimes?.item[0]?.mode.replace('every', ' every ').toLowerCase() ?? '';
	const types = EVENT_TYPES.filter(({ value }) => events.includes(value)).map((each) => each.name);
	const set = FILTERS.filter((filter) => filter.name in filters).map(
		(filter) => `${filter.displayName} ${filters[filter.name]}`,
	);
	const what = [...types, ...(watch ? [watch] : []), ...set].join(', ');
	return [kind + interval + (what && ` (${what})`) + (node.disabled ? ', off at first' : '')];
}

function workflowRow([, heading = '', file = '']: string[]): string[] {
	const nodes = nodesOf(file);
	const uses = nodes.filter(({ type, disabled }) => type.includes('cardPlatform') && !disabled);
	const writes = uses.some(({ parameters: { resource, operation } }) => {
		const effect = findOperation(String(resource), String(operation))?.effect ?? 'read';
		return effect !== 'read';
	});
	const anchor = heading
		.toLowerCase()
		.replace(/[^\w -]/g, '')
		.replaceAll(' ', '-');
	return [
		`[${heading}](#${anchor})`,
		[...new Set(nodes.flatMap(startOf))].join(' + ').replace(/^./, (first) => first.toUpperCase()),
		uses.length === 0 ? '–' : writes ? 'off' : 'on',
		list(nodes.flatMap((node) => APPS[kindOf(node)] ?? [])),
		`[File](https://raw.githubusercontent.com/${name}/${name}/main/workflows/${file}.json)`,
	];
}

/** The sections on workflows, each with the name of its picture and file. */
const sections = [
	...readFileSync('workflows/README.md', 'utf8').matchAll(
		/^### (.+)\n+!\[.*\]\(\S*?([\w-]+)\.png\)/gm,
	),
];

/** The columns of a file that a workflow makes: those of its data table, whose names have no spaces. */
const columnsOf = (file: string): Table =>
	nodesOf(file)
		.filter(({ parameters }) => 'tableName' in parameters)
		.flatMap(({ parameters }) => (parameters.columns as { column: { name: string }[] }).column)
		.map((column) => [column.name.replaceAll('_', ' ')]);

/** The same for a file without a data table: its Code step makes a row, as a transaction has no event. */
function differenceColumns(): Table {
	const outputs = {
		'Day to compare': [{ from: '2026-11-02', to: '2026-11-03' }],
		Transactions: [{ createdAt: '2026-11-02' }],
	};
	const [{ differences } = {}] = codeStep('daily-reconciliation.json', 'Compare')({ outputs });
	return Object.keys((differences as Json[])[0] ?? {}).map((column) => [column]);
}

/** All tables, by name. Needs jest's fake timers. */
export const readTables = async (): Promise<Record<string, Table>> => ({
	...(await operationTables()),
	...triggerTables,
	workflows: sections.map(workflowRow),
	...Object.fromEntries(sections.map(([, heading = '', file = '']) => [heading, columnsOf(file)])),
	'Daily reconciliation': differenceColumns(),
});

const cellsOf = (row: string) => row.split(/ *(?<!\\)\| */).slice(1, -1);

/** A comment with the name of a table, its header, and its rows. */
export const TABLE = /^(<!-- npm run docs: (.+) -->\n(\|.+\n)\|[-:| ]+\n)((?:\|.*\n)*)/gm;

/** Writes the rows of the tables of a document. Cells that people wrote stay in the row of that name; a new row has a TODO. */
export const fillTables = (markdown: string, tables: Record<string, Table>): string =>
	markdown.replace(TABLE, (_, top: string, table: string, header: string, body: string) => {
		const written = body.split('\n').map(cellsOf);
		if (tables[table] === undefined) throw new Error(`There is no table "${table}"`);
		const rows = tables[table].map((cells) => {
			const before = written.find(([first]) => first === cells[0]);
			return cellsOf(header).map((_cell, index) => cells[index] ?? before?.[index] ?? 'TODO');
		});
		return top + rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
	});
