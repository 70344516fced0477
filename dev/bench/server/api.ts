import type { RequestListener } from 'node:http';

/** The key that the bench's API accepts. */
export const apiKey = 'bench-key';

/** The path of the API behind the server's URL. */
export const API_PATH = '/v1/public';

/** How long every response takes, in milliseconds. */
export const latencyMs = 20;

/** The round trip of the network between, in milliseconds. */
export const roundTripMs = 30;

/** How many transactions the API has. */
export const transactions = 20_000;

const uuid = (kind: string, number: number) =>
	`${kind.padEnd(8, '0')}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
export const api: RequestListener = (request, response) => {
	const isKnown = request.headers.authorization === `Bearer ${apiKey}`;
	const { searchParams } = new URL(request.url ?? '', 'http://bench');
	response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
	response.end(JSON.stringify(isKnown ? transactionPage(searchParams) : {}));
};

/** One page of GET /transactions (§4.8). */
function transactionPage(query: URLSearchParams): object {
	const page = Number(query.get('page') ?? '1');
	const pageSize = Number(query.get('pageSize') ?? '100');
	const first = (page - 1) * pageSize;
	const length = Math.max(0, Math.min(pageSize, transactions - first));
	return {
		data: Array.from({ length }, (_, index) => transaction(transactions - first - index)),
		page,
		pageSize,
		totalItemCount: transactions,
		totalPages: Math.ceil(transactions / pageSize),
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
