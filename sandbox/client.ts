import { hc, type InferRequestType, type InferResponseType, parseResponse } from 'hono/client';
import { z } from 'zod';

import type { ControlApp } from './controlRoutes.ts';

/** A response of the control plane that is not 2xx: its status, and the sandbox's own message. */
export class SandboxError extends Error {
	readonly status: number;

	/** Takes the status, and what was requested and why it failed. */
	constructor(status: number, message: string) {
		super(message);
		this.name = 'SandboxError';
		this.status = status;
	}
}

const connect = (url: string, send: typeof fetch) =>
	hc<ControlApp>(`${url}/sandbox`, { fetch: send });
type Control = ReturnType<typeof connect>;

export type Purchase = InferRequestType<Control['simulate']['authorization']['$post']>['json'];
export type SimulationResult = InferResponseType<Control['simulate']['authorization']['$post']>;
export type CardEvent = SimulationResult['event'];
export type Overview = InferResponseType<Control['index']['$get']>;
export type Account = Overview['accounts'][number];
export type Subscription = InferResponseType<Control['endpoints']['$post']>;
export type FaultRule = InferRequestType<Control['faults']['$put']>['json']['rules'][number];
export type Delivery = InferResponseType<Control['deliveries']['$get']>['data'][number];
type DeliveriesQuery = InferRequestType<Control['deliveries']['$get']>['query'];
type DeliveryFilters = Pick<DeliveriesQuery, 'eventId' | 'endpointId' | 'status'>;
type Endpoint = InferRequestType<Control['endpoints']['$post']>['json'];
type Features = InferRequestType<Control['accounts'][':id']['features']['$put']>['json'];
type Seed = InferRequestType<Control['reset']['$post']>['json']['seed'];
type Step = InferRequestType<Control['simulate'][':step']['$post']>['param']['step'];

/**
 * A client of the sandbox's control plane: what dashboard, card network and test bench do. Requests and
 * responses have the types of the routes. Every method throws a {@link SandboxError} unless the response
 * is 2xx.
 */
export class SandboxClient {
	readonly url: string;
	readonly #control: Control;
	readonly #uninterrupted: Control;

	/** Takes the sandbox's URL without a slash at the end. */
	constructor(url: string, signal?: AbortSignal) {
		this.url = url;
		this.#control = connect(url, sendWith(signal));
		this.#uninterrupted = connect(url, sendWith());
	}

	/** The sandbox's time and accounts, and the number of records of each kind. */
	async overview(): Promise<Overview> {
		return parseResponse(this.#control.index.$get());
	}

	/** The accounts, by id. */
	async accounts(): Promise<Account[]> {
		return (await this.overview()).accounts;
	}

	/** Deletes everything and fills the sandbox with a seed again. */
	async reset(seed?: Seed): Promise<void> {
		await parseResponse(this.#control.reset.$post({ json: { seed } }));
	}

	/** Creates an API key for an account or, without one, for the customer. The previous key, of either scope, stops working. */
	async createKey(accountId?: number): Promise<string> {
		const json =
			accountId === undefined
				? { scope: 'customer' as const }
				: { scope: 'account' as const, accountId };
		return (await parseResponse(this.#control.keys.$post({ json }))).apiKey;
	}

	/** Enables and disables features of an account; returns the account. */
	async setFeatures(accountId: number, features: Features): Promise<Account> {
		const param = { id: String(accountId) };
		return parseResponse(this.#control.accounts[':id'].features.$put({ param, json: features }));
	}

	/** Subscribes a webhook URL to an account's events; the result has the secret that signs deliveries. */
	async subscribe(
		accountId: number,
		url: string,
		options: Omit<Endpoint, 'accountId' | 'url'> = {},
	): Promise<Subscription> {
		return parseResponse(this.#control.endpoints.$post({ json: { accountId, url, ...options } }));
	}

	/** Gives an endpoint a new signing secret; the previous one stays valid for 24 hours. */
	async rotateSecret(endpointId: string): Promise<string> {
		const param = { id: endpointId };
		return (await parseResponse(this.#control.endpoints[':id'].rotate.$post({ param })))
			.signingSecret;
	}

	/** Ends a subscription; also after the signal of the client was aborted. */
	async unsubscribe({ id }: Pick<Subscription, 'id'>): Promise<void> {
		await parseResponse(this.#uninterrupted.endpoints[':id'].$delete({ param: { id } }));
	}

	/** All deliveries that match the filters, in the order in which they were written. */
	async deliveries(filters: DeliveryFilters = {}): Promise<Delivery[]> {
		const deliveries: Delivery[] = [];
		for (let page = 1; ; page++) {
			// Oldest first: new deliveries then move none to another page.
			const query = { ...filters, sort: 'asc' as const, page: String(page) };
			const { data, pageSize } = await parseResponse(this.#control.deliveries.$get({ query }));
			deliveries.push(...data);
			if (data.length < pageSize) return deliveries;
		}
	}

	/** Simulates a purchase that a merchant requests: its transaction, event and deliveries. */
	async authorize(purchase: Purchase): Promise<SimulationResult> {
		return parseResponse(this.#control.simulate.authorization.$post({ json: purchase }));
	}

	/** Simulates a later step of a transaction; without an amount, which an increment needs, for the full remaining amount. */
	async simulateStep(
		step: Step,
		transactionId: string,
		amount?: string,
	): Promise<SimulationResult> {
		const json = { transactionId, amount };
		return parseResponse(this.#control.simulate[':step'].$post({ param: { step }, json }));
	}

	/** Sets the sandbox's clock. */
	async setClock(now: Date): Promise<void> {
		await parseResponse(this.#control.clock.$put({ json: { now: now.toISOString() } }));
	}

	/** Advances the sandbox's clock. */
	async advanceClock(seconds: number): Promise<void> {
		await parseResponse(this.#control.clock.$put({ json: { advanceSeconds: seconds } }));
	}

	/** Sets the sandbox's clock to the machine's. */
	async resetClock(): Promise<void> {
		await parseResponse(this.#control.clock.$delete());
	}

	/** The active faults, and how often each was applied. */
	async faults() {
		return (await parseResponse(this.#control.faults.$get())).rules;
	}

	/** Replaces the active faults; the same seed makes the same decisions. */
	async setFaults(rules: FaultRule[], seed?: number): Promise<void> {
		await parseResponse(this.#control.faults.$put({ json: { rules, seed } }));
	}
}

const sendWith =
	(signal?: AbortSignal): typeof fetch =>
	async (input, init) => {
		const response = await fetch(input, { ...init, signal: signal ?? null });
		if (response.ok) return response;
		const { pathname } = new URL(response.url);
		const request = `${init?.method ?? 'GET'} ${pathname}`;
		throw new SandboxError(
			response.status,
			`${request}: HTTP ${response.status}: ${await messageOf(response)}`,
		);
	};

const errorSchema = z.object({ message: z.string() });

async function messageOf(response: Response): Promise<string> {
	const body = await response.text();
	try {
		return errorSchema.parse(JSON.parse(body)).message;
	} catch {
		return body;
	}
}
