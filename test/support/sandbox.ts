import { z } from 'zod';

import { createSandbox, type Sandbox } from '../../sandbox/server.ts';
import { type ContractRecorder, recordContractOfEachTest } from './contract';
import { type Credentials, credentialsFor } from '../../harness/core/runNode.ts';

const keySchema = z.object({ apiKey: z.string() });
const accountsSchema = z.object({ accounts: z.array(z.object({ id: z.number() })) });
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
	/** Calls the sandbox's control plane with a JSON body. */
	control: (path: string, body: unknown, method?: 'POST' | 'PUT') => Promise<unknown>;
	/** Makes another key, which replaces the one before (§5.3). */
	newKey: (scope: 'account' | 'customer', accountId?: number) => Promise<{ apiKey: string }>;
	/** Ids of the company's accounts. */
	accountIds: () => Promise<number[]>;
	/** Gets from the API with the key, around the connector. */
	api: (path: string) => Promise<unknown>;
	/** The cards that are there, optionally of one status only. */
	cards: (status?: string) => Promise<z.infer<typeof cardsSchema>['data']>;
}

/**
 * Starts a sandbox in memory, with its small company and a customer-scoped key. Every request and
 * answer of its API is held against openapi.yaml.
 *
 * @param hooks of a recorder of the test's own
 */
export async function startSandbox(
	hooks: ContractRecorder['hooks'] = contractHooks,
): Promise<TestSandbox> {
	const sandbox = await createSandbox(hooks);

	const control: TestSandbox['control'] = async (path, body, method = 'POST') => {
		const response = await fetch(`${sandbox.url}/sandbox${path}`, {
			method,
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		if (!response.ok) throw new Error(await response.text());
		return await response.json();
	};
	const newKey: TestSandbox['newKey'] = async (scope, accountId) =>
		keySchema.parse(await control('/keys', { scope, accountId }));
	const { apiKey } = await newKey('customer');

	const api = async (path: string): Promise<unknown> => {
		const response = await fetch(`${sandbox.apiUrl}${path}`, {
			headers: { authorization: `Bearer ${apiKey}` },
		});
		return await response.json();
	};

	return {
		...sandbox,
		apiKey,
		control,
		newKey,
		accountIds: async () => {
			const response = await fetch(`${sandbox.url}/sandbox`);
			return accountsSchema.parse(await response.json()).accounts.map(({ id }) => id);
		},
		api,
		credentials: (more) =>
			credentialsFor(sandbox.apiUrl, { apiKey, keyScope: 'customer', ...more }),
		cards: async (status) =>
			cardsSchema.parse(await api(status === undefined ? '/cards' : `/cards?status=${status}`))
				.data,
	};
}
