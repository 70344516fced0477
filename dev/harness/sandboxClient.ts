import { z } from 'zod/v4';

import type { Account, Features } from '../../sandbox/accounts/account.ts';
import type { Overview } from '../../sandbox/controlRoutes.ts';
import type { FinancialEvent } from '../../sandbox/events/financialEvent.ts';
import type { faultRuleSchema } from '../../sandbox/faults/rules.ts';
import type { LoggedRequest } from '../../sandbox/requests/requestLog.ts';
import type { Step } from '../../sandbox/simulate/lifecycle.ts';
import type { anyCardBody, resultSchema } from '../../sandbox/simulate/routes.ts';
import type { SandboxOptions } from '../../sandbox/types.ts';
import type { LoggedDelivery } from '../../sandbox/webhooks/deliveryLog.ts';
import type { addEndpoint, endpointBody } from '../../sandbox/webhooks/routes.ts';

export type {
	Account,
	FinancialEvent as CardEvent,
	LoggedDelivery as Delivery,
	LoggedRequest as LoggedExchange,
};
/** A purchase as a merchant requests it; without a card, an active one pays. */
export type Purchase = z.input<typeof anyCardBody>;
export type SimulationResult = z.infer<typeof resultSchema>;
/** What goes wrong on purpose. Times in ms. */
export type FaultRule = z.input<typeof faultRuleSchema>;

type Subscription = ReturnType<typeof addEndpoint>;
type EndpointOptions = Omit<z.input<typeof endpointBody>, 'accountId' | 'url'>;

/**
 * A client of the control plane for what tests and tools do most; control.json has the rest. Every
 * method throws, with the status and the sandbox's own message, unless the response is 2xx.
 */
export class SandboxClient {
	readonly url: string;

	/** Takes the sandbox's URL without a slash at the end. */
	constructor(url: string) {
		this.url = url;
	}

	/** The sandbox's time, accounts and routes, and the number of records of each kind. */
	async overview(): Promise<Overview> {
		return this.#send('GET', '');
	}

	async accounts(): Promise<Account[]> {
		return (await this.overview()).accounts;
	}

	/** Creates an API key for an account or, without one, for the customer. The previous key, of either scope, stops working. */
	async createKey(accountId?: number, apiKey?: string): Promise<string> {
		const scope = accountId === undefined ? 'customer' : 'account';
		const body = { scope, accountId, apiKey };
		return (await this.#send<{ apiKey: string }>('POST', '/keys', body)).apiKey;
	}

	async setFeatures(accountId: number, features: Partial<Features>): Promise<Account> {
		return this.#send('PUT', `/accounts/${accountId}/features`, features);
	}

	/** Subscribes a webhook URL to an account's events; the result has the secret that signs deliveries. */
	async subscribe(
		accountId: number,
		url: string,
		options: EndpointOptions = {},
	): Promise<Subscription> {
		return this.#send('POST', '/endpoints', { accountId, url, ...options });
	}

	/** Gives an endpoint a new signing secret, a random one by default; the previous one stays valid for 24 hours. */
	async rotateSecret(endpointId: string, secret?: string): Promise<string> {
		const path = `/endpoints/${endpointId}/rotate`;
		return (await this.#send<{ signingSecret: string }>('POST', path, { secret })).signingSecret;
	}

	async unsubscribe({ id }: Pick<Subscription, 'id'>): Promise<void> {
		await this.#send('DELETE', `/endpoints/${id}`);
	}

	/** All deliveries that match the filters, in the order in which they were written. */
	async deliveries(
		filters: Partial<Pick<LoggedDelivery, 'eventId' | 'endpointId' | 'status'>> = {},
	): Promise<LoggedDelivery[]> {
		const deliveries: LoggedDelivery[] = [];
		for (let page = 1; ; page++) {
			// Oldest first: new deliveries then move none to another page.
			const query = new URLSearchParams({ ...filters, sort: 'asc', page: String(page) });
			const { data, pageSize } = await this.#send<{ data: LoggedDelivery[]; pageSize: number }>(
				'GET',
				`/deliveries?${query.toString()}`,
			);
			deliveries.push(...data);
			if (data.length < pageSize) return deliveries;
		}
	}

	/** The last requests to the API that match, the newest first; `path` stands for all paths below it, too. */
	async requests(filters: { method?: string; path?: string } = {}): Promise<LoggedRequest[]> {
		const query = new URLSearchParams(filters).toString();
		return (await this.#send<{ data: LoggedRequest[] }>('GET', `/requests?${query}`)).data;
	}

	/** Simulates a purchase that a merchant requests: its transaction, event and deliveries. */
	async authorize(purchase: Purchase): Promise<SimulationResult> {
		return this.#send('POST', '/simulate/authorization', purchase);
	}

	/** Simulates a later step of a transaction; without an amount, which an increment needs, for the full remaining amount. */
	async simulateStep(
		step: Step,
		transactionId: string,
		amount?: string,
	): Promise<SimulationResult> {
		return this.#send('POST', `/simulate/${step}`, { transactionId, amount });
	}

	async setClock(now: Date): Promise<void> {
		await this.#send('PUT', '/clock', { now: now.toISOString() });
	}

	async advanceClock(seconds: number): Promise<void> {
		await this.#send('PUT', '/clock', { advanceSeconds: seconds });
	}

	async resetClock(): Promise<void> {
		await this.#send('DELETE', '/clock');
	}

	async setFaults(rules: FaultRule[]): Promise<void> {
		await this.#send('PUT', '/faults', { rules });
	}

	async setDialect(dialect: NonNullable<SandboxOptions['dialect']>): Promise<void> {
		await this.#send('PUT', '/dialect', { dialect });
	}

	/** The service is our own: its types are those of its handlers, and its values are not checked here. */
	async #send<T>(method: string, path: string, sent?: object): Promise<T> {
		const request = { method, ...(sent && { body: JSON.stringify(sent) }) };
		const response = await fetch(`${this.url}/sandbox${path}`, request);
		const text = await response.text();
		const body: unknown = text === '' ? undefined : JSON.parse(text);
		if (response.ok) return z.custom<T>().parse(body);
		const { message } = z.custom<{ message: string }>().parse(body);
		throw new Error(`${method} /sandbox${path}: HTTP ${response.status}: ${message}`);
	}
}
