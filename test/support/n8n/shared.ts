import { request } from 'undici';

import { type N8nAddress, N8nClient } from '../../../dev/harness/n8n/client.ts';
import { packedVariable } from '../../../dev/harness/n8n/package.ts';
import {
	attachInternet,
	type FakeInternet,
	type InternetAddress,
} from '../../../dev/harness/scenario/fakeInternet.ts';

/** What the service tells of the n8n that it has started. */
export interface SharedState {
	n8n: N8nAddress;
	userFolder: string;
	internet: InternetAddress;
}

/** Packs the package, once per run; everything that needs it in this file uses that tarball. */
export async function usePackedPackage(): Promise<void> {
	const { file } = (await ask('/package')) as { file: string };
	process.env[packedVariable] = file;
}

/**
 * Attaches the tests of a file to the n8n that all files of a worker of jest share, and unpublishes their workflows in the end.
 * Names, webhooks and executions of other files' workflows are in it: look only at your own.
 */
export function useSharedN8n() {
	let shared: { n8n: N8nClient; userFolder: string; internet: FakeInternet };

	beforeAll(async () => {
		const answer = await ask(`/n8n-${process.env.JEST_WORKER_ID ?? ''}`);
		const { n8n, userFolder, internet } = answer as SharedState;
		shared = { userFolder, n8n: new N8nClient(n8n), internet: await attachInternet(internet) };
	}, 900_000);

	afterAll(() => shared.n8n.unpublishAll(), 180_000);

	return () => shared;
}

/** Asks the service that the global set-up started. It may take minutes, as it builds and starts things. */
async function ask(path: string): Promise<unknown> {
	const withoutLimit = { headersTimeout: 0, bodyTimeout: 0 };
	const { statusCode, body } = await request(
		`${process.env.E2E_SERVICE ?? ''}${path}`,
		withoutLimit,
	);
	const content = await body.json();
	if (statusCode === 200) return content;
	throw new Error((content as { message: string }).message);
}
