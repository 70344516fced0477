import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod';

import type { Connection } from '../api/connection';
import { parseJson } from '../api/json';
import { type ListPage, readListPage } from '../api/list';
import { describeBrokenAnswer } from './errors';
import { collectPages } from './pagination';
import { type Query, toWireQuery } from './query';
import { type ApiContext, type ApiRequest, send } from './request';
import type { Effect } from './retry';

/** The API as one operation sees it: its requests are retried as the operation's effect allows. */
export interface Api {
	/**
	 * Gets one object.
	 *
	 * @param expected the object's name in an error, e.g. "a card"
	 */
	get: <T>(path: string, schema: z.ZodType<T>, expected: string) => Promise<T>;
	/** Gets an answer whose form is not shown: its JSON, or its text where it is none. */
	getAny: (path: string) => Promise<unknown>;
	/** Sends a request whose answer has no body (204). */
	post: (path: string, body?: IDataObject) => Promise<void>;
	/** Gets one page of a list. */
	page: <T>(
		path: string,
		query: Query,
		schema: z.ZodType<T>,
		expected: string,
	) => Promise<ListPage<T>>;
	/**
	 * Gets the items of a list, page by page.
	 *
	 * @param limit items wanted; Infinity for all
	 * @param expected the items' name in an error, e.g. "a list of cards"
	 */
	list: <T>(
		path: string,
		query: Query,
		limit: number,
		schema: z.ZodType<T>,
		expected: string,
	) => Promise<T[]>;
}

/**
 * Makes the API for one operation (§4, §5.1).
 *
 * @param effect of the operation that will use it
 */
export function createApi(context: ApiContext, connection: Connection, effect: Effect): Api {
	let rateLimited = false;

	const get = async (request: ApiRequest) =>
		await send(context, connection, 'read', request, () => (rateLimited = true));

	const page: Api['page'] = async (path, query, schema, expected) => {
		const wire = toWireQuery(connection.parameterNames, query);
		const request: ApiRequest = { method: 'GET', path, query: wire };
		const answer = await get(request);
		const list = readListPage(parseJson(answer.text));
		const items = schema.array().safeParse(list?.items);
		if (list === undefined || !items.success) {
			throw describeBrokenAnswer(expected, answer, request, connection);
		}
		return { ...list, items: items.data };
	};

	return {
		page,

		async get(path, schema, expected) {
			const request: ApiRequest = { method: 'GET', path };
			const answer = await get(request);
			const parsed = schema.safeParse(parseJson(answer.text));
			if (!parsed.success) throw describeBrokenAnswer(expected, answer, request, connection);
			return parsed.data;
		},

		async getAny(path) {
			const { text } = await get({ method: 'GET', path });
			return parseJson(text) ?? text;
		},

		async post(path, body) {
			await send(context, connection, effect, { method: 'POST', path, body });
		},

		async list(path, query, limit, schema, expected) {
			const fetchPage = async (number: number, pageSize: number) =>
				await page(path, { ...query, page: number, pageSize }, schema, expected);

			return await collectPages(fetchPage, {
				limit,
				paged: Object.keys(toWireQuery(connection.parameterNames, { page: 1 })).length > 0,
				slowDown: () => rateLimited,
			});
		},
	};
}
