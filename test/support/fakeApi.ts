import type { IHttpRequestOptions } from 'n8n-workflow';

/** A request that reached the API. */
export interface ApiRequest {
	method: string;
	/** Below the base URL, without a query. */
	path: string;
	query: Record<string, string>;
	headers: Record<string, unknown>;
	body: unknown;
	/** When it came, in milliseconds since the API was made. */
	at: number;
}

/** A response; a body that is not a string goes out as JSON. */
export interface Reply {
	status?: number;
	body?: unknown;
	headers?: Record<string, unknown>;
}

/** Answers a request. What it throws is thrown to the node, as if the call had failed. */
export type Respond = (request: ApiRequest, count: number) => Reply | Promise<Reply>;

/** The API inside the test's own process: a function in place of a server. */
export interface FakeApi {
	baseUrl: string;
	requests: ApiRequest[];
	/** Requests that were in flight together, at most. */
	mostInFlight: () => number;
	/** How n8n sends a request, as far as its options matter to the node. */
	send: (options: IHttpRequestOptions) => Promise<unknown>;
}

/** A call that failed on the way, as the system reports it. */
export const networkError = (code: string): Error =>
	Object.assign(new Error(`${code} while calling`), { code });

/** An error response as §7 has it. */
export const refusal = (
	status: number,
	headers: Record<string, string> = {},
	message = 'Some message',
): Reply => ({
	status,
	body: { code: 'some-code', message },
	headers,
});

/** Responds with the pages of a list (§2), whatever else a request asks for. */
export const listOf =
	(records: readonly unknown[]) =>
	({ query: { page = '1', pageSize = '100' } }: Pick<ApiRequest, 'query'>): Reply => {
		const [number, size] = [Number(page), Number(pageSize)];
		const data = records.slice((number - 1) * size, number * size);
		const totalPages = Math.max(1, Math.ceil(records.length / size));
		const totals = { totalItemCount: records.length, totalPages };
		return { body: { data, page: number, pageSize: size, ...totals } };
	};

const HOST = 'api.example.com';
let made = 0;

const toText = (body: unknown): string =>
	body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);

/**
 * Makes an API. Its time is that of jest's fake timers.
 *
 * @param latency milliseconds that each response takes
 */
export function fakeApi(respond: Respond, { latency = 0, baseUrl = '' } = {}): FakeApi {
	// Different for each test: the node remembers keys by it.
	const base = baseUrl === '' ? `https://${HOST}:${1000 + made++}/v1/public` : baseUrl;
	const requests: ApiRequest[] = [];
	const start = Date.now();
	let inFlight = 0;
	let most = 0;

	const respondTo = async (request: ApiRequest, count: number): Promise<Reply> => {
		most = Math.max(most, ++inFlight);
		try {
			if (latency > 0) await new Promise((resolve) => setTimeout(resolve, latency));
			return await respond(request, count);
		} finally {
			inFlight--;
		}
	};

	const send: FakeApi['send'] = async (options) => {
		const url = new URL(options.url);
		for (const [name, value] of Object.entries((options.qs ?? {}) as Record<string, string>)) {
			url.searchParams.append(name, value);
		}
		const request = {
			method: options.method ?? 'GET',
			path: url.href.split('?')[0]?.slice(base.length) ?? '',
			query: Object.fromEntries(url.searchParams),
			headers: { ...options.headers },
			body: options.body,
			at: Date.now() - start,
		};
		requests.push(request);

		let timer: NodeJS.Timeout | undefined;
		const late = new Promise<never>((_resolve, reject) => {
			const { timeout } = options;
			if (timeout === undefined) return;
			timer = setTimeout(() => reject(networkError('ECONNABORTED')), timeout);
		});
		const reply = respondTo(request, requests.length);
		const {
			status = 200,
			body,
			headers = {},
		} = await Promise.race([reply, late]).finally(() => clearTimeout(timer));

		if (status >= 400 && options.ignoreHttpStatusErrors !== true) {
			throw new Error(`Request failed with status code ${status}`);
		}
		const text = toText(body);
		const given: unknown = options.encoding === 'text' ? text : JSON.parse(text || 'null');
		return options.returnFullResponse === true
			? { statusCode: status, headers, body: given }
			: given;
	};
	return { baseUrl: base, requests, mostInFlight: () => most, send };
}
