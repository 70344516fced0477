import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { type CardActivity, cardPage, eventsOfCard, purchasePage } from './cardActivity.ts';
import { transactionPage } from './pages.ts';
import { apiKey, settingsSchema } from './settings.ts';

// A process of its own, so that the load generator's work never delays an answer.

let settings = settingsSchema.parse({ transactions: 100, latencyMs: 0 });
const frozen = new Set<string>();
let requests = 0;
const pages = new Map<string, string>();

const server = createServer((request, response) => {
	const url = new URL(request.url ?? '', 'http://bench');
	const work = () => serve(request.method, url, response);
	if (url.pathname === '/bench') void control(request, response);
	else if (request.headers.authorization !== `Bearer ${apiKey}`) unauthorized(response);
	// A timer of 0 ms would wait for 1.
	else if (settings.latencyMs === 0) work();
	else setTimeout(work, settings.latencyMs);
});

const unauthorized = (response: ServerResponse) => answer(response, 401, '{"code":"unauthorized"}');

function serve(
	method: string | undefined,
	{ pathname, searchParams }: URL,
	response: ServerResponse,
) {
	requests++;
	const { activity } = settings;
	if (method === 'GET' && activity !== undefined) {
		answer(response, 200, contentOf(activity, pathname, searchParams));
		return;
	}
	const card = /^\/v1\/public\/cards\/([0-9a-f-]{36})\/freeze$/.exec(pathname)?.[1];
	if (method === 'POST' && card !== undefined) {
		frozen.add(card);
		answer(response, 204);
	} else if (method === 'GET' && pathname === '/v1/public/transactions') {
		answer(response, 200, pageOf(searchParams));
	} else {
		answer(response, 404, '{"code":"not-found"}');
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

function pageOf(query: URLSearchParams): string {
	const { page, pageSize } = placeOf(query);
	const key = `${settings.transactions} ${page} ${pageSize}`;
	const known = pages.get(key) ?? transactionPage(settings.transactions, page, pageSize);
	pages.set(key, known);
	return known;
}

/** New settings; gives how many cards were frozen, and requests handled, since the last ones. */
async function control(request: IncomingMessage, response: ServerResponse) {
	const before = { frozen: frozen.size, requests };
	frozen.clear();
	requests = 0;
	settings = settingsSchema.parse(JSON.parse(await text(request)));
	answer(response, 200, JSON.stringify(before));
}

function answer(response: ServerResponse, status: number, body?: string) {
	response.writeHead(status, body === undefined ? {} : { 'content-type': 'application/json' });
	response.end(body);
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.once('disconnect', () => process.exit());
