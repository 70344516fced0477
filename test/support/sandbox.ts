import { type Credentials, credentialsFor } from '../../dev/harness/core/credentials.ts';
import type { Card } from '../../dev/harness/publicApi.ts';
import type { SandboxOptions } from '../../sandbox/server.ts';
import { openSandbox } from '../sandbox/support/sandbox.ts';
import { recordContractOfEachTest } from './contract';

const contractHooks = recordContractOfEachTest('checked');

/** A running sandbox and a key for it, as the connector's tests need it. */
export type TestSandbox = Awaited<ReturnType<typeof startSandbox>>;

/**
 * Starts a sandbox in memory, with its small company and a customer-scoped key. Every request and
 * response of its API is held against openapi.yaml.
 *
 * @param options for example the hooks of the test's own recorder
 */
export async function startSandbox(options: SandboxOptions = {}) {
	const sandbox = await openSandbox({ ...contractHooks, ...options });
	const { url, apiUrl, apiKey, client } = sandbox;
	/** Gets from the API with the key, around the connector. */
	const api = async (path: string) => (await sandbox.api('GET', path)).body;
	return {
		...{ url, apiUrl, apiKey, client, api },
		close: () => sandbox.close(),
		/** The credential of the action node; `more` changes single fields. */
		credentials: (more: Credentials[string] = {}): Credentials =>
			credentialsFor(apiUrl, { apiKey, keyScope: 'customer', ...more }),
		/** The active cards. */
		cards: async () => ((await api('/cards?status=active')) as { data: Card[] }).data,
	};
}
