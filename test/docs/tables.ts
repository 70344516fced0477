import { z } from 'zod';

import { type OutputSchema, outputSchemas } from '../../dev/build/outputSchemas';
import { READ_TIMEOUT_MS } from '../../nodes/CardPlatform/actions/card/changeStatus';
import { MAX_PICKED_RECORDS } from '../../nodes/CardPlatform/actions/pickers';
import { RESOURCES } from '../../nodes/CardPlatform/actions/table';
import * as api from '../../nodes/CardPlatform/api/assumptions';
import { MAX_CONCURRENT_REQUESTS } from '../../nodes/CardPlatform/api/config';
import { eventSchema } from '../../nodes/CardPlatform/api/event';
import { CardPlatform } from '../../nodes/CardPlatform/CardPlatform.node';
import { LISTED_ENTRIES } from '../../nodes/CardPlatform/events/deduplicate';
import { EVENT_TYPES } from '../../nodes/CardPlatform/events/eventTypes';
import { FILTERS } from '../../nodes/CardPlatform/events/filters';
import { MAX_EVENTS, MAX_TEST_EVENTS } from '../../nodes/CardPlatform/polling/cardEvents';
import { LATE_EVENT_MS, MAX_BACK_OFF_MS } from '../../nodes/CardPlatform/polling/eventMemory';
import { lookBack, recheckInterval } from '../../nodes/CardPlatform/polling/fields';
import { ACTIVATION_BUDGET_MS, POLL_BUDGET_MS } from '../../nodes/CardPlatform/polling/runPoll';
import { MAX_STATE_LENGTH } from '../../nodes/CardPlatform/polling/state';
import { PATIENCE_MS } from '../../nodes/CardPlatform/transport/request';
import type { Effect } from '../../nodes/CardPlatform/transport/types';
import { LEVELS } from '../../nodes/CardPlatform/webhook/receive';
import {
	REPORT_INTERVAL_MS,
	type Response,
	RESPONSES,
} from '../../nodes/CardPlatform/webhook/rejections';
import { MAX_SECRET_AGE_MS } from '../../nodes/CardPlatform/webhook/signingKeys';
import { operations } from '../support/openapi';
import { ALL } from '../support/operations';
import type { Table } from './fill';
import { observe, type Observed, observeWatch, watches } from './observe';
import { code, list, number, time } from './words';
import { columnTables, formatsTable, settingsTable, workflowsTable } from './workflows';

// The tables of the documents that follow from the code; each function gives one, or those of one kind.

/** All tables, by the name in the comment above them. Needs jest's fake timers. */
export async function readTables(): Promise<Record<string, Table>> {
	const all = await readOperations();
	return {
		...operationTables(all),
		nodes: nodesTable(all),
		permissions: await permissionsTable(all),
		endpoints: endpointsTable(),
		limits: limitsTable(),
		'trigger on': EVENT_TYPES.map(({ name, description }) => [name, description]),
		filters: FILTERS.map(({ displayName, description = '' }) => [displayName, description]),
		responses: responsesTable(),
		watches: watches.map(({ name }) => [`**${name}**`]),
		workflows: await workflowsTable(),
		settings: settingsTable(),
		...columnTables(),
		'Bookkeeping formats': formatsTable(),
	};
}

// Operations.

/** Each operation with what its runs have shown, and the fields of its items. */
async function readOperations() {
	const schemas = outputSchemas(z, RESOURCES, eventSchema);
	return await Array.fromAsync(ALL, async ({ parameters, ...one }) => {
		const asByDefault = 'includeDetails' in parameters && { includeDetails: true };
		const observed = await observe({ ...parameters, ...asByDefault });
		return { ...one, ...observed, item: fieldsOf(schemas[`v1.0.0/${one.name}`]) };
	});
}

type Operation = Awaited<ReturnType<typeof readOperations>>[number];

/** Names of fields; a type is named unless it is a string. */
const fieldsOf = ({ properties = {} }: Partial<OutputSchema> = {}): string =>
	Object.entries(properties)
		.map(([name, each]) => {
			const inner = fieldsOf(each.items ?? each);
			const type = each.type === 'string' ? '' : inner ? `${each.type} of ${inner}` : each.type;
			return code(name) + (type && ` (${type})`);
		})
		.join(', ');

const SAFE_TO_REPEAT: Record<Effect, string> = {
	read: 'yes: it reads',
	repeatable: 'yes',
	ordered: 'yes, in order',
	unrepeatable: '**no**',
};

const operationRow = (operation: Operation, _: number, own: Operation[]): string[] => {
	const { verb, description, sends, hasKey, effect, item } = operation;
	const first = own.find((each) => each.item === item) ?? operation;
	return [
		verb,
		description,
		sends.length > 3 ? `${sends.length} kinds of GET` : sends.map(code).join('<br>'),
		hasKey ? 'yes, with the same Idempotency Key' : SAFE_TO_REPEAT[effect],
		first === operation ? item : `as *${first.verb}*`,
	];
};

const byResource = (all: Operation[]) => [...Map.groupBy(all, ({ noun }) => noun)];

/** A table for each resource. */
const operationTables = (all: Operation[]): Record<string, Table> =>
	Object.fromEntries(byResource(all).map(([noun, own]) => [noun, own.map(operationRow)]));

/** Names such as "Card: Get, Update · Payment: Get Many". */
const named = (all: Operation[]) =>
	list(
		byResource(all).map(([noun, own]) => `${noun}: ${list(own.map(({ verb }) => verb))}`),
		' · ',
	);

const nodesTable = (all: Operation[]): Table => [
	['**Card Platform**', named(all)],
	['**Card Platform Trigger**'],
	['**Card Platform Polling Trigger**'],
];

/** What has to be enabled and allowed: for what the operations need, and what the polling trigger watches. */
async function permissionsTable(all: Operation[]): Promise<Table> {
	const needOf = ({ needs }: Observed) => needs.join(' and ') || 'nothing';
	const watched = await Array.fromAsync(watches, async ({ name, value: watch }) => {
		return { name, need: needOf(await observeWatch({ watch })) };
	});
	return [...Map.groupBy(all, needOf)].map(([need, own]) => [
		need,
		named(own.filter(({ onlyReads }) => onlyReads)),
		named(own.filter(({ onlyReads }) => !onlyReads)),
		list(watched.filter((each) => each.need === need).map(({ name }) => name)),
	]);
}

/** The endpoints of §4, with the numbers of their rules. */
const endpointsTable = (): Table =>
	operations.map(({ method, path, rule = '–', summary }) => [
		code(`${method} ${path}`),
		rule,
		summary,
	]);

// Triggers and limits.

const limit = new CardPlatform().description.properties.find(({ name }) => name === 'limit');

const limitsTable = (): Table => [
	['Silence of the API', time(api.REQUEST_TIMEOUT_MS)],
	['Retries of a request', number(api.MAX_RETRIES)],
	['Wait for Retry-After', time(api.MAX_RETRY_AFTER_MS)],
	['Nothing but 429 in an execution', time(PATIENCE_MS.execution)],
	['The same in a manual run, a tool or a poll', time(PATIENCE_MS.watched)],
	['Requests in flight', `${api.DEFAULT_CONCURRENT_REQUESTS}, up to ${MAX_CONCURRENT_REQUESTS}`],
	['Records in a request', number(api.MAX_PAGE_SIZE)],
	['Records of a list, without Return All', number(Number(limit?.default))],
	['Records in a picker', number(MAX_PICKED_RECORDS)],
	['Idempotency Key', `${api.MAX_KEY_LENGTH} characters`],
	['Reading a card before it is changed', time(READ_TIMEOUT_MS)],
	['A poll', time(POLL_BUDGET_MS)],
	['The first poll', time(ACTIVATION_BUDGET_MS)],
	['Events in a poll', number(MAX_EVENTS.perPoll)],
	['The same, with One Execution per Event', number(MAX_EVENTS.perEvent)],
	['Test events', number(MAX_TEST_EVENTS)],
	[lookBack.displayName, `${Number(lookBack.default)}, up to ${lookBack.typeOptions?.maxValue}`],
	[recheckInterval.displayName, number(Number(recheckInterval.default))],
	['Difference of clocks, of API and n8n', time(api.MAX_CLOCK_DIFFERENCE_MS)],
	['A transaction that is listed late', time(api.LATE_TRANSACTION_MS)],
	['An event that is listed after its transaction', time(LATE_EVENT_MS)],
	['Pause before a card that failed is read again', `up to ${time(MAX_BACK_OFF_MS)}`],
	['What a polling trigger remembers', `${number(MAX_STATE_LENGTH)} characters`],
	['Entries of a workflow’s memory of starts', number(LISTED_ENTRIES)],
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
