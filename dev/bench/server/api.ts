import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

/** The key that the bench's API accepts. */
export const apiKey = 'bench-key';

/** The path of the API behind a server's URL. */
export const API_PATH = '/v1/public';

/** The round trip of the network in the settings with TLS, in milliseconds. */
export const roundTripMs = 30;

/** How the bench's API behaves. */
export interface Settings {
	/** How long every response takes, in milliseconds. */
	latencyMs: number;
	/** How many transactions it has. */
	transactions: number;
}

const uuid = (kind: string, number: number) =>
	`${kind.padEnd(8, '0')}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

/** The bench's API: handles the requests of one server or of several. */
export function createApi(): RequestListener {
	let settings: Settings = { latencyMs: 0, transactions: 1 };

	const change = async (request: IncomingMessage, response: ServerResponse) => {
		settings = (await json(request)) as Settings;
		respond(response, 204);
	};

	return (request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? '', 'http://bench');
		if (pathname === '/bench') {
			void change(request, response);
			return;
		}
		const { latencyMs, transactions } = settings;
		setTimeout(() => {
			if (request.headers.authorization !== `Bearer ${apiKey}`) respond(response, 401, {});
			else respond(response, 200, transactionPage(transactions, searchParams));
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
	cardId: uuid('c', number % 100),
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
