import { Pool } from 'undici';

import { API_PATH, apiKey } from './server/api.ts';

/** A plain program without n8n, which keeps its connections open: the least that reading can cost. */
export class UndiciReader implements AsyncDisposable {
	readonly #pool: Pool;
	readonly #connections: number;
	readonly #signal: AbortSignal;

	/** @param certificate to trust, if the URL is https */
	constructor(url: string, connections: number, signal: AbortSignal, certificate?: string) {
		const connect = certificate === undefined ? {} : { ca: certificate };
		this.#pool = new Pool(new URL(url).origin, { connections, connect });
		this.#connections = connections;
		this.#signal = signal;
	}

	/** Reads JSON from a path below the API's. */
	async get(path: string): Promise<unknown> {
		const { body } = await this.#pool.request({
			path: API_PATH + path,
			method: 'GET',
			headers: { authorization: `Bearer ${apiKey}`, accept: 'application/json' },
			signal: this.#signal,
		});
		return await body.json();
	}

	/** Reads JSON from each path, over all connections. */
	async getAll(paths: readonly string[]): Promise<unknown[]> {
		const queue = paths.values();
		const bodies: unknown[] = [];
		const reader = async () => {
			for (const path of queue) bodies.push(await this.get(path));
		};
		await Promise.all(Array.from({ length: this.#connections }, reader));
		return bodies;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#pool.close();
	}
}
