import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { z } from 'zod';

import { type CardActivity, cardPage, eventsOfCard, purchasePage } from './cardActivity.ts';
import { transactionPage } from './pages.ts';
import { apiKey, type Settings, settingsSchema, type Usage } from './settings.ts';
import { TokenBucket } from './tokenBucket.ts';

/** What the API counts from one change of its settings to the next. */
interface Session {
	settings: Settings;
	frozen: Set<string>;
	connections: Set<Socket>;
	requests: number;
	refused: number;
	/** When the first request came, and the newest. */
	firstAt: number | undefined;
	newestAt: number;
	bucket: TokenBucket | undefined;
}

const newSession = (settings: Settings): Session => ({
	settings,
	frozen: new Set(),
	connections: new Set(),
	requests: 0,
	refused: 0,
	firstAt: undefined,
	newestAt: 0,
	bucket: settings.limit && new TokenBucket(settings.limit, performance.now()),
});

/** Pages of lists that do not change, by what they depend on. */
const pages = new Map<string, string>();

/** The bench's API: handles the requests of one server or of several. */
export function createApi(): RequestListener {
	let session = newSession(settingsSchema.parse({ transactions: 100, latencyMs: 0 }));

	/** New settings; responds with what the API was used for since the last ones. */
	const change = async (request: IncomingMessage, response: ServerResponse) => {
		const usage = usageOf(session);
		session = newSession(settingsSchema.parse(JSON.parse(await text(request))));
		respond(response, 200, JSON.stringify(usage));
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
		const now = performance.now();
		current.firstAt ??= now;
		current.newestAt = now;
		current.requests++;
		current.connections.add(request.socket);
		const waitMs = current.bucket?.take(now) ?? 0;
		if (waitMs > 0) current.refused++;
		const work = () =>
			waitMs > 0
				? refuse(current, waitMs, response)
				: serve(current, request.method, url, response);
		// A timer of 0 ms would wait for 1.
		const latencyMs = latencyOf(current);
		if (latencyMs === 0) work();
		else setTimeout(work, latencyMs);
	};
}

/** The same series of times in each run. */
const latencyOf = ({ settings: { latencyMs, jitterMs = 0 }, requests }: Session) =>
	latencyMs + (((requests * 37) % 100) / 100) * jitterMs;

function usageOf({ frozen, requests, refused, connections, ...session }: Session): Usage {
	const inserted = insertedUntil(session.newestAt, session);
	return { frozen: frozen.size, requests, refused, connections: connections.size, inserted };
}

/** How many transactions were created from the first request on. */
function insertedUntil(
	now: number,
	{ settings, firstAt }: Pick<Session, 'settings' | 'firstAt'>,
): number {
	const { insertEveryMs } = settings;
	if (insertEveryMs === undefined || firstAt === undefined) return 0;
	return Math.floor((now - firstAt) / insertEveryMs);
}

function refuse({ settings }: Session, waitMs: number, response: ServerResponse) {
	if (settings.limit?.retryAfter) response.setHeader('retry-after', Math.ceil(waitMs / 1000));
	respond(response, 429, '{"code":"rate-limited","message":"Too many requests"}');
}

function serve(
	session: Session,
	method: string | undefined,
	{ pathname, searchParams }: URL,
	response: ServerResponse,
) {
	const { activity } = session.settings;
	if (method === 'GET' && activity !== undefined) {
		respond(response, 200, contentOf(activity, pathname, searchParams));
		return;
	}
	const card = /^\/v1\/public\/cards\/([0-9a-f-]{36})\/freeze$/.exec(pathname)?.[1];
	if (method === 'POST' && card !== undefined) {
		session.frozen.add(card);
		respond(response, 204);
	} else if (method === 'GET' && pathname === '/v1/public/transactions') {
		respond(response, 200, pageOf(session, searchParams));
	} else {
		respond(response, 404, '{"code":"not-found"}');
	}
}

/** What the cards of the polling part are and have, by path. */
function contentOf(activity: CardActivity, pathname: string, query: URLSearchParams): string {
	const card = /\/cards\/([0-9a-f-]{36})\/financial-events$/.exec(pathname)?.[1];
	if (card !== undefined) return eventsOfCard(activity, card);
	const { page, pageSize } = placeOf(query);
	if (pathname.endsWith('/cards')) return cardPage(activity, page, pageSize);
	const timeOf = (name: string, otherwise: number) =>
		query.has(name) ? Date.parse(query.get(name) ?? '') : otherwise;
	const range = {
		from: timeOf('createdAfter', -Infinity),
		to: timeOf('createdBefore', Infinity),
	};
	return purchasePage(activity, range, page, pageSize);
}

function placeOf(query: URLSearchParams) {
	const number = z.coerce.number().int().positive();
	const page = number.parse(query.get('page') ?? '1');
	const pageSize = number.max(100).parse(query.get('pageSize') ?? '100');
	return { page, pageSize };
}

function pageOf(session: Session, query: URLSearchParams): string {
	const { transactions, countedUpTo, insertEveryMs } = session.settings;
	const { page, pageSize } = placeOf(query);
	const list = { transactions, countedUpTo, inserted: insertedUntil(performance.now(), session) };
	if (insertEveryMs !== undefined) return transactionPage(list, page, pageSize);
	const key = `${transactions} ${countedUpTo ?? ''} ${page} ${pageSize}`;
	const known = pages.get(key) ?? transactionPage(list, page, pageSize);
	pages.set(key, known);
	return known;
}

function respond(response: ServerResponse, status: number, body?: string) {
	response.writeHead(status, body === undefined ? {} : { 'content-type': 'application/json' });
	response.end(body);
}
