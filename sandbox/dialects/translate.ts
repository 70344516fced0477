import type { Context, MiddlewareHandler } from 'hono';
import { z } from 'zod/v4';

import type { Database } from '../database/database.ts';
import { causeOf } from '../events/financialEvent.ts';
import { badRequest, notFound } from '../http/errors.ts';
import { WARNING_HEADER } from '../http/unknown.ts';
import type { Services } from '../services.ts';
import type { Dialect, ListName } from './dialect.ts';

const PAGES = ['page', 'pageSize'];
const CREATED = ['sort', 'createdAfter', 'createdBefore'];

/** What the query of each list may have (§4). */
const LISTS: Record<ListName, string[]> = {
	cards: ['name', 'status', ...CREATED, ...PAGES],
	transactions: ['cardId', 'status', ...CREATED, ...PAGES],
	settlements: ['cardId', ...CREATED, ...PAGES],
	payments: ['accountId', 'from', 'to'],
	events: [],
};

/** Records on one page of the sandbox itself. */
const OWN_SIZE = 100;

const listSchema = z.object({
	data: z.array(z.record(z.string(), z.unknown())),
	totalItemCount: z.number().default(0),
	totalItemCountCapped: z.boolean().default(false),
});

type Query = Record<string, string>;
type Ask = (query: Query) => Promise<Response>;
type Api = (request: Request, env: unknown) => Response | Promise<Response>;

/**
 * Lets the API speak another dialect: a list in it is made of lists in the sandbox's own, and amounts and times of
 * every response are rewritten. The routes know nothing of it. `prefix` is what comes before the path of §4.
 */
export function speakDialect(
	{ db, dialects }: Services,
	prefix: string,
	api: Api,
): MiddlewareHandler {
	return async (c, next) => {
		const dialect = dialects.current();
		if (dialect === undefined) {
			await next();
			return;
		}
		const { amounts, times } = dialect;
		const path = c.req.path.slice(prefix.length);
		const list = c.req.method === 'GET' ? listAt(path) : undefined;
		if (list === undefined) await next();
		else {
			c.res = await translate(db, c, list, dialect, async (query) => {
				const url = `http://sandbox${path}?${new URLSearchParams(query).toString()}`;
				return await api(new Request(url, { headers: c.req.raw.headers }), c.env);
			});
		}
		if (c.res.status < 204 && (amounts === 'numbers' || times === 'offset'))
			c.res = new Response(JSON.stringify(await c.res.json(), rewriter(dialect)), c.res);
	};
}

function listAt(path: string): ListName | undefined {
	if (path.endsWith('/financial-events')) return 'events';
	return (['cards', 'transactions', 'settlements', 'payments'] as const).find(
		(list) => path === `/${list}`,
	);
}

const rewriter =
	({ amounts, times }: Dialect) =>
	(key: string, value: unknown) => {
		if (typeof value !== 'string') return value;
		const isAmount = /^(amount|balance|\w+Limit|\w+Spend)$/.test(key);
		if (amounts === 'numbers' && isAmount) return Number(value);
		if (times !== 'offset' || key !== 'createdAt') return value;
		return new Date(Date.parse(value) + 7_200_000).toISOString().replace('Z', '+02:00');
	};

async function translate(
	db: Database,
	c: Context,
	list: ListName,
	dialect: Dialect,
	ask: Ask,
): Promise<Response> {
	const { names, ignores, ends, paging, firstPage, largestPage, beyondEnd, shapes } = dialect;
	const own = new Map(LISTS[list].map((name) => [names[name] ?? name, name]));
	const query: Query = {};
	const unknown: string[] = [];
	for (const [wire, value] of Object.entries(c.req.query())) {
		const name = own.get(wire);
		if (name === undefined) unknown.push(wire);
		else if (!ignores.includes(name)) query[name] = value;
	}
	const { page: sentPage, pageSize: sentSize, ...filters } = query;
	if (ends.createdAfter === 'excluded') setLater(filters, 'createdAfter');
	if (ends.createdBefore === 'included') setLater(filters, 'createdBefore');
	const excluded = (['from', 'to'] as const)
		.filter((name) => ends[name] === 'excluded')
		.map((name) => filters[name]);

	// An invalid key or value says so first.
	const response = await ask(filters);
	if (!response.ok) return response;
	if (unknown.length > 0) {
		const message = `unknown parameter ${unknown.join(', ')}`;
		if (dialect.unknown === 'refused') throw badRequest(message);
		c.header(WARNING_HEADER, encodeURI(`${message}: ignored`));
	}
	const whole = listSchema.parse(await response.json());
	if (list === 'payments' || list === 'events') {
		const isIn = ({ id, dueDate }: Record<string, unknown>) =>
			list === 'payments'
				? !excluded.includes(String(dueDate))
				: dialect.clearings === 'events' || causeOf(db, String(id))?.step !== 'clearing';
		const data = whole.data.filter(isIn);
		return c.json(shapes[list] === 'array' ? data : { data });
	}

	const isPaged = paging !== 'none';
	const first = paging === 'offset' ? 0 : firstPage;
	const wanted = wholeNumber(sentSize, 1) ?? Math.min(OWN_SIZE, largestPage);
	if (isPaged && wanted > largestPage && dialect.largerPage === 'refused')
		throw badRequest(`the page size is at most ${largestPage}`);
	const size = isPaged ? Math.min(wanted, largestPage) : Math.max(1, whole.totalItemCount);
	const readPage = async (number: number) =>
		await readWindow(ask, filters, paging === 'offset' ? number : (number - first) * size, size);
	let page = isPaged ? (wholeNumber(sentPage, first) ?? first) : first;
	let found = await readPage(page);
	if (found.data.length === 0 && page > first && beyondEnd !== 'empty') {
		if (beyondEnd === 'not-found') throw notFound('There is no such page');
		const last = Math.max(0, Math.ceil(found.totalItemCount / size) - 1);
		page = paging === 'offset' ? last * size : first + last;
		found = await readPage(page);
	}
	const { data, ...totals } = found;
	if (shapes[list] === 'array') return c.json(data);
	if (shapes[list] === 'data') return c.json({ data });
	const totalPages = Math.max(1, Math.ceil(totals.totalItemCount / size));
	return c.json({ data, page, pageSize: size, totalPages, ...totals });
}

/** A millisecond later: times have no smaller part. What is no time stays, and is refused. */
function setLater(query: Query, name: 'createdAfter' | 'createdBefore'): void {
	const time = Date.parse(query[name] ?? '');
	if (!Number.isNaN(time)) query[name] = new Date(time + 1).toISOString();
}

function wholeNumber(text: string | undefined, least: number): number | undefined {
	if (text === undefined) return undefined;
	if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
	throw badRequest(`page and page size: expected a whole number from ${least}`);
}

/** Reads some records of a list, from a start, out of the sandbox's own pages. */
async function readWindow(ask: Ask, query: Query, start: number, size: number) {
	const skipped = start % OWN_SIZE;
	const data: z.infer<typeof listSchema>['data'] = [];
	for (let page = Math.floor(start / OWN_SIZE) + 1; ; page++) {
		const response = await ask({ ...query, page: String(page), pageSize: String(OWN_SIZE) });
		const read = listSchema.parse(await response.json());
		data.push(...read.data);
		if (read.data.length === OWN_SIZE && data.length < skipped + size) continue;
		return { ...read, data: data.slice(skipped, skipped + size) };
	}
}
