import { addDays, type CalendarDate } from './dates';
import { timeOf } from './event';
import { isDataObject } from './json';
import type { Query } from './parameterNames';
import { isBlank, toText } from './values';

/**
 * One filter on the records of a list. The names of query parameters are undocumented (§4), and an API may ignore
 * what it does not know: so the API is asked only to save requests, and the node makes sure.
 */
export interface RecordFilter {
	/** Its name in the form; absent, like what follows, where the API cannot filter by this. */
	label?: string;
	/** The field of a record that it looks at. */
	field?: string;
	/** Whether the field has a format that the node knows. */
	isReadable?: (record: Record<string, unknown>) => boolean;
	/** What the API is asked for, under our names. */
	query?: Query;
	/** Whether a record passes. */
	passes: (record: Record<string, unknown>) => boolean;
	/** Whether the API was asked for the record: at the ends of a range for more than what passes. */
	isRequested?: (record: Record<string, unknown>) => boolean;
}

/** The query of a list. */
export interface ListQuery {
	/** Values under our names. */
	query?: Query;
	/** What only matching records pass; the API is asked for them, too. */
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

/**
 * Passes records that were created in a range (§4.3, §4.8). Where the fields of the records are undocumented, their
 * times may have a format that the node does not know.
 */
export function createdIn(
	{ label = 'Period', from, to }: TimeRange,
	isDocumented = true,
): RecordFilter {
	const [first, last] = [from - MARGIN_MS, to + MARGIN_MS];
	return {
		label,
		field: 'createdAt',
		isReadable: (record) => isDocumented || !Number.isNaN(timeOf(record)),
		query: { createdAfter: toQueryTime(first), createdBefore: toQueryTime(last) },
		passes: (record) => timeOf(record) >= from && timeOf(record) < to,
		isRequested: (record) => timeOf(record) >= first && timeOf(record) <= last,
	};
}

/** Passes payments that are due in a range, both days included (§4.9). The API is asked for a day more at each end. */
export function dueIn({ from, to }: { from: CalendarDate; to: CalendarDate }): RecordFilter {
	const dayOf = ({ dueDate }: Record<string, unknown>) => toText(dueDate)?.slice(0, 10) ?? '';
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

/** Passes records with one of these statuses. How an API is asked for several is undocumented, so it is not. */
export function isOneOf(statuses: string[]): RecordFilter {
	const each = statuses.map((status) => equals('Status', 'status', status));
	const [first, ...others] = each;
	const passes: RecordFilter['passes'] = (record) => each.some((filter) => filter.passes(record));
	return first !== undefined && others.length === 0 ? first : { passes };
}

/** Two ways to write one accent are the same. */
const fold = (name: string): string => name.normalize().toLowerCase();

/** Passes records whose name contains a string, regardless of case (§4.3). */
export const nameContains = (part: string): RecordFilter => ({
	label: 'Name',
	field: 'name',
	query: { name: part },
	passes: ({ name }) => fold(toText(name) ?? '').includes(fold(part)),
});

const has = (record: unknown, { field, isReadable = () => true }: RecordFilter): boolean =>
	isDataObject(record) && (field === undefined || (!isBlank(record[field]) && isReadable(record)));

const ignored = ({ label, query = {} }: RecordFilter): string => {
	const names = Object.keys(query);
	const hint = `The API ignores the filter ${label}: it also sent records that do not match, and this node left them out.`;
	return names.length === 0
		? hint
		: `${hint} To save requests, set the name that the API uses for ${names.join(' and ')} in the Card Platform API credential under Advanced, Parameter Names.`;
};

const unchecked = ({ label, field }: RecordFilter): string =>
	`The node cannot check the filter ${label}, because no record has a readable ${field}. The output is what the API returned for this filter: compare it with what you expect.`;

/**
 * The records of one list that pass all filters. A record without a field does not pass; where no record of the
 * list has it, or has it in a format that the node knows (the fields of settlements are undocumented, §2), the API's filter is trusted.
 */
export class MatchingRecords<T> {
	/** Those that pass, in the order in which they were added. */
	items: T[] = [];

	private readonly filters: readonly RecordFilter[];
	private readonly known = new Set<RecordFilter>();
	private readonly ignored = new Set<RecordFilter>();
	private count = 0;

	constructor(filters: readonly RecordFilter[]) {
		this.filters = filters;
	}

	/** Adds the records of a page that pass. */
	add(records: readonly T[]): void {
		this.count += records.length;
		for (const filter of this.filters) {
			if (this.known.has(filter) || !records.some((record) => has(record, filter))) continue;
			this.known.add(filter);
			this.items = this.items.filter((record) => has(record, filter));
		}
		for (const record of records) {
			if (this.filters.every((filter) => this.passes(record, filter))) this.items.push(record);
		}
	}

	/** Whether each filter has been applied: not while no record has its field, as a later one may. */
	get allApplied(): boolean {
		return this.filters.every((filter) => filter.query === undefined || this.known.has(filter));
	}

	/** What the person should know: that the API ignores a filter, or that the node cannot check it. */
	get hints(): string[] {
		const isUnchecked = (filter: RecordFilter) => filter.query && !this.known.has(filter);
		return [
			...[...this.ignored].map(ignored),
			...(this.count > 0 ? this.filters.filter(isUnchecked).map(unchecked) : []),
		];
	}

	private passes(record: T, filter: RecordFilter): boolean {
		if (!isDataObject(record) || !has(record, filter)) {
			return filter.query !== undefined && !this.known.has(filter);
		}
		if (filter.passes(record)) return true;
		if (filter.query !== undefined && filter.isRequested?.(record) !== true)
			this.ignored.add(filter);
		return false;
	}
}
