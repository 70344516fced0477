import { readFileSync } from 'node:fs';

import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { EVENT_TYPES } from '../../nodes/CardPlatform/events/eventTypes';
import { FILTERS } from '../../nodes/CardPlatform/events/filters';
import { name as packageName } from '../../package.json';
import { parametersOf } from '../support/operations';
import { codeStep, type Json } from '../workflows/codeStep';
import type { Table } from './fill';
import { observe, type Observed, WATCH_ANYTHING, watches, watchFields } from './observe';
import { code, list, mapInOrder } from './words';

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
	jsCode?: string;
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
	emailSend: 'email',
	slack: 'Slack',
	microsoftTeams: 'Teams',
	googleSheets: 'Google Sheets',
	microsoftExcel: 'Excel',
};

const kindOf = ({ type }: Node) => type.replace(/^.*\.|Tool$/g, '');
const toldOf = ({ parameters }: Pick<Node, 'parameters'> = { parameters: {} }) =>
	parameters as Parameters;
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
	const fields = watchFields.filter((field) => isOf(field) && field.type !== 'collection');
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
	if (!['Settings', 'Rules', 'Period', 'Suspicious?'].includes(node.name)) return [];
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
		return await observe(kind, { ...WATCH_ANYTHING, watch, options });
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

/** The index of the workflows. */
export const workflowsTable = async (): Promise<Table> => await mapInOrder(sections, workflowRow);

/** The columns of each file that a workflow makes: those of its data table, or of the rows of its Code step. */
export const columnTables = (): Record<string, Table> => {
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

function trialColumns(): string[] {
	const input = [{ events: 0, start: '2026-11-02', stakes: [], mistakes: [] }];
	const [row = {}] = codeStep('spend-policy.json', 'What would happen')({ input });
	return Object.keys(row);
}

/** The columns of the bookkeeping file in each format that its settings offer. */
export function formatsTable(): Table {
	const settings = { dateFormat: 'yyyy-MM-dd', days: '62', firstDay: '2026-11-01' };
	const check = nodesOf('bookkeeping-file').find(({ name }) => name === 'Check the settings');
	const [, offered = ''] = /format: \[(.+?)\]/.exec(toldOf(check).jsCode ?? '') ?? [];
	return [...offered.matchAll(/\w+/g)].map(([format]) => {
		const sold = { id: '1', amount: '1.00', amountDirection: 'debit', currency: 'USD' };
		const outputs = {
			'Check the settings': [{ ...settings, format }],
			Transactions: [{ ...sold, status: 'settled', createdAt: new Date().toISOString() }],
			...{ 'Card events': [], 'Card bill': [], 'Handed over': [] },
		};
		const [{ Text } = {}] = codeStep('bookkeeping-file.json', 'Compare')({ outputs });
		return [
			code(format),
			String(Text).split('\r\n')[0]?.replace('\uFEFF', '').replaceAll(',', ', ') ?? '',
		];
	});
}
