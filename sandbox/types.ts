// The types of the package: what a program in TypeScript sees of the sandbox.

/** What a new sandbox holds: a small company, a large one, or just its accounts. */
export type SeedName = 'small' | 'large' | 'none';

/** Own data for a sandbox: `accounts`, `merchants`, `cards`, `transactions`, `payments`, as in a seed file. */
export type SeedFile = Record<string, unknown>;

/** An endpoint that a sandbox starts with, for the events of all accounts. */
export interface WebhookOption {
	url: string;
	secret: string;
}

/** How webhooks are delivered; times in ms. */
export interface DeliverySettings {
	baseDelay: number;
	maxDelay: number;
	maxAttempts: number;
	timeout: number;
	/** Deliveries to one endpoint that may be in flight at once. */
	concurrencyPerEndpoint: number;
	/** How long deliveries in flight may take to finish when the sandbox closes. */
	closeTimeout: number;
	/** The time between two attempts to record what could not be recorded, as the disk is full. */
	recordInterval: number;
}

/** One request to the public API and its response, as they went over the wire. */
export interface Exchange {
	/** In capitals. */
	method: string;
	/** Below the path prefix (§9), without the query, as it was sent. */
	path: string;
	query: URLSearchParams;
	requestHeaders: Headers;
	/** Empty where there was none, or too much. */
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
	 * The Host headers, e.g. localhost:4010, with which other machines may use control plane and dashboard,
	 * such as a browser outside the container that the sandbox runs in. Default: only this machine may.
	 */
	allowHosts?: string[];
	/** Data put into an empty database; default 'small'. */
	seed?: SeedName | SeedFile;
	/** The customer-scoped API key in use; by default there is none until one is created. */
	apiKey?: string | undefined;
	/** Endpoints for the events of all accounts. */
	webhooks?: WebhookOption[];
	/** The clock; default the machine's. */
	now?: () => Date;
	/** Changes to how webhooks are delivered (assumption DELIVERY_SETTINGS). */
	deliveries?: Partial<DeliverySettings>;
	/** Items a list counts before its total becomes a lower bound (§8); default COUNT_BUDGET. */
	countBudget?: number;
	/** Receives every request to the public API with its response. */
	onExchange?: (exchange: Exchange) => void;
	/** Receives every attempt to deliver a webhook, before it is made. */
	onDelivery?: (delivery: OutgoingDelivery) => void;
	/** Receives a line for each request to the public API, and for each attempt to deliver a webhook. */
	trace?: ((line: string) => void) | undefined;
	/** Receives what the person who runs the sandbox should know; default: standard error. */
	log?: (line: string) => void;
}

/** A running sandbox. */
export interface Sandbox {
	/** Address without a path, e.g. http://127.0.0.1:4010; the control plane is at /sandbox. */
	url: string;
	/** Base URL of the public API (§9). */
	apiUrl: string;
	/**
	 * Ends connections, deliveries and the database. Deliveries on their way may finish first, for up to two
	 * seconds (assumption DELIVERY_SETTINGS); what is undelivered stays in the file. Once is enough.
	 */
	close(): Promise<void>;
}

/** An account of the customer, and what is enabled for it. */
export interface Account {
	id: number;
	name: string;
	features: Features;
}

/** What is enabled for an account (§1). */
export interface Features {
	cardManagement: boolean;
	accountManagement: boolean;
	webhooks: boolean;
}

/** What a sandbox holds. */
export interface Overview {
	name: string;
	/** Of the API (§9). */
	version: string;
	now: string;
	accounts: Account[];
	counts: Record<
		'activeApiKeys' | 'cards' | 'transactions' | 'events' | 'payments' | 'endpoints' | 'deliveries',
		number
	>;
	/** What the control plane offers, e.g. "POST /sandbox/reset", and what each does. */
	routes: Record<string, string>;
}

/** What the network tells about a merchant (§2); every part may be missing. */
export interface Merchant {
	category?: string | undefined;
	mcc?: string | undefined;
	merchantName?: string | undefined;
	merchantCity?: string | undefined;
	merchantState?: string | undefined;
	merchantCountry?: string | undefined;
	merchantPostalCode?: string | undefined;
	merchantStreetAddress?: string | undefined;
	merchantTaxId?: string | undefined;
}

/** A purchase as a merchant requests it; without a card, an active one pays. */
export interface Purchase extends Merchant {
	cardId?: string | undefined;
	/** A decimal string. */
	amount: string;
	/** Default USD. */
	currency?: string | undefined;
	/** Makes the network decline it. */
	decline?: { reason: string; origin?: string; severity?: string } | undefined;
}

/** A step of a transaction after its authorization. */
export type Step = 'increment' | 'clearing' | 'release' | 'reversal' | 'refund';

/** A CardFinancialEvent as the sandbox sends it (§2). */
export interface CardEvent extends Merchant {
	id: string;
	transactionId: string;
	cardId: string;
	amount: string;
	amountDirection: 'debit' | 'credit';
	currency: string;
	isReversal: boolean;
	isSuccess: boolean;
	createdAt: string;
	issues: { origin: string; reason: string; severity: string }[];
}

/** What a simulation wrote. */
export interface SimulationResult {
	transaction: {
		id: string;
		cardId: string;
		amount: string;
		amountDirection: 'debit' | 'credit';
		currency: string;
		status: 'pending' | 'declined' | 'settled' | 'released';
		createdAt: string;
		merchantName?: string | undefined;
	};
	event: CardEvent;
	deliveries: { id: string; endpointId: string }[];
}

/** How an endpoint is added. */
export interface EndpointOptions {
	name?: string;
	/** What signs its deliveries; a random one by default. */
	secret?: string;
	/** Whether a retry has the timestamp of its own attempt (default) or of the first one. */
	retryTimestamp?: 'new' | 'original';
}

/** A subscribed URL. */
export interface Endpoint {
	id: string;
	accountId: number;
	name: string | null;
	url: string;
	retryTimestamp: 'new' | 'original';
	createdAt: string;
	previousSecretUntil: string | null;
}

/** A new endpoint with its signing secret. */
export type Subscription = Endpoint & { signingSecret: string };

/** One attempt to deliver an event. */
export interface Attempt {
	at: string;
	/** Null when no response came; `error` says why. */
	httpStatus: number | null;
	durationMs: number;
	error: string | null;
	requestHeaders: Record<string, string>;
	responseBody: string;
}

/** A delivery with all its attempts, the first one first. */
export interface Delivery {
	id: string;
	eventId: string;
	endpointId: string;
	url: string;
	status: 'pending' | 'delivered' | 'failed';
	nextAttemptAt: string | null;
	attempts: Attempt[];
}

/** A request to the API as the log keeps it: without keys, secrets and sensitive details. */
export interface LoggedExchange {
	/** Counts the requests since the sandbox was started. */
	number: number;
	at: string;
	method: string;
	/** Below the path prefix (§9). */
	path: string;
	query: string;
	/** What the key was: active, missing, malformed, unknown or replaced. */
	apiKey: string;
	requestHeaders: Record<string, string>;
	requestBody: string;
	/** Null when the connection was closed before the response. */
	status: number | null;
	durationMs: number;
	responseBody: string;
	/** What the request had that the API does not know. */
	warning: string | null;
}

interface OnSome {
	/** How likely the rule applies where it could; 1 is always. */
	probability?: number;
	/** How often it applies at most; without it, no end. */
	times?: number | undefined;
}

interface OnRequests extends OnSome {
	method?: string | undefined;
	/** Below the path prefix of §9: this path and all below it. */
	path?: string | undefined;
}

/** What goes wrong on purpose. Times in ms. */
export type FaultRule =
	| ({ kind: 'status'; status: number; retryAfter?: number | string | undefined } & OnRequests)
	| ({ kind: 'latency'; ms: number } & OnRequests)
	| ({ kind: 'drop-before' | 'drop-after' } & OnRequests)
	| ({ kind: 'duplicate' | 'bad-signature' } & OnSome);
