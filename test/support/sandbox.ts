import { z } from 'zod';

import { type Credentials, credentialsFor } from '../../harness/core/credentials.ts';
import { SandboxClient } from '../../sandbox/client.ts';
import { type Sandbox, type SandboxOptions, startSandbox as start } from '../../sandbox/server.ts';
import { recordContractOfEachTest } from './contract';

const cardsSchema = z.object({
	data: z.array(
		z.object({ id: z.string(), name: z.string(), lastFour: z.string(), status: z.string() }),
	),
});

const contractHooks = recordContractOfEachTest('checked');

/** A running sandbox and a key for it. */
export interface TestSandbox extends Sandbox {
	apiKey: string;
	/** The credential of the action node; `more` changes single fields. */
	credentials: (more?: Credentials[string]) => Credentials;
	/** The client of its control plane. */
	client: SandboxClient;
	/** Ids of the company's accounts. */
	accountIds: () => Promise<number[]>;
	/** Gets from the API with the key, around the connector. */
	api: (path: string) => Promise<unknown>;
	/** The cards that are there, optionally of one status only. */
	cards: (status?: string) => Promise<z.infer<typeof cardsSchema>['data']>;
}

/**
 * Starts a sandbox in memory, with its small company and a customer-scoped key. Every request and
 * response of its API is held against openapi.yaml.
 *
 * @param options for example the hooks of the test's own recorder
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
	const sandbox = await start({ ...contractHooks, ...options });

	const client = new SandboxClient(sandbox.url);
	const apiKey = await client.createKey();

	const api = async (path: string): Promise<unknown> => {
		const response = await fetch(`${sandbox.apiUrl}${path}`, {
			headers: { authorization: `Bearer ${apiKey}` },
		});
		return await response.json();
	};

	return {
		...sandbox,
		apiKey,
		client,
		accountIds: async () => (await client.accounts()).map(({ id }) => id),
		api,
		credentials: (more) =>
			credentialsFor(sandbox.apiUrl, { apiKey, keyScope: 'customer', ...more }),
		cards: async (status) =>
			cardsSchema.parse(await api(status === undefined ? '/cards' : `/cards?status=${status}`))
				.data,
	};
}
