import { type JsonRequest, requestJson, requestOk } from './tools/json.ts';

/** A card, as far as scripts and tests read it. */
export interface Card {
	id: string;
	name: string;
	lastFour: string;
	status: 'active' | 'frozen' | 'archived';
	type: string;
}

/** A client of the public API, with a bearer key: what scripts and tests use to prepare and to check. */
export class PublicApiClient {
	readonly url: string;
	readonly #apiKey: string;

	constructor(url: string, apiKey: string) {
		this.url = url;
		this.#apiKey = apiKey;
	}

	/** A page of 100 cards; the first is all that a small company has. */
	async cards(page = 1): Promise<Card[]> {
		return (await this.#json<{ data: Card[] }>(`/cards?page=${page}&pageSize=100`)).data;
	}

	async card(id: string): Promise<Card> {
		return this.#json(`/cards/${id}`);
	}

	async createCard(name: string, accountId: number): Promise<string> {
		const body = { name, type: 'recurring', accountId };
		return (await this.#json<{ id: string }>('/cards', { method: 'POST', body })).id;
	}

	async changeCard(id: string, action: 'freeze' | 'unfreeze' | 'archive'): Promise<void> {
		await requestOk(`${this.url}/cards/${id}/${action}`, this.#authorized({ method: 'POST' }));
	}

	async #json<T>(path: string, request: JsonRequest = {}): Promise<T> {
		return requestJson(this.url + path, this.#authorized(request));
	}

	#authorized(request: JsonRequest): JsonRequest {
		return { ...request, headers: { authorization: `Bearer ${this.#apiKey}` } };
	}
}
