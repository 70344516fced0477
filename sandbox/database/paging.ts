import { z } from 'zod/v4';

import { COUNT_BUDGET, DATE_RANGE_SQL } from '../assumptions.ts';
import type { Database, Params } from './database.ts';

/** Which page of a list, in which direction (§4.3). */
export interface PageRequest {
	sort: 'asc' | 'desc';
	page: number;
	pageSize: number;
}

/** A condition of a list over one `:parameter`, and its value; left out while that is undefined. */
export type ListFilter = [condition: string, value: string | undefined];

/** The two date-time filters of a list (§4.3, §4.8): RFC 3339 in UTC. */
export interface CreatedRange {
	createdAfter?: string | undefined;
	createdBefore?: string | undefined;
}

interface ListSource<T> {
	schema: z.ZodType<T>;
	from: string;
	/** All of them must hold. */
	filters: ListFilter[];
	/** Columns or conditions that together differ from item to item; by default the creation time and the id. */
	orderBy?: string[];
}

export const pageSchema = <T extends z.ZodType>(item: T) =>
	z.object({
		data: z.array(item),
		page: z.number(),
		pageSize: z.number(),
		totalItemCount: z.number(),
		totalPages: z.number(),
		totalItemCountCapped: z.boolean(),
	});

export type Page<T> = z.infer<ReturnType<typeof pageSchema<z.ZodType<T>>>>;

/** The filters of each list of the API: what belongs to some accounts, and when it was created (assumption DATE_RANGE_SQL). */
export const ofAccounts = (
	accountIds: number[],
	{ createdAfter, createdBefore }: CreatedRange,
): ListFilter[] => [
	['accountId in (select value from json_each(:accountIds))', JSON.stringify(accountIds)],
	[`createdAt ${DATE_RANGE_SQL.after} :createdAfter`, createdAfter],
	[`createdAt ${DATE_RANGE_SQL.before} :createdBefore`, createdBefore],
];

/**
 * Gives one page of a list. Counting stops after {@link COUNT_BUDGET} items; the totals are then lower
 * bounds (§2 envelope, §8), while pages beyond them can still be read.
 */
export function listPage<T>(
	db: Database,
	{ schema, from, filters, orderBy = ['createdAt', 'id'] }: ListSource<T>,
	{ sort, page, pageSize }: PageRequest,
): Page<T> {
	const params: Params = {};
	const conditions = ['true'];
	for (const [condition, value] of filters) {
		const [, parameter] = /:(\w+)/.exec(condition) ?? [];
		if (value === undefined || parameter === undefined) continue;
		conditions.push(condition);
		params[parameter] = value;
	}
	const matching = `from ${from} where ${conditions.join(' and ')}`;
	const order = orderBy.map((column) => `${column} ${sort}`).join(', ');
	const data = db.all(
		schema,
		`select * ${matching} order by ${order} limit :pageSize offset :offset`,
		{ ...params, pageSize, offset: (page - 1) * pageSize },
	);
	const found = db.get(
		z.object({ count: z.number() }),
		`select count(*) as count from (select 1 ${matching} limit :countLimit)`,
		{ ...params, countLimit: COUNT_BUDGET + 1 },
	);
	const counted = found?.count ?? 0;
	const totalItemCount = Math.min(counted, COUNT_BUDGET);
	return {
		data,
		page,
		pageSize,
		totalItemCount,
		totalPages: Math.max(1, Math.ceil(totalItemCount / pageSize)),
		totalItemCountCapped: counted > COUNT_BUDGET,
	};
}
