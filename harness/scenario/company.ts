import { requestJson, requestOk } from '../tools/json.ts';
import { z } from 'zod';

const accountSchema = z.object({ id: z.number(), name: z.string() });
const keySchema = z.object({ apiKey: z.string() });
const subscriptionSchema = z.object({ id: z.string(), signingSecret: z.string() });
const cardSchema = z.object({
	id: z.string(),
	name: z.string(),
	lastFour: z.string(),
	status: z.enum(['active', 'frozen', 'archived']),
	type: z.string(),
});
const eventSchema = z
	.object({ id: z.string(), transactionId: z.string(), cardId: z.string() })
	.passthrough();
const deliverySchema = z.object({
	endpointId: z.string(),
	status: z.enum(['pending', 'delivered', 'failed']),
	attempts: z.array(
		z.object({
			httpStatus: z.number().nullish(),
			durationMs: z.number(),
			error: z.string().nullish(),
		}),
	),
});

export type Account = z.infer<typeof accountSchema>;
export type Card = z.infer<typeof cardSchema>;
export type CardEvent = z.infer<typeof eventSchema>;
export type Subscription = z.infer<typeof subscriptionSchema>;
export type Delivery = z.infer<typeof deliverySchema>;

/** A purchase that a merchant asks the card platform to authorize. */
export interface Purchase {
	cardId: string;
	/** Decimal, in `currency`. */
	amount: string;
	currency?: string;
	merchantName: string;
	/** ISO 3166 alpha-2. */
	merchantCountry: string;
	/** Why it is declined; approved without one. */
	decline?: { reason: string };
}

/** The sandbox, as the card platform's staff and the merchants see it: its control plane. */
export class SandboxControl {
	readonly url: string;
	readonly #signal: AbortSignal | undefined;

	/** Takes the sandbox's URL without a slash at the end. */
	constructor(url: string, signal?: AbortSignal) {
		this.url = url;
		this.#signal = signal;
	}

	/** The company's accounts. */
	async accounts(): Promise<Account[]> {
		return (await this.#get('/sandbox', z.object({ accounts: z.array(accountSchema) }))).accounts;
	}

	/** Generates an account-scoped API key; the account's key from before is void then. */
	async generateKey(accountId: number): Promise<string> {
		const body = { scope: 'account', accountId };
		return (await this.#post('/sandbox/keys', keySchema, body)).apiKey;
	}

	/** Subscribes a webhook URL to an account's events; gives the secret that deliveries are signed with. */
	async subscribe(accountId: number, url: string): Promise<Subscription> {
		return this.#post('/sandbox/endpoints', subscriptionSchema, { accountId, url });
	}

	/** Ends a subscription; also after an interruption, which ends everything else here. */
	async unsubscribe({ id }: Pick<Subscription, 'id'>): Promise<void> {
		await requestOk(`${this.url}/sandbox/endpoints/${id}`, { method: 'DELETE' });
	}

	/** Lets a merchant try a purchase; gives the event that is sent to all subscribers. */
	async purchase(purchase: Purchase): Promise<CardEvent> {
		const answer = z.object({ event: eventSchema });
		return (await this.#post('/sandbox/simulate/authorization', answer, purchase)).event;
	}

	/** Moves the sandbox's clock to a time; with none, back to the machine's. */
	async setClock(now?: Date): Promise<void> {
		const url = `${this.url}/sandbox/clock`;
		const change = now ? { method: 'PUT' as const, body: { now } } : { method: 'DELETE' as const };
		await requestOk(url, { ...change, signal: this.#signal });
	}

	/** The deliveries of an event, one for each subscriber. */
	async deliveries(eventId: string): Promise<Delivery[]> {
		const query = new URLSearchParams({ eventId }).toString();
		const answer = z.object({ data: z.array(deliverySchema) });
		return (await this.#get(`/sandbox/deliveries?${query}`, answer)).data;
	}

	async #get<T>(path: string, schema: z.ZodType<T, z.ZodTypeDef, unknown>): Promise<T> {
		return requestJson(this.url + path, schema, { signal: this.#signal });
	}

	async #post<T>(
		path: string,
		schema: z.ZodType<T, z.ZodTypeDef, unknown>,
		body: object,
	): Promise<T> {
		return requestJson(this.url + path, schema, { method: 'POST', body, signal: this.#signal });
	}
}

/** The public API, as a customer sees it; here it reads back what the workflow did. */
export class CardApi {
	readonly url: string;
	readonly #headers: Record<string, string>;
	readonly #signal: AbortSignal | undefined;

	/** Takes the API's base URL and a key. */
	constructor(url: string, apiKey: string, signal?: AbortSignal) {
		this.url = url;
		this.#headers = { authorization: `Bearer ${apiKey}` };
		this.#signal = signal;
	}

	/** The first page of cards: all that a small company has. */
	async cards(): Promise<Card[]> {
		return (await this.#get('/cards', z.object({ data: z.array(cardSchema) }))).data;
	}

	/** A card as it is now. */
	async card(id: string): Promise<Card> {
		return this.#get(`/cards/${id}`, cardSchema);
	}

	/** Makes a frozen card active again. */
	async unfreeze(id: string): Promise<void> {
		const headers = this.#headers;
		await requestOk(`${this.url}/cards/${id}/unfreeze`, {
			method: 'POST',
			headers,
			signal: this.#signal,
		});
	}

	async #get<T>(path: string, schema: z.ZodType<T, z.ZodTypeDef, unknown>): Promise<T> {
		return requestJson(this.url + path, schema, { headers: this.#headers, signal: this.#signal });
	}
}
