import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Connection } from '../api/connection';
import { parseJson } from '../api/json';
import { type ListPage, readListPage } from '../api/list';
import { describeBrokenAnswer } from './errors';
import { collectPages } from './pagination';
import { isPaged, type Query, toWireQuery } from './query';
import { type ApiAnswer, type ApiContext, type ApiRequest, send } from './request';
import type { Effect } from './retry';
import { Traffic } from './traffic';

const fieldsOf = (error: z.ZodError | undefined) =>
	error?.issues.map(({ path }) => path.join('.')).filter((path) => path !== '') ?? [];

/** Tells whether an envelope allows further pages; `{data}` and an array are the whole list. */
function isPart({ items, pageSize, totalPages, totalItems, isCapped }: ListPage): boolean {
	if ((totalPages ?? 1) > 1 || (totalItems ?? 0) > items.length) return true;
	const isFull = items.length > 0 && items.length >= (pageSize ?? 0);
	const isCounted = totalPages !== undefined || totalItems !== undefined;
	return isFull && (isCapped === true || (pageSize !== undefined && !isCounted));
}

const objectSchema = z.record(z.string(), z.unknown());

/** What should come back: a schema, and its name in an error, e.g. "a card". */
export interface Expected<T> {
	schema: z.ZodType<T>;
	name: string;
}

/** What a list is asked for. */
export interface ListQuery {
	/** Values under our names. */
	query?: Query;
	/** Values under their names on the wire, sent as they are; these win. */
	custom?: Record<string, string>;
}

/** A request that writes. */
export interface Write {
	body?: IDataObject;
	headers?: Record<string, string>;
}

/** The API as one operation sees it: its requests are retried as the operation's effect allows. */
export interface Api {
	/** The credential that it works with. */
	connection: Connection;
	/** Gets one object. */
	get: <T>(path: string, expected: Expected<T>) => Promise<T>;
	/** Gets an answer whose form is not shown: its JSON, or its text where it is none. */
	getAny: (path: string) => Promise<unknown>;
	/** Gets one page of a list. */
	page: <T>(path: string, query: ListQuery, expected: Expected<T>) => Promise<ListPage<T>>;
	/** Gets at most `limit` items of a list (Infinity for all), page by page. */
	list: <T>(path: string, query: ListQuery, limit: number, expected: Expected<T>) => Promise<T[]>;
	/** Gets a list that is not paged by what is shown of it; should it be, all of its pages. */
	whole: <T>(path: string, query: ListQuery, expected: Expected<T>) => Promise<T[]>;
	/** Writes; gives the object that comes back, undefined where none does. */
	write: (method: 'POST' | 'PATCH', path: string, write?: Write) => Promise<object | undefined>;
	/** Writes, and gives the object that comes back. */
	writeAndGet: <T>(
		method: 'POST' | 'PATCH',
		path: string,
		write: Write,
		expected: Expected<T>,
	) => Promise<T>;
}

/**
 * Makes the API for one operation (§4, §5.1).
 *
 * @param effect of the operation that will use it
 * @param traffic that its requests are part of
 */
export function createApi(
	context: ApiContext,
	connection: Connection,
	effect: Effect,
	traffic = new Traffic(connection.maxInFlight),
): Api {
	const sendAs = async (each: Effect, request: ApiRequest) =>
		await send(context, connection, each, request, traffic);

	const sendRead = async (request: ApiRequest) => await sendAs('read', request);

	const parse = <T>(answer: ApiAnswer, request: ApiRequest, { schema, name }: Expected<T>): T => {
		const parsed = schema.safeParse(parseJson(answer.text));
		if (parsed.success) return parsed.data;
		throw describeBrokenAnswer(name, answer, request, connection, fieldsOf(parsed.error));
	};

	const page: Api['page'] = async (path, { query = {}, custom }, { schema, name }) => {
		const wire = { ...toWireQuery(connection.parameterNames, query), ...custom };
		const request: ApiRequest = { method: 'GET', path, query: wire };
		const answer = await sendRead(request);
		const list = readListPage(parseJson(answer.text));
		const items = schema.array().safeParse(list?.items);
		if (list === undefined || !items.success) {
			throw describeBrokenAnswer(name, answer, request, connection, fieldsOf(items.error));
		}
		return { ...list, items: items.data };
	};

	const list: Api['list'] = async (path, { query, custom }, limit, expected) => {
		const fetchPage = async (number: number, pageSize: number) =>
			await page(path, { query: { ...query, page: number, pageSize }, custom }, expected);

		return await collectPages(fetchPage, {
			limit,
			paged: isPaged(connection.parameterNames),
			slowDown: () => traffic.isSlow,
		});
	};

	return {
		connection,
		page,
		list,

		async whole(path, query, expected) {
			const first = await page(path, query, expected);
			return isPart(first) ? await list(path, query, Infinity, expected) : first.items;
		},

		async get(path, expected) {
			const request: ApiRequest = { method: 'GET', path };
			return parse(await sendRead(request), request, expected);
		},

		async getAny(path) {
			const { text } = await sendRead({ method: 'GET', path });
			return parseJson(text) ?? text;
		},

		async write(method, path, write) {
			const request: ApiRequest = { method, path, ...write };
			const answer = await sendAs(effect, request);
			if (answer.text.trim() === '') return undefined;
			return parse(answer, request, { schema: objectSchema, name: 'an object or an empty body' });
		},

		async writeAndGet(method, path, write, expected) {
			const request: ApiRequest = { method, path, ...write };
			return parse(await sendAs(effect, request), request, expected);
		},
	};
}
