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
	parameters: INodeParameters & { resource?: string; operation?: string; watch?: string };
}

/** What people set is no expression; that on the left of a condition names a field. */
const withoutExpression = (key: string, value: unknown) =>
	typeof value === 'string' && value.startsWith('=') && key !== 'leftValue' ? undefined : value;

/** The sections on workflows, each with the name of its picture and file, and the steps in it. */
const sections = [
	...readFileSync('workflows/README.md', 'utf8').matchAll(
		/^### (.+)\n+!\[.*\]\(\S*?([\w-]+)\.png\)/gm,
	),
].map(([, heading = '', file = '']) => {
	const json = readFileSync(`workflows/${file}.json`, 'utf8');
	const { nodes: steps } = JSON.parse(json, withoutExpression) as { nodes: Step[] };
	return { heading, file, steps };
});

const kindOf = ({ type }: Step) => type.replace(/^.*\.|Tool$/g, '');

/** Everything of a name in JSON, however deep, and the elements of an array of that name. */
const inside = <T>(json: unknown, wanted: string): T[] =>
	json === null || typeof json !== 'object'
		? []
		: (Object.entries(json).flatMap(([name, value]: [string, T]) => [
				...(name === wanted ? [value].flat() : []),
				...inside<T>(value, wanted),
			]) as T[]);

/** The index. */
export const workflowsTable = async (): Promise<Table> =>
	await Array.fromAsync(sections, async ({ heading, file, steps }) => {
		const ours = steps.filter(({ type, disabled }) => type.includes('.cardPlatform') && !disabled);
		const own = await Array.fromAsync(ours, async (step) => ({ ...step, ...(await useOf(step)) }));
		const changing = own.filter(({ onlyReads }) => !onlyReads).map(({ name }) => `*${name}*`);
		const anchor = heading.toLowerCase().replace(/[^\w -]/g, '');
		return [
			`[${heading}](#${anchor.replaceAll(' ', '-')})`,
			list(steps.flatMap(startOf), ' + ').replace(/^./, (first) => first.toUpperCase()),
			list(steps.flatMap(settingsOf).map(({ told }) => told)),
			list(own.flatMap(({ needs }) => needs)),
			changing.length > 0 ? `off in ${list(changing)}` : own.length > 0 ? 'on' : '–',
			list(steps.flatMap((step) => APPS[kindOf(step)] ?? [])),
			`[File](https://raw.githubusercontent.com/${packageName}/${packageName}/main/workflows/${file}.json)`,
		];
	});

/** What a step of ours needs and does, with the options that it has. */
async function useOf(step: Step): Promise<Pick<Observed, 'needs' | 'onlyReads'>> {
	const { watch = 'cardEvents', cardScope = 'one', options = {} } = step.parameters;
	const { resource, operation } = step.parameters;
	const kind = kindOf(step);
	if (kind === 'cardPlatformTrigger') return { needs: ['webhooks'], onlyReads: true };
	if (kind === 'cardPlatformPollingTrigger') return await observeWatch({ watch, options });
	return await observe(parametersOf(`${resource}/${operation}`, { cardScope, options }));
}

const APPS: Record<string, string> = {
	emailSend: 'email',
	slack: 'Slack',
	microsoftTeams: 'Teams',
	googleSheets: 'Google Sheets',
	microsoftExcel: 'Excel',
};

const STARTS: Record<string, string> = {
	cardPlatformTrigger: 'webhook',
	cardPlatformPollingTrigger: 'poll',
	formTrigger: 'a form',
	chatTrigger: 'a chat',
	errorTrigger: 'a failed execution',
};

/** How a step starts the workflow, and on what. */
function startOf(step: Step): string[] {
	const { name, disabled, parameters } = step;
	if (parameters.rule)
		return inside(parameters.rule, 'interval').map((each) => scheduleOf(each, name));
	const start = STARTS[kindOf(step)];
	if (start === undefined) return [];
	const [every = ''] = inside<string>(parameters.pollTimes, 'mode');
	const chosen = inside(parameters, 'events');
	const what = [
		...EVENT_TYPES.filter(({ value }) => chosen.includes(value)).map((each) => each.name),
		...watches.filter(({ value }) => value === parameters.watch).map((each) => watched(each, step)),
		...FILTERS.flatMap((filter) =>
			inside<string>(parameters, filter.name).map((value) => `${filter.displayName} ${value}`),
		),
	].join(', ');
	const often = every.replace('every', ' every ').toLowerCase();
	return [start + often + (what && ` (${what})`) + (disabled ? ', off at first' : '')];
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** A schedule in words, which begin as the name of its step. */
function scheduleOf(interval: unknown, name: string): string {
	const [field = ''] = inside<string>(interval, 'field');
	const [count] = inside<number>(interval, `${field}Interval`);
	const on = [
		...inside<number>(interval, 'triggerAtDay').map((day) => `, on ${WEEKDAYS[day]}`),
		...inside<number>(interval, 'triggerAtDayOfMonth').map((day) => `, on day ${day}`),
	];
	const [at] = inside<number>(interval, 'triggerAtHour');
	const time = [at, ...inside(interval, 'triggerAtMinute')].map((each) =>
		String(each).padStart(2, '0'),
	);
	const every = count === 1 ? 'every' : `every ${count}`;
	const words = `${every} ${field.slice(0, -1)}${on.join('')}${at === undefined ? '' : ` at ${time.join(':')}`}`;
	if (!words.startsWith(name.toLowerCase())) throw new Error(`The step "${name}" runs ${words}`);
	return words;
}

/** What the polling trigger watches, and the fields that say for which change. */
function watched({ name: what, value: watch }: (typeof watches)[number], { parameters }: Step) {
	const fields = watchFields.filter(
		({ type, displayOptions: { show } = {} }) =>
			type !== 'collection' && show?.watch?.includes(watch),
	);
	const values = fields.map(({ name, displayName, default: usual }) => {
		const value = JSON.stringify(parameters[name] ?? usual).replace(/[[\]"]/g, '');
		return `${displayName} ${value}`;
	});
	return `${what}: ${values.join(', ')}`;
}

/** The steps in which people set a workflow up. */
const SETTINGS = ['Settings', 'Rules', 'Period', 'Suspicious?'];

const OPERATORS: Record<string, string> = { notEquals: 'not', gte: 'at least' };

/** A field that a step sets. */
interface Setting {
	name: string;
	value?: string | number;
}

/** A condition on a field. */
type Condition = Partial<Record<'leftValue' | 'rightValue', string>> & {
	operator?: { operation: string };
};

/** What people set in a step: the field, with its value, and the step. */
function settingsOf({ name: step, parameters }: Step) {
	if (!SETTINGS.includes(step)) return [];
	const limits = inside<Condition>(parameters, 'conditions').flatMap((each): Setting[] => {
		const [, name = ''] = /\$json\.(\w+)/.exec(each.leftValue ?? '') ?? [];
		const sign = OPERATORS[each.operator?.operation ?? ''];
		return sign && each.rightValue ? [{ name, value: `${sign} ${each.rightValue}` }] : [];
	});
	const set = inside<Partial<Setting>>(parameters, 'assignments');
	return [...set, ...limits].flatMap(({ name, value = '' }) => {
		if (name === undefined) return [];
		const field = code(name.replace('rules.', ''));
		// A blank, a sign or an address says less than the name.
		const isTold = /^[^:]*\w[^:]*$/.test(`${value}`);
		return [{ field, told: isTold ? `${field} ${value}` : field, step: `*${step}*` }];
	});
}

/** Each setting of a workflow, with the step that has it. */
export function settingsTable(): Table {
	const all = sections.flatMap(({ steps }) => steps.flatMap(settingsOf));
	const byField = [...Map.groupBy(all, ({ field }) => field)];
	return byField.map(([field, own]) => [field, list(own.map(({ step }) => step))]);
}

/** The columns of each file that a workflow makes: those of its data table, or of the rows of its Code step. */
export function columnTables(): Record<string, Table> {
	const columnsOf = (row: unknown) => Object.keys(row as object).map((name) => [name]);
	const outputs = {
		'Day to compare': [{ from: '2026-11-02', to: '2026-11-03' }],
		Transactions: [{ createdAt: '2026-11-02' }],
	};
	const [day] = codeStep('daily-reconciliation.json', 'Compare')({ outputs });
	const input = [{ events: 0, start: '2026-11-02', stakes: [], mistakes: [] }];
	const [trial] = codeStep('spend-policy.json', 'What would happen')({ input });
	const ofDataTables = sections.flatMap(({ heading, steps }): [string, Table][] => {
		const columns = inside<Setting>(steps, 'column').map(({ name }) => name.replaceAll('_', ' '));
		return columns.length > 0 ? [[heading, columns.map((each) => [each])]] : [];
	});
	return {
		...Object.fromEntries(ofDataTables),
		'Daily reconciliation': columnsOf([day?.differences].flat()[0]),
		'Spend policy': columnsOf(trial),
	};
}

/** The columns of the bookkeeping file in each format that its settings offer. */
export function formatsTable(): Table {
	const steps = sections.find(({ file }) => file === 'bookkeeping-file')?.steps;
	const [, offered = ''] = /format: \[(.+?)\]/.exec(inside<string>(steps, 'jsCode').join()) ?? [];
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
