import {
	type CalendarDate,
	NEXT_PERIODS,
	type Period,
	PERIODS,
	toCalendarDate,
	toDays,
	toInstant,
} from '../api/dates';
import { choice, type Field, type ReadIfAdded, text, toOptions } from '../api/field';
import {
	createdIn,
	equals,
	isOneOf,
	type ListQuery,
	nameContains,
	type RecordFilter,
	type TimeRange,
} from '../api/recordFilter';
import { UserError } from '../api/userError';
import { toList } from '../api/values';
import type { Api } from '../transport/client';
import { customQuery, sort, sortDirection } from './fields';
import type { Item } from './operation';
import { cardIdFilter } from './pickers';

const IN_ZONE = 'in the time zone of the workflow';

/** A date field: the editor picks a day, without a time. */
const date = <T>(
	displayName: string,
	name: string,
	description: string,
	parse: (value: unknown, label: string, timezone: string) => T,
): Field<T> => ({
	displayName,
	name,
	type: 'dateTime',
	typeOptions: { dateOnly: true },
	default: '',
	description,
	parse,
});

const createdFrom = date(
	'Created From',
	'createdAfter',
	`Return only results created on this date or later, ${IN_ZONE}. An expression can also give a time.`,
	toInstant('start'),
);

const createdUntil = date(
	'Created Until',
	'createdBefore',
	`Return only results created on this date or earlier, ${IN_ZONE}. An expression can also give a time: results end just before it.`,
	toInstant('end'),
);

export const nameFilter = text({
	displayName: 'Name',
	name: 'name',
	placeholder: 'e.g. Travel',
	description: 'Return only cards whose name contains this. Not case-sensitive.',
});

export const period = choice({
	displayName: 'Period',
	name: 'period',
	options: toOptions(PERIODS),
	default: 'lastMonth',
	description: `Return only results created in this period, ${IN_ZONE}`,
});

const CUSTOM = { name: 'Custom', value: 'custom' };

/** How far back to read the events of all cards. */
export const periodOfAll = choice({
	displayName: 'Period',
	name: 'period',
	options: [CUSTOM, ...toOptions(PERIODS)],
	default: 'last7Days',
	description:
		'How far back to read. Custom needs the filter Created From; Created Until is optional.',
});

/** Filters on the time of creation (§4.3), the most used first. */
export const createdBetween = [period, createdFrom, createdUntil];

/** The filter Status of any list; each form offers its own values. */
const status = text({ displayName: 'Status', name: 'status' }, (value, label) =>
	toList(value, label, 'statuses'),
);

const dueIn = choice({
	displayName: 'Period',
	name: 'period',
	options: [CUSTOM, ...toOptions([...PERIODS, ...NEXT_PERIODS])],
	default: 'lastMonth',
	description: `When the payments are due, ${IN_ZONE}`,
});

const ifCustom = { displayOptions: { show: { period: ['custom'] } }, required: true };

const dueFrom = {
	...date(
		'Due From',
		'from',
		'The first due date of the range. A date-time counts as its day in the time zone of the workflow.',
		toCalendarDate,
	),
	...ifCustom,
};

const dueUntil = {
	...date(
		'Due Until',
		'to',
		'The last due date of the range. It can be more than a year after the first: the node then reads year by year.',
		toCalendarDate,
	),
	...ifCustom,
};

export const duePeriod = [dueIn, dueFrom, dueUntil];

const toPeriod = (value: string | undefined): Period | undefined =>
	[...NEXT_PERIODS, ...PERIODS].find((each) => each.value === value);

/** Finds the days of a period, and reports them: "this month" depends on the time zone. */
function findDays(api: Api, { context, index }: Item, chosen: Period) {
	const timezone = context.getTimezone();
	const { from, to } = toDays(chosen, timezone);
	if (index === 0) {
		const range = from === to ? from : `${from} to ${to}`;
		const whose = context.getInputData().length > 1 ? ' of item 0' : '';
		api.report(
			`The period${whose} is ${range} in the time zone ${timezone}. To change the time zone, open the settings of the workflow.`,
		);
	}
	return { from, to };
}

/** Reads the filters on the time of creation; without any, gives the `fallback`. */
export function readPeriod(
	api: Api,
	item: Item,
	find: ReadIfAdded,
	fallback?: string,
): TimeRange | undefined {
	const from = find(createdFrom);
	const to = find(createdUntil);
	const bound = from === undefined ? createdUntil : createdFrom;
	const hasBound = from !== undefined || to !== undefined;
	const chosen = toPeriod(find(period) ?? (hasBound ? undefined : fallback));
	if (chosen !== undefined) {
		if (hasBound) {
			throw new UserError(
				`Period and ${bound.displayName} cannot be combined`,
				`Remove "Period" or "${bound.displayName}" from "Filters".`,
			);
		}
		const days = findDays(api, item, chosen);
		const zone = item.context.getTimezone();
		return {
			from: createdFrom.parse(days.from, 'Period', zone),
			to: createdUntil.parse(days.to, 'Period', zone),
		};
	}
	if (!hasBound) return undefined;
	const range = { label: bound.displayName, from: from ?? -Infinity, to: to ?? Infinity };
	if (range.from < range.to) return range;
	const shown = [range.to, range.from].map((time) => new Date(time).toISOString());
	throw new UserError(
		`Created Until is not after Created From: ${shown.join(', ')}`,
		'Set "Created Until" to a later time than "Created From".',
	);
}

/** Reads {@link duePeriod}: the first and the last due date. */
export function readDuePeriod(api: Api, item: Item): { from: CalendarDate; to: CalendarDate } {
	const chosen = toPeriod(item.get(dueIn));
	if (chosen !== undefined) return findDays(api, item, chosen);
	const from = item.get(dueFrom);
	const to = item.get(dueUntil);
	if (from <= to) return { from, to };
	throw new UserError(
		`Due From (${from}) is later than Due Until (${to})`,
		'Set "Due From" to the first day and "Due Until" to the last.',
	);
}

/**
 * Reads the query of a list of cards, transactions or settlements (§4.3, §4.8, §4.11) from "Filters", "Options"
 * and "Sort". It has only what was added: the API might refuse what it does not know.
 */
export function readListQuery(
	api: Api,
	item: Item,
	filters: Field<ReadIfAdded>,
	options: Field<ReadIfAdded>,
	more: RecordFilter[] = [],
): ListQuery {
	const find = item.get(filters);
	const added = <T>(value: T | undefined, toFilter: (value: T) => RecordFilter) =>
		value === undefined ? [] : [toFilter(value)];
	return {
		query: { sort: item.get(sort)(sortDirection) },
		filters: [
			...added(find(nameFilter), nameContains),
			...added(find(status), isOneOf),
			...added(find(cardIdFilter), (value) => equals('Card', 'cardId', value)),
			...added(readPeriod(api, item, find), createdIn),
			...more,
		],
		custom: item.get(options)(customQuery),
	};
}
