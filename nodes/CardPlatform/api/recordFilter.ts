import { addDays, type CalendarDate } from './dates';
import { timeOf } from './event';
import type { Query } from './parameterNames';
import { fold, isBlank, isDataObject, toText } from './values';

/**
 * One filter on the records of a list. The node checks each record: the names of query parameters are undocumented
 * (§4), and an API may ignore them. The query only saves requests.
 */
export interface RecordFilter {
	/** Its name in the form. Absent, like the next two, if the API cannot filter by this. */
	label?: string;
	/** The field of a record that it looks at. */
	field?: string;
	/** What the API is asked for, under our names. */
	query?: Query;
	/** Whether a record passes; undefined if the value of its field cannot be read. */
	passes: (record: Record<string, unknown>) => boolean | undefined;
	/** Whether the query, which is wider at the ends of a range, covers the record. */
	isRequested?: (record: Record<string, unknown>) => boolean;
}

export interface ListQuery {
	/** Values under our names. */
	query?: Query;
	/** Filters that each record has to pass; the API is asked for them, too. */
	filters?: readonly RecordFilter[];
	/** Values under their names on the wire, sent as they are; these win. */
	custom?: Record<string, string>;
}

/** A range of time from its start (included) to its end (not included), in milliseconds since 1970. */
export interface TimeRange {
	/** The field of the form that sets it. */
	label?: string;
	from: number;
	to: number;
}

/** Whether the ends of a range are included is undocumented, so more is asked for at each end. */
const MARGIN_MS = 1_000;

const toQueryTime = (time: number): string | undefined =>
	Number.isFinite(time) ? new Date(time).toISOString() : undefined;

/** Passes records that were created in a range (§4.3, §4.8). */
export function createdIn({ label = 'Period', from, to }: TimeRange): RecordFilter {
	const [first, last] = [from - MARGIN_MS, to + MARGIN_MS];
	return {
		label,
		field: 'createdAt',
		query: { createdAfter: toQueryTime(first), createdBefore: toQueryTime(last) },
		passes(record) {
			const time = timeOf(record);
			return Number.isNaN(time) ? undefined : time >= from && time < to;
		},
		isRequested: (record) => timeOf(record) >= first && timeOf(record) <= last,
	};
}

/** Passes payments that are due in a range, both days included (§4.9). The API is asked for a day more at each end. */
export function dueIn({ from, to }: { from: CalendarDate; to: CalendarDate }): RecordFilter {
	const dayOf = ({ dueDate }: Record<string, unknown>) => (toText(dueDate) ?? '').slice(0, 10);
	const isIn = (first: CalendarDate, last: CalendarDate) => (record: Record<string, unknown>) =>
		first <= dayOf(record) && dayOf(record) <= last;
	return {
		label: 'Period',
		field: 'dueDate',
		query: {},
		passes: isIn(from, to),
		isRequested: isIn(addDays(from, -1), addDays(to, 1)),
	};
}

/** Passes records whose field has a value, such as the ID of a card. */
export const equals = (label: string, field: 'cardId' | 'status', value: string): RecordFilter => ({
	label,
	field,
	query: { [field]: value },
	passes: (record) => toText(record[field])?.toLowerCase() === value.toLowerCase(),
});

/** Passes records with one of these statuses. The API is asked for a single one only: the query for several is undocumented. */
export function isOneOf(statuses: string[]): RecordFilter {
	const each = statuses.map((status) => equals('Status', 'status', status));
	const passes = (record: Record<string, unknown>) => each.some((filter) => filter.passes(record));
	const [only] = each.length === 1 ? each : [];
	return only ?? { passes };
}

/** Passes records whose name contains a string, regardless of case. What the API's own filter (§4.3) finds is undocumented. */
export const nameContains = (part: string): RecordFilter => ({
	passes: ({ name }) => fold(name)?.includes(fold(part) ?? '') === true,
});

const has = (record: unknown, { field }: RecordFilter): boolean =>
	isDataObject(record) && (field === undefined || !isBlank(record[field]));

const ignored = ({ label, query = {} }: RecordFilter): string => {
	const names = Object.keys(query);
	const hint = `The API ignores the filter ${label}: this node left out the records that do not match.`;
	return names.length === 0
		? hint
		: `${hint} To save requests, set the name that the API uses for ${names.join(' and ')} in the Card Platform API credential under Advanced, Parameter Names.`;
};

const unchecked = ({ label, field }: RecordFilter): string =>
	`Could not verify filter ${label}: no record has ${field}. Check the output, which is as the API sent it.`;

/** Says how many records a filter left out because it could not read their field. */
export const unreadable = (field: string | undefined, count: number): string =>
	`This node left out records whose ${field} it could not read: ${count}.`;

const unordered =
	'Could not verify the order: no record has a readable createdAt. The output is in the order of the API.';

/**
 * The records of one list that pass all filters. A record without the field of a filter does not pass. If no record
 * has it (the fields of settlements are undocumented, §2), the API's filter is trusted.
 */
export class MatchingRecords<T> {
	/** Those that pass, in the order in which they were added. */
	items: T[] = [];

	/** Whether all that were added came in the order that the API was asked for. */
	isSorted = true;

	private readonly filters: readonly RecordFilter[];
	private readonly sign: number;
	private readonly known = new Set<RecordFilter>();
	private readonly ignored = new Set<RecordFilter>();
	private readonly unreadable = new Map<RecordFilter, number>();
	private count = 0;
	private last = Number.NaN;

	/** `sort`: the order by `createdAt` that the API was asked for, `asc` or `desc`. */
	constructor(filters: readonly RecordFilter[], sort?: Query['sort']) {
		this.filters = filters;
		this.sign = sort === undefined ? 0 : sort === 'asc' ? 1 : -1;
	}

	/** Adds the records of a page that pass, and gives those that do not. */
	add(records: readonly T[]): T[] {
		this.count += records.length;
		for (const time of records.map((record) => this.rank(record))) {
			if (time < this.last) this.isSorted = false;
			if (!Number.isNaN(time)) this.last = time;
		}
		for (const filter of this.filters) {
			if (this.known.has(filter) || !records.some((record) => has(record, filter))) continue;
			this.known.add(filter);
			// None of those before has the field.
			this.items = [];
		}
		return records.filter((record) => {
			const passes = this.filters.every((filter) => this.passes(record, filter));
			if (passes) this.items.push(record);
			return !passes;
		});
	}

	/** Sorts the records; those without a readable time come last. */
	sort(): void {
		const ranked = this.items.map((record) => ({ record, rank: this.rank(record) }));
		ranked.sort(
			(a, b) => a.rank - b.rank || Number(Number.isNaN(a.rank)) - Number(Number.isNaN(b.rank)),
		);
		this.items = ranked.map(({ record }) => record);
	}

	/** Whether each filter has been applied. One whose field no record has may still find it in a later one. */
	get allApplied(): boolean {
		return this.filters.every((filter) => this.known.has(filter));
	}

	/** What the person should know: that the API ignores a filter, or that the node cannot check it. */
	get hints(): string[] {
		const isUnchecked = (filter: RecordFilter) => filter.query && !this.known.has(filter);
		const isUnordered = this.sign !== 0 && Number.isNaN(this.last);
		return [
			...[...this.ignored].map(ignored),
			...[...this.unreadable].map(([{ field }, count]) => unreadable(field, count)),
			...(this.count > 0 ? this.filters.filter(isUnchecked).map(unchecked) : []),
			...(this.count > 1 && isUnordered ? [unordered] : []),
		];
	}

	/** What the records are sorted by: 0 for all, or NaN, without an order. */
	private rank(record: T): number {
		return isDataObject(record) ? this.sign * timeOf(record) : Number.NaN;
	}

	private passes(record: T, filter: RecordFilter): boolean {
		if (!isDataObject(record) || !has(record, filter)) {
			return filter.query !== undefined && !this.known.has(filter);
		}
		const passes = filter.passes(record);
		if (passes === undefined) this.unreadable.set(filter, (this.unreadable.get(filter) ?? 0) + 1);
		if (passes === false && filter.query && filter.isRequested?.(record) !== true)
			this.ignored.add(filter);
		return passes === true;
	}
}
