import { type Credentials, credentialsFor } from '../../dev/harness/core/credentials.ts';
import type { SandboxOptions } from '../../sandbox/server.ts';
import { openSandbox, type TestSandbox as SandboxUnderTest } from '../sandbox/support/sandbox.ts';
import { recordContractOfEachTest } from './contract';

const contractHooks = recordContractOfEachTest('checked');

interface Card {
	id: string;
	name: string;
	lastFour: string;
	status: string;
}

/** A running sandbox and a key for it, as the connector's tests need it. */
export interface TestSandbox extends Pick<
	SandboxUnderTest,
	'url' | 'apiUrl' | 'close' | 'apiKey' | 'client'
> {
	/** The credential of the action node; `more` changes single fields. */
	credentials: (more?: Credentials[string]) => Credentials;
	/** Ids of the company's accounts. */
	accountIds: () => Promise<number[]>;
	/** Gets from the API with the key, around the connector. */
	api: (path: string) => Promise<unknown>;
	/** The cards that are there, optionally of one status only. */
	cards: (status?: string) => Promise<Card[]>;
}

/**
 * Starts a sandbox in memory, with its small company and a customer-scoped key. Every request and
 * response of its API is held against openapi.yaml.
 *
 * @param options for example the hooks of the test's own recorder
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
	const sandbox = await openSandbox({ ...contractHooks, ...options });
	const { url, apiUrl, apiKey, client } = sandbox;
	const get = async (path: string) => (await sandbox.api('GET', path)).body;
	return {
		...{ url, apiUrl, apiKey, client, api: get },
		close: () => sandbox.close(),
		accountIds: async () => (await client.accounts()).map(({ id }) => id),
		credentials: (more) => credentialsFor(apiUrl, { apiKey, keyScope: 'customer', ...more }),
		cards: async (status) => {
			const query = status === undefined ? '' : `?status=${status}`;
			return ((await get(`/cards${query}`)) as { data: Card[] }).data;
		},
	};
}
