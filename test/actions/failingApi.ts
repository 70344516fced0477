import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

import { z } from 'zod';

import {
	afterTurns,
	type HttpServer,
	json,
	type SeenRequest,
	startServer,
} from '../../harness/httpServer.ts';
import { transferBodySchema } from '../../harness/transferApi.ts';

/** A response of the API; a 204 has no body. */
interface Meant {
	status: number;
	body?: object;
}

/** A request that fails before the API has carried it out, or after, when only the response fails. */
type Way =
	| { before: (response: ServerResponse, request: SeenRequest) => void }
	| { after: (response: ServerResponse, request: SeenRequest, meant: Meant) => void };

const error = (status: number, code: string, headers?: Record<string, string>): Way => ({
	before: (response) => json(response, status, { code, message: `Simulated ${status}` }, headers),
});

/** Shows the key, as a page for debugging may do. */
function sendPage(response: ServerResponse, { headers }: SeenRequest, status: number): void {
	response.writeHead(status, { 'content-type': 'text/html' });
	response.end(`<!doctype html><title>Oops</title>${headers.authorization ?? ''}`);
}

/** Sends half of the response and closes the connection. */
function truncate(
	response: ServerResponse,
	{ status, body }: Meant,
	{ isChunked = false, isZipped = false } = {},
): void {
	const text = JSON.stringify({ ...body, filler: 'x'.repeat(1_000) });
	const bytes = isZipped ? gzipSync(text) : Buffer.from(text);
	response.writeHead(status === 204 ? 200 : status, {
		'content-type': 'application/json',
		...(isZipped && { 'content-encoding': 'gzip' }),
		...(!isChunked && { 'content-length': bytes.length }),
	});
	response.write(bytes.subarray(0, bytes.length / 2), () => {
		afterTurns(() => response.destroy());
	});
}

const mayZip = ({ headers }: SeenRequest) => String(headers['accept-encoding']).includes('gzip');

/** Every way in which a request can fail, but for a server that is not there. */
export const WAYS = {
	'a reset before it was handled': { before: (response) => response.destroy() },
	'a reset after it was handled': { after: (response) => response.destroy() },
	'a truncated response': {
		after: (response, _request, meant) => truncate(response, meant),
	},
	'a truncated chunked response': {
		after: (response, _request, meant) => truncate(response, meant, { isChunked: true }),
	},
	// n8n 2.8 never ends a request whose compressed response is truncated.
	'a truncated response, compressed if allowed': {
		after: (response, request, meant) => truncate(response, meant, { isZipped: mayZip(request) }),
	},
	'a truncated 404': { before: (response) => truncate(response, { status: 404 }) },
	'a 429': error(429, 'too-many-requests', { 'retry-after': '1' }),
	'a 500': error(500, 'internal-server-error'),
	'a 503': error(503, 'service-unavailable'),
	'a web page with 200': { after: (response, request) => sendPage(response, request, 200) },
	'a web page with 502': { before: (response, request) => sendPage(response, request, 502) },
} satisfies Record<string, Way>;

/** A key of {@link WAYS}. */
export type WayName = keyof typeof WAYS;

/** An API with cards to read and freeze and accounts to transfer from, whose requests fail as planned. */
export interface FailingApi extends HttpServer {
	/** Makes all requests for an ID fail, or the first ones. */
	plan: (id: string, way: WayName, times?: number) => void;
	/** The requests that arrived for an ID. */
	requestsFor: (id: string) => SeenRequest[];
	/** The accounts of the transfers that were made, by Idempotency-Key. */
	transfers: Map<string, string>;
}

/** The cards on each page of a list. */
const PAGES = [100, 50];

function listCards(page: number): object {
	const data = Array.from({ length: PAGES[page - 1] ?? 0 }, (_, index) => ({
		id: `card-${page}-${index}`,
	}));
	const totals = { totalPages: PAGES.length, totalItemCount: 150, totalItemCountCapped: false };
	return { data, page, pageSize: PAGES[0], ...totals };
}

/**
 * Starts the API. Of a list of cards, the second page fails; its ID is the name that the list is
 * filtered by.
 */
export async function startFailingApi(): Promise<FailingApi> {
	const planned = new Map<string, { way: Way; times: number }>();
	const transfers: FailingApi['transfers'] = new Map();

	function transfer(account: string, { headers, body }: SeenRequest): object {
		const key = z.string().parse(headers['idempotency-key']);
		const { toAccountId } = transferBodySchema.parse(JSON.parse(body));
		transfers.set(key, account);
		const createdAt = new Date().toISOString();
		const made = { id: randomUUID(), fromAccountId: Number(account), toAccountId, createdAt };
		return { ...made, status: 'completed' };
	}

	function handle(request: SeenRequest, { id, action, page }: Target): Meant {
		if (action === 'transfers') return { status: 201, body: transfer(id, request) };
		if (action === 'freeze') return { status: 204 };
		if (page > 0) return { status: 200, body: listCards(page) };
		return { status: 200, body: { id, name: 'A card', status: 'active' } };
	}

	const server = await startServer((request, response) => {
		const target = targetOf(request);
		const plan = target.page === 1 ? undefined : planned.get(target.id);
		const way = plan !== undefined && plan.times-- > 0 ? plan.way : undefined;
		if (way && 'before' in way) {
			way.before(response, request);
			return;
		}
		const meant = handle(request, target);
		if (way) way.after(response, request, meant);
		else if (meant.body) json(response, meant.status, meant.body);
		else response.writeHead(meant.status).end();
	});
	return {
		...server,
		transfers,
		plan: (id, way, times = Infinity) => planned.set(id, { way: WAYS[way], times }),
		requestsFor: (id) => server.requests.filter((request) => targetOf(request).id === id),
	};
}

/** What a request is about; a list has a page. */
interface Target {
	id: string;
	action: string | undefined;
	page: number;
}

function targetOf({ url }: SeenRequest): Target {
	const { pathname, searchParams } = new URL(url, 'http://api');
	const [, , , , id = '', action] = pathname.split('/');
	const page = Number(searchParams.get('page'));
	return { id: searchParams.get('name') ?? id, action, page };
}
