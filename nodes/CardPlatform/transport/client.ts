import type { GenericValue, IDataObject } from 'n8n-workflow';
import type { z } from 'zod';

import type { ApiConfig } from '../api/config';
import { parseJson } from '../api/json';
import { type ListPage, readListPage } from '../api/list';
import { anyJson, objectSchema } from '../api/schemas';
import { unexpectedResponse } from './errors';
import { Limiter } from './limiter';
import { collectPages, mayHaveMorePages } from './pagination';
import { type Query, toWireQuery } from './query';
import { createSend, stopSignal } from './request';
import type { ApiContext, ApiRequest, ApiResponse, Effect } from './types';

const fieldsOf = (error: z.ZodError | undefined) =>
	error?.issues.map(({ path }) => path.join('.')).filter((path) => path !== '');

/** What should come back: a schema, and its name in an error, e.g. "a card". */
interface Expected<T> {
	schema: z.ZodType<T>;
	name: string;
}

/** The query of a list. */
export interface ListQuery {
	/** Values under our names. */
	query?: Query;
	/** Values under their names on the wire, sent as they are; these win. */
	custom?: Record<string, string>;
}

/** A list that was cut at its limit, and perhaps goes on. */
export interface Cut {
	limit: number;
	/** Records there are; absent where nobody knows. */
	total?: number;
	/** True where there may be more than the total. */
	isAtLeast?: boolean;
}

/** What a request that writes carries. */
interface Payload {
	body?: IDataObject;
	headers?: Record<string, string>;
}

/** The API as one operation sees it: its requests are retried as the operation's effect allows. */
export interface Api {
	/** The credential that it works with. */
	config: ApiConfig;
	/** Runs a task for each item, as many together as there may be requests; starts none after a failure. */
	mapConcurrent: Limiter['mapConcurrent'];
	/** Gets one object. */
	get: <T>(path: string, expected: Expected<T>) => Promise<T>;
	/** Gets a response of unknown shape: its JSON, or its string where it is not JSON. */
	getRaw: (path: string) => Promise<GenericValue>;
	/** Gets one page of a list. */
	page: <T>(path: string, query: ListQuery, expected: Expected<T>) => Promise<ListPage<T>>;
	/** Gets at most `limit` items of a list (Infinity for all), page by page; only those that match. */
	list: <T>(
		path: string,
		query: ListQuery,
		limit: number,
		expected: Expected<T>,
		matches?: (item: T) => boolean,
	) => Promise<T[]>;
	/** Gets a list whose pages are undocumented: if the response says that it has more, all of them. */
	listUnpaginated: <T>(path: string, query: ListQuery, expected: Expected<T>) => Promise<T[]>;
	/**
	 * Cuts a list that was read without a limit, and reports that there are more.
	 *
	 * @param isWhole false: a list of the length of the limit may go on, too
	 */
	cut: <T>(items: T[], limit: number, isWhole?: boolean) => T[];
	/** Writes, and gives the object that comes back. */
	mutate: <T>(
		method: 'POST' | 'PATCH',
		path: string,
		payload: Payload,
		expected: Expected<T>,
	) => Promise<T>;
	/** Writes where the response may be empty; gives the object that comes back, if there is one. */
	write: (
		method: 'POST' | 'PATCH',
		path: string,
		payload?: Payload,
	) => Promise<IDataObject | undefined>;
}

/** For how long nothing but 429s may come. For a form, a person waits; a poll comes again. */
const PATIENCE_MS = { execution: 240_000, formOrPoll: 30_000 };

/** Makes the limiter of one node run: all its requests share it. */
export function createLimiter(
	context: ApiContext,
	config: ApiConfig,
	kind: keyof typeof PATIENCE_MS,
): Limiter {
	return new Limiter(config.maxConcurrentRequests, PATIENCE_MS[kind], stopSignal(context));
}

/**
 * Makes the API for one operation (§4, §5.1).
 *
 * @param effect of the operation that will use it
 * @param onCut called for each list that is cut at its limit
 */
export function createApi(
	context: ApiContext,
	config: ApiConfig,
	effect: Effect,
	limiter: Limiter,
	onCut: (cut: Cut) => void = () => undefined,
): Api {
	const send = createSend(context, config, limiter);

	const parse = <T>(
		response: ApiResponse,
		request: ApiRequest,
		{ schema, name }: Expected<T>,
	): T => {
		const parsed = schema.safeParse(parseJson(response.body));
		if (parsed.success) return parsed.data;
		throw unexpectedResponse(name, response, request, fieldsOf(parsed.error));
	};

	const page: Api['page'] = async (path, { query = {}, custom }, { schema, name }) => {
		const wire = { ...toWireQuery(config.parameterNames, query), ...custom };
		const request: ApiRequest = { method: 'GET', path, effect: 'read', query: wire };
		const response = await send(request);
		const list = readListPage(parseJson(response.body));
		const items = schema.array().safeParse(list?.items);
		if (list === undefined || !items.success) {
			throw unexpectedResponse(name, response, request, fieldsOf(items.error));
		}
		return { ...list, items: items.data };
	};

	const list: Api['list'] = async (path, { query, custom }, limit, expected, matches) => {
		const seen: { last?: ListPage } = {};
		const fetchPage = async (number: number, pageSize: number) => {
			const asked = { query: { ...query, page: number, pageSize }, custom };
			const fetched = await page(path, asked, expected);
			seen.last = fetched;
			return fetched;
		};
		const items = await collectPages(fetchPage, {
			limit,
			matches,
			paged: config.parameterNames.page !== '',
			limiter,
		});
		const { totalItems: total = 0, isCapped: isAtLeast = false } = seen.last ?? {};
		if (items.length < limit || (total === limit && !isAtLeast)) return items;
		// How many of the total match is not known.
		const isKnown = matches === undefined && total > limit;
		onCut({ limit, ...(isKnown && { total, isAtLeast }) });
		return items;
	};

	return {
		config,
		mapConcurrent: async (items, task) => await limiter.mapConcurrent(items, task),
		page,
		list,

		cut(items, limit, isWhole = true) {
			if (items.length > limit) onCut({ limit, total: items.length, isAtLeast: !isWhole });
			else if (items.length === limit && !isWhole) onCut({ limit });
			return items.slice(0, limit);
		},

		async listUnpaginated(path, query, expected) {
			const first = await page(path, query, expected);
			return mayHaveMorePages(first) ? await list(path, query, Infinity, expected) : first.items;
		},

		async get(path, expected) {
			const request: ApiRequest = { method: 'GET', path, effect: 'read' };
			return parse(await send(request), request, expected);
		},

		async getRaw(path) {
			const { body } = await send({ method: 'GET', path, effect: 'read' });
			return anyJson.parse(parseJson(body) ?? body);
		},

		async mutate(method, path, payload, expected) {
			const request: ApiRequest = { method, path, effect, ...payload };
			return parse(await send(request), request, expected);
		},

		async write(method, path, payload) {
			const request: ApiRequest = { method, path, effect, ...payload };
			const response = await send(request);
			if (response.body.trim() === '') return undefined;
			return parse(response, request, { schema: objectSchema, name: 'an object or an empty body' });
		},
	};
}
