import type {
	IDataObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

/** The n8n contexts that can call the API: a running node, a poll, or a form being filled in. */
export type ApiContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/**
 * What a request changes, and what happens if it reaches the API twice:
 * - `read`: it changes nothing.
 * - `repeatable`: the second one changes nothing (§3: freeze, unfreeze, archive).
 * - `ordered`: the same, but the order of different requests matters (a rename; a transfer with its key).
 * - `unrepeatable`: the second one makes its change again (create, update).
 */
export type Effect = 'read' | 'repeatable' | 'ordered' | 'unrepeatable';

/** The one channel for hints; n8n shows each once, above the output. */
export type Report = (hint: string, type?: 'info' | 'warning') => void;

export interface ApiRequest {
	method: 'GET' | 'POST' | 'PATCH';
	/** Path below the Base URL, without a query. */
	path: string;
	effect: Effect;
	/** As it goes on the wire. */
	query?: Record<string, string>;
	body?: IDataObject;
	headers?: Record<string, string>;
	/** For one attempt that takes at most this long, in milliseconds; absent: the usual, with retries. */
	timeout?: number;
}

export interface ApiResponse {
	status: number;
	/** As it came; empty for 204. */
	body: string;
	/** Those of a success. */
	headers?: Record<string, unknown>;
}
