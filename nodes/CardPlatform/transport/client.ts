import type { GenericValue, IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { MAX_PAGE_SIZE } from '../api/assumptions';
import type { ApiConfig } from '../api/config';
import { isSamePage, type ListPage, mayHaveMorePages, readListPage } from '../api/list';
import { type Query, toWireQuery } from '../api/parameterNames';
import { type ListQuery, MatchingRecords, type RecordFilter } from '../api/recordFilter';
import { anyJson, errorBodySchema, objectSchema } from '../api/schemas';
import { isBlank, isDataObject, parseJson } from '../api/values';
import { unexpectedResponse } from './errors';
import { Limiter } from './limiter';
import { mayBeLonger } from './listErrors';
import { collectPages, isRefusal } from './pagination';
import { createSend, PATIENCE_MS, type Send, stopSignal } from './request';
import type { ApiContext, ApiRequest, ApiResponse, Effect, Report } from './types';

const fieldsOf = (error: z.ZodError | undefined) =>
	error?.issues.map(({ path }) => path.join('.')).filter((path) => path !== '');

/** "a list of cards", of the schema of a card. */
const listOf = ({ description = 'a record' }: z.ZodTypeAny) =>
	`a list of ${description.replace(/^an? /, '')}s`;

/** Whether a body says that something failed, whatever else it has. */
const reportsFailure = ({ error, errors, success }: IDataObject): boolean =>
	success === false ||
	[error, errors].some((each) =>
		isDataObject(each) ? Object.keys(each).length > 0 : Boolean(each) && !isBlank(each),
	);

/** The codes of success that some APIs put beside the data. */
const SUCCESS_CODE = /^(ok|success|0+|2\d\d)$/i;

/** Whether a body has the code of an error (§2 Error body). */
const hasErrorCode = (body: unknown): boolean => {
	const { data: error } = errorBodySchema.safeParse(body);
	const isSuccess = isDataObject(body) && 'data' in body && SUCCESS_CODE.test(error?.code ?? '');
	return error !== undefined && !isSuccess;
};

/** An error with a status of success is no success. */
const objectOrNothing = objectSchema
	.refine((body) => !reportsFailure(body) && ('id' in body || !hasErrorCode(body)))
	.optional()
	.describe('an object or an empty body');

type Payload = Pick<ApiRequest, 'body' | 'headers'>;

type WriteMethod = 'POST' | 'PATCH';

/** Makes the limiter of one node run: all its requests share it. */
export function createLimiter(
	context: ApiContext,
	config: ApiConfig,
	kind: keyof typeof PATIENCE_MS,
	signal = stopSignal(context),
): Limiter {
	const isWatched = context.getMode?.() === 'manual' || context.getNode().type.endsWith('Tool');
	const patience = PATIENCE_MS[isWatched ? 'watched' : kind];
	return new Limiter(config.maxConcurrentRequests, patience, signal);
}

/** The API as one operation sees it (§4, §5.1): its requests are retried as the operation's effect allows. */
export class Api {
	readonly config: ApiConfig;
	/** Receives what a person should know about the output: a list was cut, a filter is ignored. */
	readonly report: Report;

	private readonly context: ApiContext;
	private readonly effect: Effect;
	private readonly limiter: Limiter;
	private readonly send: Send;

	constructor(
		context: ApiContext,
		config: ApiConfig,
		effect: Effect,
		limiter: Limiter,
		report: Report = () => undefined,
	) {
		this.context = context;
		this.config = config;
		this.effect = effect;
		this.limiter = limiter;
		this.report = report;
		this.send = createSend(context, config, limiter);
	}

	/** Runs a task for each item, as many together as there may be requests; starts none after a failure. */
	async mapConcurrent<T, R>(items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
		return await this.limiter.mapConcurrent(items, task);
	}

	async get<T>(path: string, schema: z.ZodType<T>, timeout?: number): Promise<T> {
		return (await this.request({ method: 'GET', path, effect: 'read', timeout }, schema)).data;
	}

	/** Gets a response of unknown shape, with its headers: its JSON, or its string where it is not JSON. */
	async getRaw(path: string): Promise<{ data: GenericValue; headers: ApiResponse['headers'] }> {
		const { body, headers } = await this.send({ method: 'GET', path, effect: 'read' });
		return { data: anyJson.parse(parseJson(body) ?? body), headers };
	}

	/** Gets one page of a list, also with records that do not pass the filters. */
	async page<T>(
		path: string,
		{ query, filters = [], custom }: ListQuery,
		schema: z.ZodType<T>,
	): Promise<ListPage<T>> {
		const wanted = filters.reduce<Query>((all, each) => ({ ...all, ...each.query }), { ...query });
		const wire = { ...toWireQuery(this.config.parameterNames, wanted), ...custom };
		const request: ApiRequest = { method: 'GET', path, effect: 'read', query: wire };
		const response = await this.send(request);
		const body = parseJson(response.body);
		const list = readListPage(body);
		// An error beside a list is no success.
		const isError =
			(list?.items.length === 0 && hasErrorCode(body)) ||
			(isDataObject(body) && reportsFailure(body)) ||
			response.status !== 200;
		const items = schema.array().safeParse(list?.items);
		if (list !== undefined && items.success && !isError) return { ...list, items: items.data };
		throw unexpectedResponse(listOf(schema), response, request, fieldsOf(items.error));
	}

	/** Gets at most `limit` records of a list (Infinity for all) that pass the filters, page by page. */
	async list<T>(path: string, query: ListQuery, limit: number, schema: z.ZodType<T>): Promise<T[]> {
		const getPage = async (page?: number) =>
			await this.page(path, this.toPageQuery(query, page), schema);
		const items = await collectPages(getPage, {
			limit,
			filters: this.markLocalFilters(query),
			sort: query.query?.sort,
			paged: this.config.parameterNames.page !== '',
			report: this.report,
		});
		return this.cut(items, limit);
	}

	/** Gets a list whose pages are undocumented: if the response says that it has more, or page 2 has others, all of them. */
	async listUnpaginated<T>(path: string, query: ListQuery, schema: z.ZodType<T>): Promise<T[]> {
		const first = await this.page(path, query, schema);
		const isPart =
			mayHaveMorePages(first) ||
			(first.mayContinue === true && (await this.hasPage2(path, query, first)));
		if (isPart) return await this.list(path, query, Infinity, schema);
		const records = new MatchingRecords<T>(this.markLocalFilters(query));
		records.add(first.items);
		for (const hint of records.hints) this.report(hint);
		return records.items;
	}

	/** Cuts a list at its limit, and reports that there may be more. For one item with a fixed limit, n8n does. */
	cut<T>(items: T[], limit: number): T[] {
		if (items.length < limit) return items;
		const { context } = this;
		const isOne = 'getInputData' in context && context.getInputData().length === 1;
		if (!isOne || context.getNode().parameters.limit !== limit) {
			this.report(
				'Limit was reached, so there may be more. To get the others, turn on Return All or raise Limit.',
			);
		}
		return items.slice(0, limit);
	}

	/** Writes, and gives the object that comes back, with its response. */
	async mutate<T>(
		method: WriteMethod,
		path: string,
		payload: Payload,
		schema: z.ZodType<T>,
	): Promise<{ data: T; response: ApiResponse }> {
		return await this.request({ method, path, effect: this.effect, ...payload }, schema);
	}

	/** Writes where the response may be empty; gives the object that comes back, if there is one. */
	async write(
		method: WriteMethod,
		path: string,
		payload: Payload = {},
	): Promise<IDataObject | undefined> {
		return (await this.mutate(method, path, payload, objectOrNothing)).data;
	}

	/** Asks for a page by its number. Without number and size it is the first one (§4.3). What has no pages is asked for as much as it can give. */
	private toPageQuery({ query, ...others }: ListQuery, page?: number): ListQuery {
		const isPaged = this.config.parameterNames.page !== '';
		const paging = page === undefined && isPaged ? {} : { page, pageSize: MAX_PAGE_SIZE };
		return { ...others, query: { ...query, ...paging } };
	}

	/** Whether page 2 has other records than the first one. An API without pages ignores or refuses its number. */
	private async hasPage2(path: string, query: ListQuery, first: ListPage): Promise<boolean> {
		const next = this.page(path, this.toPageQuery(query, 2), z.unknown());
		const two = await next.catch((error: unknown) => {
			if (isRefusal(error)) return first;
			throw error;
		});
		if (!isSamePage(two, first)) return two.items.length > 0;
		this.report(mayBeLonger(first.items.length));
		return false;
	}

	/** Marks the filters that only the node applies, because a parameter of theirs has no name on the wire. */
	private markLocalFilters({ filters = [] }: ListQuery): RecordFilter[] {
		const isAsked = ({ query = {} }: RecordFilter) => {
			const values = Object.values<unknown>(query).filter((value) => value !== undefined);
			return Object.keys(toWireQuery(this.config.parameterNames, query)).length === values.length;
		};
		return filters.map((filter) => (isAsked(filter) ? filter : { ...filter, query: undefined }));
	}

	private async request<T>(request: ApiRequest, schema: z.ZodType<T>) {
		const response = await this.send(request);
		const { body } = response;
		// What is not JSON must not pass for an empty body.
		const parsed = schema.safeParse(body.trim() === '' ? undefined : (parseJson(body) ?? body));
		if (parsed.success) return { data: parsed.data, response };
		throw unexpectedResponse(
			schema.description ?? 'JSON',
			response,
			request,
			fieldsOf(parsed.error),
		);
	}
}
