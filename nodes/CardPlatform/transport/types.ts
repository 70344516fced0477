import type {
	IDataObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

/** The n8n contexts that can call the API: a running node, a poll, or a form being filled in. */
export type ApiContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/**
 * What happens if an operation's request reaches the API twice: nothing (`read`), nothing more
 * than the first time (`repeatable`, §3: repeated requests are 204; `ordered`, the same, but the
 * order among several matters: a rename, a transfer with its Idempotency-Key), or the same thing
 * again (`once`).
 */
export type Effect = 'read' | 'repeatable' | 'ordered' | 'once';

/** One request to the API. */
export interface ApiRequest {
	method: 'GET' | 'POST' | 'PATCH';
	/** Path below the Base URL, without a query. */
	path: string;
	effect: Effect;
	/** As it goes on the wire. */
	query?: Record<string, string>;
	body?: IDataObject;
	headers?: Record<string, string>;
}

/** A response to a request. */
export interface ApiResponse {
	status: number;
	/** As it came; empty for 204. */
	body: string;
}
