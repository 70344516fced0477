import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { z } from 'zod';

import { REQUEST_TIMEOUT_MS } from '../api/assumptions';
import { type ApiConfig, readApiConfig } from '../api/config';
import { UserError } from '../api/userError';
import { toAccountId } from '../api/values';
import { withTimeout } from '../api/withTimeout';
import { authorize } from '../transport/authorize';
import { errorResponse, failedCall, isWebPage, unexpectedResponse } from '../transport/errors';
import { HEADERS } from '../transport/request';
import type { ApiRequest, ApiResponse } from '../transport/types';

/** A person waits for the result, and a proxy in front of n8n may wait for a minute only. */
const TIMEOUT_MS = Math.min(15_000, REQUEST_TIMEOUT_MS);

/** The health check (§1) confirms that the key is accepted: without a valid one, it is 401 (§4). */
const HEALTH: ApiRequest = { method: 'GET', path: '/health', effect: 'read' };

const responseSchema = z.object({ statusCode: z.number(), body: z.unknown() });

/** n8n offers the test of a credential its older request function only, so far in every version. */
type TestRequest = IHttpRequestOptions & {
	uri: string;
	simple: boolean;
	resolveWithFullResponse: boolean;
};

/** @throws UserError for a field that a health check does not need, but an operation does */
function checkOtherFields({ keyScope, accountId }: ApiConfig): void {
	if (keyScope === 'customer' && accountId !== undefined) {
		toAccountId(accountId, 'Default Account ID');
	}
}

async function send(
	{ helpers }: ICredentialTestFunctions,
	data: ICredentialDataDecryptedObject,
	config: ApiConfig,
): Promise<ApiResponse | UserError> {
	const address = `${config.baseUrl}${HEALTH.path}`;
	const request: TestRequest = {
		method: HEALTH.method,
		url: address,
		uri: address,
		headers: HEADERS,
		timeout: TIMEOUT_MS,
		simple: false,
		resolveWithFullResponse: true,
	};
	try {
		const received = await withTimeout(
			TIMEOUT_MS,
			async (): Promise<unknown> => await helpers.request(authorize(data, request)),
		);
		const { statusCode: status, body } = responseSchema.parse(received);
		return { status, body: typeof body === 'string' ? config.redactBody(body) : '' };
	} catch (error) {
		return failedCall(error, HEALTH, config);
	}
}

/** @throws UserError unless the API accepts the key */
async function checkHealth(
	context: ICredentialTestFunctions,
	data: ICredentialDataDecryptedObject,
): Promise<void> {
	const config = readApiConfig(data);
	checkOtherFields(config);
	const response = await send(context, data, config);
	if (response instanceof UserError) throw response;
	if (response.status < 200 || response.status >= 300) {
		throw errorResponse(response, HEALTH, config);
	}
	// The shape of a healthy response is undocumented (§4), but a dashboard has a page for every path.
	if (isWebPage(response.body)) {
		throw unexpectedResponse('a health status', response, HEALTH);
	}
}

/**
 * Tests a Card Platform API credential with one request, sent as the node would send it (§5.1). A failure
 * has the node's message and hint. Redirects are not followed, and the result never holds the key.
 */
export async function testApi(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		await checkHealth(this, data ?? {});
		return { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		const problem = error instanceof UserError ? error : undefined;
		return {
			status: 'Error',
			message: problem === undefined ? 'Unknown error' : `${problem.message}. ${problem.hint}`,
		};
	}
}
