import type { INodeProperties } from 'n8n-workflow';

import {
	type Bound,
	type CalendarDate,
	type Period,
	PERIODS,
	toDays,
	toInstant,
} from '../api/dates';
import {
	createdIn,
	equals,
	nameContains,
	type RecordFilter,
	type TimeRange,
} from '../api/recordFilter';
import { UserError } from '../api/userError';
import type { ListQuery } from '../transport/client';
import type { Collection, ItemParameters } from './parameters';

const IN_ZONE = 'in the time zone of the workflow';

/** A day that the editor picks without a time. */
const date = (displayName: string, name: string, description: string): INodeProperties => ({
	displayName,
	name,
	type: 'dateTime',
	typeOptions: { dateOnly: true },
	default: '',
	description,
});

/** Filters on the time of creation (§4.3); a form has them in the order of their labels. */
export const createdBetween: INodeProperties[] = [
	date(
		'Created From',
		'createdAfter',
		`Return only results created on this date or later, ${IN_ZONE}. An expression can also give a time.`,
	),
	date(
		'Created Until',
		'createdBefore',
		`Return only results created on this date or earlier, ${IN_ZONE}. An expression can also give a time: then only what was created before it.`,
	),
];

const periodOptions = PERIODS.map(({ name, value }) => ({ name, value }));

/** The filter on days that move with the calendar. */
export const period: INodeProperties = {
	displayName: 'Period',
	name: 'period',
	type: 'options',
	options: periodOptions,
	default: 'lastMonth',
	description: `Return only results created in this period, ${IN_ZONE}`,
};

const ifCustom = { show: { period: ['custom'] } };

/** The range of due dates (§4.9). */
export const duePeriod: INodeProperties[] = [
	{
		displayName: 'Period',
		name: 'period',
		type: 'options',
		options: [{ name: 'Custom', value: 'custom' }, ...periodOptions],
		default: 'custom',
		description: `When the payments are due, ${IN_ZONE}`,
	},
	{
		...date(
			'Due From',
			'from',
			'The first due date of the range. A date-time counts as its day in the time zone of the workflow.',
		),
		displayOptions: ifCustom,
		required: true,
	},
	{
		...date(
			'Due Until',
			'to',
			'The last due date of the range. It can be more than a year after the first: the node then reads year by year.',
		),
		displayOptions: ifCustom,
		required: true,
	},
];

const toPeriod = (value: string | undefined): Period | undefined =>
	PERIODS.find((each) => each.value === value);

/** Finds the days of a period, and says which they are: "this month" depends on a time zone. */
function findDays({ context, index }: ItemParameters, chosen: Period) {
	const timezone = context.getTimezone();
	const { from, to } = toDays(chosen, timezone);
	if (index === 0) {
		const range = from === to ? from : `${from} to ${to}`;
		const whose = context.getInputData().length > 1 ? ' of item 0' : '';
		context.addExecutionHints({
			message: `The period${whose} is ${range} in the time zone ${timezone}. To change the time zone, open the settings of the workflow.`,
			type: 'info',
			location: 'outputPane',
		});
	}
	return { from, to };
}

/** Reads the filters on the time of creation; undefined if there is none. A local time that comes twice means both. */
export function readPeriod(item: ItemParameters, filters: Collection): TimeRange | undefined {
	const [bound] = createdBetween.filter(({ name }) => name in filters.values);
	const chosen = toPeriod(filters.string('period'));
	if (chosen !== undefined && bound !== undefined) {
		throw new UserError(
			`Period and ${bound.displayName} cannot be combined`,
			`Remove "Period" or "${bound.displayName}" from "Filters".`,
		);
	}
	if (chosen !== undefined) {
		const days = findDays(item, chosen);
		const timeOf = (day: CalendarDate, bound: Bound) =>
			Date.parse(toInstant(day, item.context.getTimezone(), 'Period', bound));
		return { from: timeOf(days.from, 'start'), to: timeOf(days.to, 'end') };
	}
	if (bound === undefined) return undefined;
	const after = filters.instant('createdAfter');
	const before = filters.instant('createdBefore', 'end');
	const from = after === undefined ? -Infinity : Date.parse(after);
	const to = before === undefined ? Infinity : Date.parse(before);
	if (from < to) return { label: bound.displayName, from, to };
	throw new UserError(
		`Created Until is not after Created From: ${before}, ${after}`,
		'Set "Created Until" to a later time than "Created From".',
	);
}

/** Reads {@link duePeriod}: the first and the last due date. */
export function readDuePeriod(item: ItemParameters): { from: CalendarDate; to: CalendarDate } {
	const chosen = toPeriod(item.oneOf('period', 'custom'));
	if (chosen !== undefined) return findDays(item, chosen);
	const from = item.date('from');
	const to = item.date('to');
	if (from <= to) return { from, to };
	throw new UserError(
		`Due From (${from}) is later than Due Until (${to})`,
		'Set "Due From" to the first day and "Due Until" to the last.',
	);
}

/**
 * Reads the query of a list of cards, transactions or settlements (§4.3, §4.8, §4.11): the "Filters", "Options"
 * and "Sort" that its form offers. Nothing else is sent: the API might refuse what it does not know.
 */
export function readListQuery(
	item: ItemParameters,
	more: RecordFilter[] = [],
	isDocumented = true,
): ListQuery {
	const filters = item.collection('filters');
	const added = <T>(value: T | undefined, toFilter: (value: T) => RecordFilter) =>
		value === undefined ? [] : [toFilter(value)];
	return {
		query: { sort: item.collection('sort').string('createdAt') },
		filters: [
			...added(filters.string('name'), nameContains),
			...added(filters.string('status'), (status) => equals('Status', 'status', status)),
			...added(filters.uuid('cardId'), (cardId) => equals('Card', 'cardId', cardId)),
			...added(readPeriod(item, filters), (range) => createdIn(range, isDocumented)),
			...more,
		],
		custom: item.collection('options').stringMap('customQuery'),
	};
}
