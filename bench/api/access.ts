import { readFile } from 'node:fs/promises';

import type { BenchContext } from '../n8n/start.ts';
import { startLink } from '../network/start.ts';
import { API_PATH } from '../server/control.ts';
import type { StartedServer } from '../server/start.ts';
import { apiWorkflows, credentialsFor } from './workflows.ts';

/** The round trip of the network in the rows with TLS, in milliseconds. */
const roundTripMs = 30;

/** A way to reach the bench's API. */
export interface Access {
	apiUrl: string;
	/** The certificate to trust; none for plain HTTP. */
	certificate: string | undefined;
	credentials: ReturnType<typeof credentialsFor>;
	workflows: ReturnType<typeof apiWorkflows>;
	/** What reports call a measurement with this latency of the API. */
	settingOf: (latencyMs: number) => string;
}

/** Reaches the API over plain HTTP, without a network between. */
export function plainAccess({ apiUrl }: StartedServer): Access {
	return {
		...targets(apiUrl, 'plain'),
		certificate: undefined,
		settingOf: (latencyMs) => `${latencyMs} ms latency`,
	};
}

/** Reaches the API over TLS through a network with a round trip; `cleanup` ends that. */
export async function remoteAccess(
	context: BenchContext,
	{ tlsPort, certificateFile }: StartedServer,
): Promise<Access> {
	const port = await startLink(context, tlsPort, roundTripMs);
	return {
		...targets(`https://localhost:${port}${API_PATH}`, 'remote'),
		certificate: await readFile(certificateFile, 'utf8'),
		settingOf: (latencyMs) => `TLS, ${roundTripMs} ms round trip, ${latencyMs} ms latency`,
	};
}

function targets(apiUrl: string, network: string) {
	const credentials = credentialsFor(apiUrl, network);
	return { apiUrl, credentials, workflows: apiWorkflows(apiUrl, credentials) };
}
