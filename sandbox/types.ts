// What a program that starts a sandbox sees of it. Imports nothing: the package's declarations are these two files.

/** How webhooks are delivered; times in ms. */
export interface DeliverySettings {
	baseDelay: number;
	maxDelay: number;
	maxAttempts: number;
	timeout: number;
	/** Deliveries to one endpoint that may be in flight at once. */
	concurrencyPerEndpoint: number;
}

/** One request to the public API and its response, as they went over the wire. */
export interface Exchange {
	/** In capitals. */
	method: string;
	/** Below the path prefix (§9), without the query. */
	path: string;
	query: URLSearchParams;
	requestHeaders: Headers;
	/** Empty where there was none, or it was never read. */
	requestBody: string;
	status: number;
	/** Those of the service; what belongs to the transport is added after it. */
	responseHeaders: Headers;
	/** Empty where there is none. */
	responseBody: string;
}

/** A webhook request as it leaves (§6). */
export interface OutgoingDelivery {
	/** Header names in lower case. */
	headers: Record<string, string>;
	body: Uint8Array;
}

/** How a sandbox is started; all of it is optional. */
export interface SandboxOptions {
	/** SQLite file; default ':memory:'. */
	db?: string;
	/** Default 0: any free port. */
	port?: number;
	/** Default '127.0.0.1'. */
	host?: string;
	/**
	 * Data put into an empty database: a small company (the default), just its accounts, or own data as in a seed file.
	 */
	seed?: 'small' | 'none' | Record<string, unknown>;
	/** The time, such as 2026-01-31T12:00:00Z, at which the clock is stopped. Default: it runs like the machine's. */
	clock?: string | undefined;
	/**
	 * An API that differs where its description leaves that open: in names of parameters (`snake_case`), with bare
	 * arrays and without filters (`minimal`), with a 400 for unknown parameters (`strict`), or as in a dialect file.
	 */
	dialect?: 'default' | 'snake_case' | 'minimal' | 'strict' | Record<string, unknown>;
	/** The customer-scoped API key in use; by default that of the file, or else a random one. */
	apiKey?: string | undefined;
	/** Endpoints for the events of all accounts. */
	webhooks?: { url: string; secret: string }[];
	/** The clock; default the machine's. */
	now?: () => Date;
	/** Changes to how webhooks are delivered (assumption DELIVERY_SETTINGS). */
	deliveries?: Partial<DeliverySettings>;
	/** Receives every request to the public API with its response. */
	onExchange?: (exchange: Exchange) => void;
	/** Receives every attempt to deliver a webhook, before it is made. */
	onDelivery?: (delivery: OutgoingDelivery) => void;
	/** Receives a line for each request to the public API, and for each attempt to deliver a webhook. */
	trace?: ((line: string) => void) | undefined;
}

export interface Sandbox {
	/** Address without a path, e.g. http://127.0.0.1:4010; the control plane is at /sandbox. */
	url: string;
	/** Base URL of the public API (§9). */
	apiUrl: string;
	/** The API key of the start: customer-scoped, unless the file has another one. */
	apiKey: string;
	/** §5.4: what the key may be used for. */
	keyScope: 'account' | 'customer';
	/**
	 * Ends connections, deliveries and the database. What is undelivered, or on its way, stays pending in the
	 * file. Once is enough.
	 */
	close(): Promise<void>;
}
