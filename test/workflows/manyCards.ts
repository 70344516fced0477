import { z } from 'zod';

import { requestJson, requestOk } from '../../harness/tools/json.ts';

const idSchema = z.object({ id: z.string() });
const listSchema = z.object({
	data: z.array(
		z.object({
			id: z.string(),
			name: z.string(),
			status: z.enum(['active', 'frozen', 'archived']),
		}),
	),
	totalPages: z.number(),
});

/** The names of cards by their status, in alphabetical order. */
export type CardsByStatus = Record<'active' | 'frozen' | 'archived', string[]>;

/** The cards of an account that has more of them than one page of a list holds. */
export class ManyCards {
	readonly #url: string;
	readonly #headers: Record<string, string>;

	/** Takes the API's base URL and a key of the account. */
	constructor(url: string, apiKey: string) {
		this.#url = url;
		this.#headers = { authorization: `Bearer ${apiKey}` };
	}

	/** Makes a card that serves many purchases, and gives its id. */
	async create(name: string): Promise<string> {
		const body = { name, type: 'recurring' };
		const request = { method: 'POST', headers: this.#headers, body } as const;
		return (await requestJson(`${this.#url}/cards`, idSchema, request)).id;
	}

	/** Archives a card. */
	async archive(id: string): Promise<void> {
		const headers = this.#headers;
		await requestOk(`${this.#url}/cards/${id}/archive`, { method: 'POST', headers });
	}

	/** All cards there are, from all pages. */
	async byStatus(): Promise<CardsByStatus> {
		const found: CardsByStatus = { active: [], frozen: [], archived: [] };
		for (let page = 1, pages = 1; page <= pages; page++) {
			const url = `${this.#url}/cards?page=${page}&pageSize=100`;
			const list = await requestJson(url, listSchema, { headers: this.#headers });
			for (const { name, status } of list.data) found[status].push(name);
			pages = list.totalPages;
		}
		for (const names of Object.values(found)) names.sort();
		return found;
	}
}
