import type { SandboxFixture } from '../../harness/scenario/sandboxFixture.ts';
import { requestOk } from '../../harness/tools/json.ts';

type Status = 'active' | 'frozen' | 'archived';

interface Page {
	data: { name: string; status: Status }[];
	totalPages: number;
}

/** The names of cards by their status, in alphabetical order. */
export type CardsByStatus = Record<Status, string[]>;

/** The cards of an account that has more of them than one page of a list holds. */
export class ManyCards {
	readonly #url: string;
	readonly #headers: Record<string, string>;

	/** Takes a key of the account. */
	constructor({ api }: SandboxFixture, apiKey: string) {
		this.#url = api.url;
		this.#headers = { authorization: `Bearer ${apiKey}` };
	}

	/** Makes a card that serves many purchases, and gives its id. */
	async create(name: string): Promise<string> {
		const body = { name, type: 'recurring' };
		const request = { method: 'POST', headers: this.#headers, body } as const;
		return ((await (await requestOk(`${this.#url}/cards`, request)).json()) as { id: string }).id;
	}

	/** All cards there are, from all pages. */
	async byStatus(): Promise<CardsByStatus> {
		const found: CardsByStatus = { active: [], frozen: [], archived: [] };
		for (let page = 1, pages = 1; page <= pages; page++) {
			const url = `${this.#url}/cards?page=${page}&pageSize=100`;
			const list = (await (await requestOk(url, { headers: this.#headers })).json()) as Page;
			for (const { name, status } of list.data) found[status].push(name);
			pages = list.totalPages;
		}
		for (const names of Object.values(found)) names.sort();
		return found;
	}
}
