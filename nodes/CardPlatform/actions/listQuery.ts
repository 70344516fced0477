import type { INodeProperties } from 'n8n-workflow';

import { type CalendarDate, toDays, toInstant } from '../api/dates';
import { UserError } from '../api/userError';
import type { ListQuery } from '../transport/client';
import { type Collection, type ItemParameters, MAX_DAYS } from './parameters';

const MOVING = [
	{ name: 'Last Month', value: 'lastMonth' },
	{ name: 'This Month', value: 'thisMonth' },
	{ name: 'Today', value: 'today' },
	{ name: 'Yesterday', value: 'yesterday' },
] as const;

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
		'Created After',
		'createdAfter',
		`Return only results created on this date or later, ${IN_ZONE}. An expression can also give a time.`,
	),
	date(
		'Created Before',
		'createdBefore',
		`Return only results created on this date or earlier, ${IN_ZONE}. An expression can also give a time: then only what was created before it.`,
	),
];

/** The filter on days that are counted back from today. */
export const lastDays: INodeProperties = {
	displayName: 'Last Days',
	name: 'lastDays',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_DAYS },
	default: 7,
	description: `Return only results created in the last days, ${IN_ZONE}. Today counts as one of them.`,
};

/** The filter on days that move with the calendar. */
export const period: INodeProperties = {
	displayName: 'Period',
	name: 'period',
	type: 'options',
	options: [...MOVING],
	default: 'lastMonth',
	description: `Return only results created in this period, ${IN_ZONE}`,
};

const onlyFor = (chosen: string) => ({ show: { period: [chosen] } });

/** The range of due dates (§4.9). */
export const duePeriod: INodeProperties[] = [
	{
		displayName: 'Period',
		name: 'period',
		type: 'options',
		options: [
			{ name: 'Custom', value: 'custom' },
			{ name: 'Last Days', value: 'lastDays' },
			...MOVING,
		],
		default: 'custom',
		description: `When the payments are due, ${IN_ZONE}`,
	},
	{
		...date(
			'Due From',
			'from',
			'The first due date of the range. A date-time counts as its day in the time zone of the workflow.',
		),
		displayOptions: onlyFor('custom'),
		required: true,
	},
	{
		...date(
			'Due To',
			'to',
			'The last due date of the range. It can be more than a year after the first: the node then reads year by year.',
		),
		displayOptions: onlyFor('custom'),
		required: true,
	},
	{
		displayName: 'Days',
		name: 'days',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MAX_DAYS },
		displayOptions: onlyFor('lastDays'),
		default: 30,
		description: 'How many days, up to today. Today counts as one of them.',
	},
];

const toMoving = (value: string | undefined) =>
	MOVING.find((moving) => moving.value === value)?.value;

/** Finds the days of a period, and says which they are: "this month" depends on a time zone. */
function findDays({ context, index }: ItemParameters, chosen: Parameters<typeof toDays>[0]) {
	const timezone = context.getTimezone();
	const days = toDays(chosen, timezone);
	if (index === 0) {
		const { from, to } = days;
		const range = from === to ? from : `${from} to ${to}`;
		const whose = context.getInputData().length > 1 ? ' of item 0' : '';
		context.addExecutionHints({
			message: `The period${whose} is ${range} in the time zone ${timezone}. To change the time zone, open the settings of the workflow.`,
			type: 'info',
			location: 'outputPane',
		});
	}
	return days;
}

/**
 * Reads the filters on the time of creation, as RFC 3339 strings in UTC: the widest range that they
 * allow, so that no record is left out.
 *
 * @throws UserError if they contradict each other
 */
export function readPeriod(
	item: ItemParameters,
	filters: Collection,
): { createdAfter?: string; createdBefore?: string } {
	const isChosen = ({ name }: INodeProperties) => name in filters.values;
	const [first, ...others] = [...createdBetween, lastDays, period].filter(isChosen);
	const other = others.find((each) => !createdBetween.includes(each));
	if (first !== undefined && other !== undefined) {
		throw new UserError(
			`${other.displayName} and ${first.displayName} cannot be combined`,
			`Remove "${other.displayName}" or "${first.displayName}" from "Filters".`,
		);
	}
	const chosen = filters.days('lastDays') ?? toMoving(filters.string('period'));
	if (chosen !== undefined) {
		const { from, to } = findDays(item, chosen);
		const timezone = item.context.getTimezone();
		return {
			createdAfter: toInstant(from, timezone, 'Period'),
			createdBefore: toInstant(to, timezone, 'Period', 'end'),
		};
	}
	const createdAfter = filters.instant('createdAfter');
	const createdBefore = filters.instant('createdBefore', 'end');
	if (createdAfter === undefined || createdBefore === undefined)
		return { createdAfter, createdBefore };
	if (Date.parse(createdAfter) < Date.parse(createdBefore)) return { createdAfter, createdBefore };
	throw new UserError(
		`Created Before is not after Created After: ${createdBefore}, ${createdAfter}`,
		'Set "Created Before" to a later time than "Created After".',
	);
}

/**
 * Reads {@link duePeriod}: the first and the last due date.
 *
 * @throws UserError if the last is before the first
 */
export function readDuePeriod(item: ItemParameters): { from: CalendarDate; to: CalendarDate } {
	const chosen = item.oneOf('period', 'custom');
	if (chosen === 'lastDays') return findDays(item, item.days('days'));
	const moving = toMoving(chosen);
	if (moving !== undefined) return findDays(item, moving);
	const from = item.date('from');
	const to = item.date('to');
	if (from <= to) return { from, to };
	throw new UserError(
		`Due From (${from}) is later than Due To (${to})`,
		'Set "Due From" to the first day and "Due To" to the last.',
	);
}

/**
 * Reads the query of a list of cards, transactions or settlements (§4.3, §4.8, §4.11): the "Filters",
 * "Options" and "Sort" that the operation's form offers. Nothing is sent that the person did
 * not add, as the API might refuse a parameter that it does not know.
 *
 * @throws UserError
 */
export function readListQuery(item: ItemParameters): ListQuery {
	const filters = item.collection('filters');
	return {
		query: {
			name: filters.string('name'),
			status: filters.string('status'),
			cardId: filters.uuid('cardId'),
			...readPeriod(item, filters),
			sort: item.collection('sort').string('createdAt'),
		},
		custom: item.collection('options').stringMap('customQuery'),
	};
}
