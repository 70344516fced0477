import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

import { createTokenBucket, type Rate } from './tokenBucket.ts';

/** The key that the bench's API accepts. */
export const apiKey = 'bench-key';

/** The path of the API behind a server's URL. */
export const API_PATH = '/v1/public';

/** The round trip of the network in the settings with TLS, in milliseconds. */
export const roundTripMs = 30;

/** How the bench's API behaves. */
export interface Settings {
	/** How long every response takes, in milliseconds; 0 by default. */
	latencyMs?: number;
	/** How many transactions it has; 1 by default. */
	transactions?: number;
	/** Requests beyond it get 429, with Retry-After in whole seconds or without. */
	limit?: Rate & { retryAfter: boolean };
}

/** What the API was used for since its settings were last changed. */
export interface Usage {
	requests: number;
	/** Requests that got 429. */
	refused: number;
	/** Cards that were frozen. */
	frozen: number;
}

/** The ID of a card of the bench's API, which has any number of them. */
export const cardIdOf = (number: number): string => uuid('c', number);

const uuid = (kind: string, number: number) =>
	`${kind.padEnd(8, '0')}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

const newSession = (settings: Settings) => ({
	settings: { latencyMs: 0, transactions: 1, ...settings },
	take: settings.limit ? createTokenBucket(settings.limit) : () => 0,
	requests: 0,
	refused: 0,
	frozen: new Set<string>(),
});

/** The bench's API: handles the requests of one server or of several. */
export function createApi(): RequestListener {
	let session = newSession({});

	/** Changes the settings; responds with what the API was used for since the last change. */
	const change = async (request: IncomingMessage, response: ServerResponse) => {
		const { requests, refused, frozen } = session;
		session = newSession((await json(request)) as Settings);
		respond(response, 200, { requests, refused, frozen: frozen.size });
	};

	return (request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? '', 'http://bench');
		if (pathname === '/bench') {
			void change(request, response);
			return;
		}
		const { latencyMs, limit, transactions } = session.settings;
		session.requests++;
		const waitMs = session.take(performance.now());
		if (waitMs > 0) {
			session.refused++;
			if (limit?.retryAfter) response.setHeader('retry-after', Math.ceil(waitMs / 1000));
		}
		const { frozen } = session;
		setTimeout(() => {
			const [, card] = /\/cards\/([0-9a-f-]{36})\/freeze$/.exec(pathname) ?? [];
			if (request.headers.authorization !== `Bearer ${apiKey}`) respond(response, 401, {});
			else if (waitMs > 0) respond(response, 429, { code: 'rate-limited' });
			else if (card === undefined)
				respond(response, 200, transactionPage(transactions, searchParams));
			else {
				frozen.add(card);
				respond(response, 204);
			}
		}, latencyMs);
	};
}

/** One page of GET /transactions (§4.8). */
function transactionPage(totalItemCount: number, query: URLSearchParams): object {
	const page = Number(query.get('page') ?? '1');
	const pageSize = Number(query.get('pageSize') ?? '100');
	const first = (page - 1) * pageSize;
	const length = Math.max(0, Math.min(pageSize, totalItemCount - first));
	return {
		data: Array.from({ length }, (_, index) => transaction(totalItemCount - first - index)),
		page,
		pageSize,
		totalItemCount,
		totalPages: Math.max(1, Math.ceil(totalItemCount / pageSize)),
		totalItemCountCapped: false,
	};
}

const transaction = (number: number) => ({
	id: uuid('7', number),
	status: 'settled',
	cardId: cardIdOf(number % 100),
	amount: `${(number % 900) + 1}.50`,
	amountDirection: 'debit',
	currency: 'USD',
	createdAt: new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString(),
	merchantName: `Office supplies no. ${number % 300}`,
});

function respond(response: ServerResponse, status: number, body?: object) {
	response.writeHead(status, body && { 'content-type': 'application/json' });
	response.end(body && JSON.stringify(body));
}
