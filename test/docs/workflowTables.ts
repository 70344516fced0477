import { readFileSync } from 'node:fs';

import type { INodeParameters } from 'n8n-workflow';

import { EVENT_TYPES } from '../../nodes/CardPlatform/events/eventTypes';
import { FILTERS } from '../../nodes/CardPlatform/events/filters';
import { name as packageName } from '../../package.json';
import { parametersOf } from '../support/operations';
import { codeStep } from '../workflows/codeStep';
import type { Table } from './fill';
import { observe, type Observed, observeWatch, watches, watchFields } from './observe';
import { code, list } from './words';

// Workflows: their files say what starts them, and what their steps use.

/** A step, with those of its parameters that are told. */
interface Step {
	name: string;
	type: string;
	disabled?: boolean;
	parameters: {
		resource?: string;
		operation?: string;
		cardScope?: string;
		options?: INodeParameters;
		events?: string[];
		filters?: Record<string, string>;
		watch?: string;
		rule?: { interval: { triggerAtDayOfMonth?: number }[] };
		pollTimes?: { item: { mode: string }[] };
		assignments?: { assignments: { name: string; value?: Value }[] };
		rules?: { values: { conditions: { conditions: Condition[] } }[] };
		columns?: { column?: { name: string }[] };
		jsCode?: string;
	};
}

type Value = string | number | boolean;

interface Condition {
	leftValue: string;
	rightValue?: Value;
	operator: { operation: string };
}

/** What people set is no expression; that on the left of a condition names a field. */
const withoutExpression = (key: string, value: unknown) =>
	typeof value === 'string' && value.startsWith('=') && key !== 'leftValue' ? undefined : value;

const stepsOf = (file: string) =>
	(
		JSON.parse(readFileSync(`workflows/${file}.json`, 'utf8'), withoutExpression) as {
			nodes: Step[];
		}
	).nodes;

const kindOf = ({ type }: Step) => type.replace(/^.*\.|Tool$/g, '');

/** The sections on workflows, each with the name of its picture and file. */
const sections = [
	...readFileSync('workflows/README.md', 'utf8').matchAll(
		/^### (.+)\n+!\[.*\]\(\S*?([\w-]+)\.png\)/gm,
	),
].map(([, heading = '', file = '']) => ({ heading, file }));

/** The index. */
export const workflowsTable = async (): Promise<Table> =>
	await Array.fromAsync(sections, async ({ heading, file }) => {
		const steps = stepsOf(file);
		const own = steps.filter(({ type, disabled }) => type.includes('.cardPlatform') && !disabled);
		const uses = await Array.fromAsync(own, useOf);
		const changing = own.filter((_, index) => uses[index]?.onlyReads === false);
		const off = `off in ${list(changing.map(({ name }) => `*${name}*`))}`;
		const anchor = heading.toLowerCase().replace(/[^\w -]/g, '');
		return [
			`[${heading}](#${anchor.replaceAll(' ', '-')})`,
			list(steps.flatMap(startOf), ' + ').replace(/^./, (first) => first.toUpperCase()),
			list(steps.flatMap(settingsOf)),
			list(uses.flatMap(({ needs }) => needs)),
			own.length === 0 ? '–' : changing.length === 0 ? 'on' : off,
			list(steps.flatMap((step) => APPS[kindOf(step)] ?? [])),
			`[File](https://raw.githubusercontent.com/${packageName}/${packageName}/main/workflows/${file}.json)`,
		];
	});

const TRIGGERS: Record<string, string> = {
	cardPlatformTrigger: 'webhook',
	cardPlatformPollingTrigger: 'poll',
	formTrigger: 'a form',
	chatTrigger: 'a chat',
	errorTrigger: 'a failed execution',
};

/** How a step starts the workflow, and on what. */
function startOf(step: Step): string[] {
	const { events = [], filters = {}, watch, rule, pollTimes } = step.parameters;
	const day = rule?.interval[0]?.triggerAtDayOfMonth;
	if (rule) return [step.name.toLowerCase() + (day === undefined ? '' : `, on day ${day}`)];
	const trigger = TRIGGERS[kindOf(step)];
	if (trigger === undefined) return [];
	const interval = pollTimes?.item[0]?.mode.replace('every', ' every ').toLowerCase() ?? '';
	const what = [
		...EVENT_TYPES.filter(({ value }) => events.includes(value)).map(({ name }) => name),
		...watches.filter(({ value }) => value === watch).map((each) => watched(each, step)),
		...FILTERS.filter(({ name }) => name in filters).map(
			({ name, displayName }) => `${displayName} ${filters[name]}`,
		),
	].join(', ');
	return [trigger + interval + (what && ` (${what})`) + (step.disabled ? ', off at first' : '')];
}

/** What the polling trigger watches, and the fields that say for which change. */
function watched({ name: what, value: watch }: (typeof watches)[number], { parameters }: Step) {
	const given = new Map<string, unknown>(Object.entries(parameters));
	const fields = watchFields.filter(
		({ type, displayOptions }) =>
			type !== 'collection' && displayOptions?.show?.watch?.includes(watch),
	);
	const values = fields.map(({ name, displayName, default: usual }) => {
		const value = JSON.stringify(given.get(name) ?? usual).replace(/[[\]"]/g, '');
		return `${displayName} ${value}`;
	});
	return `${what}: ${values.join(', ')}`;
}

/** The steps in which people set a workflow up. */
const SETTINGS = ['Settings', 'Rules', 'Period', 'Suspicious?'];

const OPERATORS: Record<string, string> = { notEquals: 'not', gte: 'at least' };

/** What people set there: a field, with the value that it has in the file. */
function fieldsOf({ name: step, parameters: { assignments, rules } }: Step) {
	if (!SETTINGS.includes(step)) return [];
	const set = assignments?.assignments ?? [];
	const conditions = rules?.values.flatMap((each) => each.conditions.conditions) ?? [];
	const limits = conditions.flatMap(({ leftValue, rightValue, operator: { operation } }) => {
		const [, name = ''] = /\$json\.(\w+)/.exec(leftValue) ?? [];
		const sign = OPERATORS[operation];
		return sign && rightValue ? [{ name, value: `${sign} ${rightValue}` }] : [];
	});
	return [...set, ...limits].map(({ name, value = '' }) => ({
		step,
		field: code(name.replace('rules.', '')),
		value: `${value}`,
	}));
}

// A blank, a sign or an address says less than the name.
const settingsOf = (step: Step) =>
	fieldsOf(step).map(({ field, value }) =>
		/^[^:]*\w[^:]*$/.test(value) ? `${field} ${value}` : field,
	);

/** Each setting of a workflow, with the step that has it. */
export function settingsTable(): Table {
	const fields = sections.flatMap(({ file }) => stepsOf(file).flatMap(fieldsOf));
	return [...new Set(fields.map(({ field }) => field))].map((setting) => {
		const steps = fields.filter(({ field }) => field === setting).map(({ step }) => `*${step}*`);
		return [setting, list(steps)];
	});
}

/** What a step of ours needs and does, with the options that it has. */
async function useOf(step: Step): Promise<Pick<Observed, 'needs' | 'onlyReads'>> {
	const { watch = 'cardEvents', cardScope, options = {}, resource, operation } = step.parameters;
	const kind = kindOf(step);
	if (kind === 'cardPlatformTrigger') return { needs: ['webhooks'], onlyReads: true };
	if (kind === 'cardPlatformPollingTrigger') return await observeWatch({ watch, options });
	const more = { ...(cardScope && { cardScope }), options };
	return await observe(parametersOf(`${resource}/${operation}`, more));
}

const APPS: Record<string, string> = {
	emailSend: 'email',
	slack: 'Slack',
	microsoftTeams: 'Teams',
	googleSheets: 'Google Sheets',
	microsoftExcel: 'Excel',
};

/** The columns of each file that a workflow makes: those of its data table, or of the rows of its Code step. */
export function columnTables(): Record<string, Table> {
	const ofDataTables = sections.map(({ heading, file }): [string, string[]] => {
		const columns = stepsOf(file).flatMap(({ parameters }) => parameters.columns?.column ?? []);
		return [heading, columns.map(({ name }) => name.replaceAll('_', ' '))];
	});
	const outputs = {
		'Day to compare': [{ from: '2026-11-02', to: '2026-11-03' }],
		Transactions: [{ createdAt: '2026-11-02' }],
	};
	const [{ differences } = {}] = codeStep('daily-reconciliation.json', 'Compare')({ outputs });
	const input = [{ events: 0, start: '2026-11-02', stakes: [], mistakes: [] }];
	const [trial] = codeStep('spend-policy.json', 'What would happen')({ input });
	const made: [string, string[]][] = [
		...ofDataTables.filter(([, columns]) => columns.length > 0),
		['Daily reconciliation', Object.keys([differences].flat()[0] ?? {})],
		['Spend policy', Object.keys(trial ?? {})],
	];
	return Object.fromEntries(
		made.map(([heading, columns]) => [heading, columns.map((each) => [each])]),
	);
}

/** The columns of the bookkeeping file in each format that its settings offer. */
export function formatsTable(): Table {
	const check = stepsOf('bookkeeping-file').find(({ name }) => name === 'Check the settings');
	const [, offered = ''] = /format: \[(.+?)\]/.exec(check?.parameters.jsCode ?? '') ?? [];
	const sale = { id: '1', amount: '1.00', amountDirection: 'debit', currency: 'USD' };
	return [...offered.matchAll(/\w+/g)].map(([format]) => {
		const settings = { dateFormat: 'yyyy-MM-dd', days: '62', firstDay: '2026-11-01', format };
		const outputs = {
			'Check the settings': [settings],
			Transactions: [{ ...sale, status: 'settled', createdAt: new Date().toISOString() }],
			...{ 'Card events': [], 'Card bill': [], 'Handed over': [] },
		};
		const [{ Text } = {}] = codeStep('bookkeeping-file.json', 'Compare')({ outputs });
		const [header = ''] = String(Text).split('\r\n');
		return [code(format), header.replace('\uFEFF', '').replaceAll(',', ', ')];
	});
}
