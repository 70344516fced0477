import { readFileSync } from 'node:fs';

import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { type OutputSchema, outputSchemas } from '../../dev/build/outputSchemas';
import { READ_TIMEOUT_MS } from '../../nodes/CardPlatform/actions/card/changeStatus';
import { MAX_PICKED_RECORDS } from '../../nodes/CardPlatform/actions/listSearch';
import type { Operation } from '../../nodes/CardPlatform/actions/operation';
import { RESOURCES } from '../../nodes/CardPlatform/actions/table';
import * as api from '../../nodes/CardPlatform/api/assumptions';
import { MAX_CONCURRENT_REQUESTS } from '../../nodes/CardPlatform/api/config';
import { eventSchema } from '../../nodes/CardPlatform/api/event';
import { CardPlatform } from '../../nodes/CardPlatform/CardPlatform.node';
import { CardPlatformPollingTrigger } from '../../nodes/CardPlatform/CardPlatformPollingTrigger.node';
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
import { name as packageName } from '../../package.json';
import { operations } from '../support/openapi';
import { parametersOf } from '../support/operations';
import { codeStep, type Json } from '../workflows/codeStep';
import type { Table } from './fill';
import { observe, type Observed } from './observe';

// The tables of the documents that follow from the code; each function gives one, or those of one kind.

/** All tables, by the name in the comment above them. Needs jest's fake timers. */
export async function readTables(): Promise<Record<string, Table>> {
	const all = await observeOperations();
	return {
		...operationTables(all),
		nodes: nodesTable(all),
		permissions: await permissionsTable(all),
		endpoints: endpointsTable(),
		limits: limitsTable(),
		'trigger on': EVENT_TYPES.map(({ name, description }) => [name, description]),
		filters: FILTERS.map(({ displayName, description = '' }) => [displayName, description]),
		responses: responsesTable(),
		workflows: await mapInOrder(sections, workflowRow),
		...columnTables(),
	};
}

// Words.

const code = (text: string) => `\`${text}\``;
const list = (texts: string[], separator = ', ') => [...new Set(texts)].join(separator) || '–';
const number = (value: number) => value.toLocaleString('en');
const count = (value: number, unit: string) => `${number(value)} ${unit}${value === 1 ? '' : 's'}`;

function time(ms: number): string {
	if (ms % 3_600_000 === 0) return count(ms / 3_600_000, 'hour');
	return ms % 60_000 === 0 ? count(ms / 60_000, 'minute') : count(ms / 1_000, 'second');
}

function groupBy<T>(of: T[], keyOf: (one: T) => string): [string, T[]][] {
	const keys = [...new Set(of.map(keyOf))];
	return keys.map((key) => [key, of.filter((one) => keyOf(one) === key)]);
}

/** One after the other: they share jest's timers. */
async function mapInOrder<T, R>(of: T[], task: (one: T) => Promise<R>): Promise<R[]> {
	const results: R[] = [];
	for (const one of of) results.push(await task(one));
	return results;
}

// Operations.

interface ObservedOperation extends Operation, Observed {
	resource: string;
	/** Such as card/get. */
	id: string;
}

async function observeOperations(): Promise<ObservedOperation[]> {
	const all = RESOURCES.flatMap(({ value, name, operations: own }) =>
		own.map((each) => ({ ...each, resource: name, id: `${value}/${each.value}` })),
	);
	return await mapInOrder(all, async (each) => {
		const parameters = parametersOf(each.id);
		const asByDefault = 'includeDetails' in parameters && { includeDetails: true };
		return { ...each, ...(await observe('cardPlatform', { ...parameters, ...asByDefault })) };
	});
}

const SAFE_TO_REPEAT: Record<Operation['effect'], string> = {
	read: 'yes: it reads',
	repeatable: 'yes',
	ordered: 'yes, in order',
	unrepeatable: '**no**',
};

/** The fields of an item; a type is named unless it is a string. */
const fieldsOf = ({ properties = {} }: OutputSchema): string =>
	Object.entries(properties)
		.map(([name, each]) => {
			const inner = fieldsOf(each.items ?? each);
			const type = each.type === 'string' ? '' : inner ? `${each.type} of ${inner}` : each.type;
			return code(name) + (type && ` (${type})`);
		})
		.join(', ');

/** A table for each resource. */
function operationTables(all: ObservedOperation[]): Record<string, Table> {
	const schemas = outputSchemas(z, RESOURCES, eventSchema);
	const returnsOf = ({ id }: ObservedOperation) =>
		fieldsOf(schemas[`v1.0.0/${id}`] ?? { type: '' });
	const row = (each: ObservedOperation): string[] => {
		const { name, description, sends, effect, hasKey, resource } = each;
		const returns = returnsOf(each);
		const first = all.find((one) => one.resource === resource && returnsOf(one) === returns);
		return [
			name,
			description,
			sends.length > 3 ? `${sends.length} kinds of GET` : sends.map(code).join('<br>'),
			hasKey ? 'yes, with the same Idempotency Key' : SAFE_TO_REPEAT[effect],
			first === each || first === undefined ? returns : `as *${first.name}*`,
		];
	};
	const byResource = groupBy(all, ({ resource }) => resource);
	return Object.fromEntries(byResource.map(([resource, own]) => [resource, own.map(row)]));
}

/** Names such as "Card: Get, Update · Payment: Get Many". */
const named = (of: ObservedOperation[]) =>
	list(
		groupBy(of, ({ resource }) => resource).map(
			([resource, each]) => `${resource}: ${list(each.map(({ name }) => name))}`,
		),
		' · ',
	);

const nodesTable = (all: ObservedOperation[]): Table => [
	['**Card Platform**', named(all)],
	['**Card Platform Trigger**'],
	['**Card Platform Polling Trigger**'],
];

const pollingFields = new CardPlatformPollingTrigger().description.properties;
const watchField = pollingFields.find(
	(field) => field.type === 'options' && field.name === 'watch',
);
const watches = (watchField?.options ?? []).flatMap((each) => ('value' in each ? each : []));

/** Values with which the polling trigger finds something, whatever it watches. */
const ANYTHING = { events: ['all'], threshold: '1000000' };

/** What has to be enabled and allowed: for what the operations need, and what it watches. */
async function permissionsTable(all: ObservedOperation[]): Promise<Table> {
	const needOf = ({ needs }: Observed) => needs.join(' and ') || 'nothing';
	const watched = await mapInOrder(watches, async ({ name, value: watch }) => {
		const observed = await observe('cardPlatformPollingTrigger', { ...ANYTHING, watch });
		return { name, need: needOf(observed) };
	});
	return groupBy(all, needOf).map(([need, own]) => [
		need,
		named(own.filter(({ onlyReads }) => onlyReads)),
		named(own.filter(({ onlyReads }) => !onlyReads)),
		list(watched.filter((each) => each.need === need).map(({ name }) => name)),
	]);
}

/** The endpoints of §4, with the numbers of their rules. */
const endpointsTable = (): Table =>
	operations.map(({ method, path, rule = '–', description }) => [
		code(`${method} ${path}`),
		rule,
		description,
	]);

// Triggers and limits.

const limit = new CardPlatform().description.properties.find(({ name }) => name === 'limit');

const limitsTable = (): Table => [
	['Silence of the API', time(api.REQUEST_TIMEOUT_MS)],
	['Retries of a request', number(api.MAX_RETRIES)],
	['Wait that the API asks for', time(api.MAX_RETRY_AFTER_MS)],
	['429s in an execution', time(PATIENCE_MS.execution)],
	['429s in a manual run, a tool or a poll', time(PATIENCE_MS.watched)],
	['Requests in flight', `${api.DEFAULT_CONCURRENT_REQUESTS}, up to ${MAX_CONCURRENT_REQUESTS}`],
	['Records in a request', number(api.MAX_PAGE_SIZE)],
	['Records of a list, without Return All', number(Number(limit?.default))],
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

const responsesTable = (): Table =>
	Object.entries<Response>(RESPONSES).map(([reason, { status }]) => [
		code(reason),
		String(status),
		LEVELS[status],
	]);

// Workflows: their files say what starts them, and what their steps use.

interface Node {
	name: string;
	type: string;
	disabled?: boolean;
	parameters: INodeParameters;
}

/** Those of steps that are told, as far as they are. */
interface Parameters {
	resource?: string;
	operation?: string;
	events?: string[];
	filters?: Record<string, string>;
	watch?: string;
	rule?: { interval: { triggerAtDayOfMonth?: number }[] };
	pollTimes?: { item: { mode: string }[] };
	assignments?: { assignments: { name: string; value: unknown }[] };
	rules?: { values: { conditions: { conditions: Condition[] } }[] };
	columns?: { column: { name: string }[] };
}

interface Condition {
	leftValue: string;
	rightValue: unknown;
	operator: { operation: string };
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

const kindOf = ({ type }: Node) => type.replace(/^.*\.|Tool$/g, '');
const toldOf = ({ parameters }: Node) => parameters as Parameters;
const nodesOf = (file: string) =>
	(JSON.parse(readFileSync(`workflows/${file}.json`, 'utf8')) as { nodes: Node[] }).nodes;

/** The sections on workflows, each with the name of its picture and file. */
const sections = [
	...readFileSync('workflows/README.md', 'utf8').matchAll(
		/^### (.+)\n+!\[.*\]\(\S*?([\w-]+)\.png\)/gm,
	),
].map(([, heading = '', file = '']) => ({ heading, file }));

/** What the polling trigger watches, and the fields that say for which change. */
function watchedBy(watch: string, parameters: INodeParameters): string {
	const isOf = ({ displayOptions: { show = {} } = {} }: INodeProperties) =>
		show.watch?.includes(watch) === true;
	const fields = pollingFields.filter((field) => isOf(field) && field.type !== 'collection');
	const values = fields.map(({ name, displayName, default: usual }) => {
		const value = JSON.stringify(parameters[name] ?? usual);
		return `${displayName} ${value.replace(/[[\]"]/g, '')}`;
	});
	return `${watches.find(({ value }) => value === watch)?.name}: ${values.join(', ')}`;
}

function startOf(node: Node): string[] {
	const { events = [], filters = {}, watch, rule, pollTimes } = toldOf(node);
	const day = rule?.interval[0]?.triggerAtDayOfMonth;
	if (rule) return [`${node.name.toLowerCase()}${day === undefined ? '' : `, on day ${day}`}`];
	const kind = TRIGGERS[kindOf(node)];
	if (kind === undefined) return [];
	const interval = pollTimes?.item[0]?.mode.replace('every', ' every ').toLowerCase() ?? '';
	const types = EVENT_TYPES.filter(({ value }) => events.includes(value)).map((each) => each.name);
	const set = FILTERS.filter((filter) => filter.name in filters).map(
		(filter) => `${filter.displayName} ${filters[filter.name]}`,
	);
	const what = [...types, ...(watch ? [watchedBy(watch, node.parameters)] : []), ...set];
	const which = what.length > 0 ? ` (${what.join(', ')})` : '';
	return [kind + interval + which + (node.disabled ? ', off at first' : '')];
}

const OPERATORS: Record<string, string> = { notEquals: 'not', gte: 'at least' };

/** The values in the steps in which people set a workflow up: those that are no expression and no address. */
function settingsOf(node: Node): string[] {
	if (!['Settings', 'Rules', 'Suspicious?'].includes(node.name)) return [];
	const { assignments, rules } = toldOf(node);
	const set = assignments?.assignments.map(({ name, value }) => [name, value] as const) ?? [];
	const compared = rules?.values.flatMap(({ conditions }) => conditions.conditions) ?? [];
	const limits = compared.flatMap(({ leftValue, rightValue, operator: { operation } }) => {
		const [, field = ''] = /\$json\.(\w+)/.exec(leftValue) ?? [];
		return operation in OPERATORS
			? [[field, `${OPERATORS[operation]} ${String(rightValue)}`] as const]
			: [];
	});
	return [...set, ...limits]
		.filter(([, value]) => !/^\W*$|^=|:\/\//.test(String(value)))
		.map(([name, value]) => `${code(name.replace(/^rules\./, ''))} ${String(value)}`);
}

/** What a step of ours needs and does, with the options that it has. */
async function useOf(node: Node): Promise<Pick<Observed, 'needs' | 'onlyReads'>> {
	const { watch = 'cardEvents', cardScope, options = {} } = node.parameters;
	const { resource = '', operation = '' } = toldOf(node);
	const kind = kindOf(node);
	if (kind === 'cardPlatformTrigger') return { needs: ['webhooks'], onlyReads: true };
	if (kind === 'cardPlatformPollingTrigger')
		return await observe(kind, { ...ANYTHING, watch, options });
	const fixed = Object.entries(options ?? {}).filter(([, value]) => !String(value).startsWith('='));
	return await observe('cardPlatform', {
		...parametersOf(`${resource}/${operation}`),
		...(cardScope && { cardScope }),
		options: Object.fromEntries(fixed),
	});
}

async function workflowRow({ heading, file }: (typeof sections)[number]): Promise<string[]> {
	const nodes = nodesOf(file);
	const own = nodes.filter(({ type, disabled }) => type.includes('.cardPlatform') && !disabled);
	const uses = await mapInOrder(own, useOf);
	const readsOnly = uses.every((use) => use.onlyReads);
	const anchor = heading.toLowerCase().replace(/[^\w -]/g, '');
	return [
		`[${heading}](#${anchor.replaceAll(' ', '-')})`,
		list(nodes.flatMap(startOf), ' + ').replace(/^./, (first) => first.toUpperCase()),
		list(nodes.flatMap(settingsOf)),
		list(uses.flatMap(({ needs }) => needs)),
		own.length === 0 ? '–' : readsOnly ? 'on' : 'off',
		list(nodes.flatMap((node) => APPS[kindOf(node)] ?? [])),
		`[File](https://raw.githubusercontent.com/${packageName}/${packageName}/main/workflows/${file}.json)`,
	];
}

/** The columns of each file that a workflow makes: those of its data table, or of the rows of its Code step. */
const columnTables = (): Record<string, Table> => {
	const named: [string, string[]][] = [
		...sections.map(({ heading, file }): [string, string[]] => [heading, dataColumns(file)]),
		['Daily reconciliation', differenceColumns()],
		['Spend policy', trialColumns()],
	];
	const made = named.filter(([, columns]) => columns.length > 0);
	return Object.fromEntries(
		made.map(([heading, columns]) => [heading, columns.map((each) => [each])]),
	);
};

const dataColumns = (file: string) =>
	nodesOf(file)
		.filter(({ parameters }) => 'tableName' in parameters)
		.flatMap((node) => toldOf(node).columns?.column ?? [])
		.map(({ name }) => name.replaceAll('_', ' '));

function differenceColumns(): string[] {
	const outputs = {
		'Day to compare': [{ from: '2026-11-02', to: '2026-11-03' }],
		Transactions: [{ createdAt: '2026-11-02' }],
	};
	const [{ differences } = {}] = codeStep('daily-reconciliation.json', 'Compare')({ outputs });
	return Object.keys((differences as Json[])[0] ?? {});
}

const trialColumns = () =>
	Object.keys(codeStep('spend-policy.json', 'What would happen')({})[0] ?? {});
