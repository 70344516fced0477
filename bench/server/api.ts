import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

import { z } from 'zod';

import {
	cardPage,
	eventsOfCard,
	listOfPurchases,
	type Purchases,
	purchasesAt,
	transactionPage,
} from './data.ts';
import { TokenBucket } from './tokenBucket.ts';

/** The key that the bench's API accepts. */
export const apiKey = 'bench-key';

/** The path of the API behind a server's URL. */
export const API_PATH = '/v1/public';

const settingsSchema = z.object({
	/** How long every response takes, in milliseconds. */
	latencyMs: z.number().nonnegative().default(0),
	/** How many transactions it has. */
	transactions: z.number().int().positive().default(1),
	/** In place of those transactions: cards in use, and the time, in ms since 1970. */
	activity: z.object({ cards: z.number().int().positive(), now: z.number() }).optional(),
	/** Requests beyond it get 429, with Retry-After in whole seconds or without. */
	limit: z
		.object({ perSecond: z.number().positive(), burst: z.number(), retryAfter: z.boolean() })
		.optional(),
});

/** How the bench's API behaves. */
export type Settings = z.input<typeof settingsSchema>;

/** What the API was used for since its settings were last changed. */
export const usageSchema = z.object({
	requests: z.number(),
	/** Requests that got 429. */
	refused: z.number(),
	/** Cards that were frozen. */
	frozen: z.number(),
});

/** See {@link usageSchema}. */
export type Usage = z.infer<typeof usageSchema>;

interface Session {
	settings: z.output<typeof settingsSchema>;
	purchases: Purchases;
	bucket: TokenBucket | undefined;
	requests: number;
	refused: number;
	frozen: Set<string>;
}

function newSession(settings: Settings): Session {
	const parsed = settingsSchema.parse(settings);
	const { transactions, activity, limit } = parsed;
	return {
		settings: parsed,
		purchases: activity ? purchasesAt(activity.now, activity.cards) : listOfPurchases(transactions),
		bucket: limit && new TokenBucket(limit, performance.now()),
		requests: 0,
		refused: 0,
		frozen: new Set(),
	};
}

/** The bench's API: handles the requests of one server or of several. */
export function createApi(): RequestListener {
	let session = newSession({});

	/** Changes the settings; responds with what the API was used for since the last change. */
	const change = async (request: IncomingMessage, response: ServerResponse) => {
		const { requests, refused, frozen } = session;
		session = newSession(settingsSchema.parse(await json(request)));
		respond(response, 200, JSON.stringify({ requests, refused, frozen: frozen.size }));
	};

	return (request, response) => {
		const url = new URL(request.url ?? '', 'http://bench');
		if (url.pathname === '/bench') {
			void change(request, response);
			return;
		}
		if (request.headers.authorization !== `Bearer ${apiKey}`) {
			respond(response, 401, '{"code":"unauthorized"}');
			return;
		}
		const current = session;
		current.requests++;
		const waitMs = current.bucket?.take(performance.now()) ?? 0;
		if (waitMs > 0) current.refused++;
		const work = () => {
			if (waitMs > 0) refuse(current, waitMs, response);
			else serve(current, request, url, response);
		};
		// A timer of 0 ms would wait for 1.
		if (current.settings.latencyMs === 0) work();
		else setTimeout(work, current.settings.latencyMs);
	};
}

function refuse({ settings }: Session, waitMs: number, response: ServerResponse) {
	if (settings.limit?.retryAfter) response.setHeader('retry-after', Math.ceil(waitMs / 1000));
	respond(response, 429, '{"code":"rate-limited","message":"Too many requests"}');
}

function serve(
	session: Session,
	{ method }: IncomingMessage,
	{ pathname, search, searchParams }: URL,
	response: ServerResponse,
) {
	const path = pathname.slice(API_PATH.length);
	const [, card, part] = /^\/cards\/([0-9a-f-]{36})\/(freeze|financial-events)$/.exec(path) ?? [];
	if (method === 'POST' && card !== undefined && part === 'freeze') {
		session.frozen.add(card);
		respond(response, 204);
	} else if (method !== 'GET') {
		respond(response, 404, '{"code":"not-found"}');
	} else if (card !== undefined) {
		respond(response, 200, JSON.stringify(eventsOfCard(session.purchases, card)));
	} else if (path === '/cards') {
		respond(response, 200, JSON.stringify(cardPage(session.purchases, pageOf(searchParams))));
	} else {
		respond(response, 200, transactionsOf(session, search, searchParams));
	}
}

/** Pages of lists that do not change: making them again would take longer than what is measured. */
const pages = new Map<string, string>();

function transactionsOf({ settings, purchases }: Session, search: string, query: URLSearchParams) {
	const key = `${settings.transactions} ${search}`;
	const known = settings.activity ? undefined : pages.get(key);
	if (known !== undefined) return known;
	const timeOf = (name: string) => Date.parse(query.get(name) ?? '');
	const range = {
		from: query.has('createdAfter') ? timeOf('createdAfter') : -Infinity,
		to: query.has('createdBefore') ? timeOf('createdBefore') : Infinity,
	};
	const page = JSON.stringify(transactionPage(purchases, range, pageOf(query)));
	if (!settings.activity) pages.set(key, page);
	return page;
}

function pageOf(query: URLSearchParams) {
	const number = z.coerce.number().int().positive();
	return {
		page: number.parse(query.get('page') ?? '1'),
		pageSize: number.max(100).parse(query.get('pageSize') ?? '100'),
	};
}

function respond(response: ServerResponse, status: number, body?: string) {
	response.writeHead(status, body === undefined ? {} : { 'content-type': 'application/json' });
	response.end(body);
}
