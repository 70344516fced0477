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
import { toWireQuery } from '../transport/query';
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
	{ method, path, query }: ApiRequest,
): Promise<ApiResponse | UserError> {
	const address = `${config.baseUrl}${path}`;
	const request: TestRequest = {
		method,
		url: address,
		uri: address,
		qs: query,
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
	config: ApiConfig,
): Promise<void> {
	const response = await send(context, data, config, HEALTH);
	if (response instanceof UserError) throw response;
	if (response.status < 200 || response.status >= 300) {
		throw errorResponse(response, HEALTH, config);
	}
	// The shape of a healthy response is undocumented (§4), but a dashboard has a page for every path.
	if (isWebPage(response.body)) {
		throw unexpectedResponse('a health status', response, HEALTH);
	}
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/**
 * Finds out whether Key Scope and Default Account ID fit the key: only the list of payments depends on
 * both (§4.9, §5.4). A failure that does not mention the account is not the credential's fault.
 *
 * @throws UserError that names the field to change
 */
async function checkScope(
	context: ICredentialTestFunctions,
	data: ICredentialDataDecryptedObject,
	config: ApiConfig,
): Promise<void> {
	const { keyScope, accountId, parameterNames } = config;
	const isCustomer = keyScope === 'customer';
	const account = { accountId: isCustomer ? accountId : undefined };
	const [from, to] = [dayOf(Date.now() - 86_400_000), dayOf(Date.now())];
	const query = { from, to, ...toWireQuery(parameterNames, account) };
	const request: ApiRequest = { method: 'GET', path: '/payments', effect: 'read', query };
	const response = await send(context, data, config, request);
	if (response instanceof UserError) return;
	const { message } = errorResponse(response, request, config);
	const isAboutAccount = [400, 404].includes(response.status) && /account/i.test(message);
	if (!isAboutAccount) return;
	const otherName =
		'Does the API have another name for the parameter accountId? Then set it under Advanced, Parameter Names.';
	throw isCustomer
		? new UserError(
				`The API does not accept Default Account ID. ${message}`,
				`Set Default Account ID to an account of this key. If the key covers one account only, set Key Scope to Account. ${otherName}`,
			)
		: new UserError(
				`The key does not fit Key Scope: Account. ${message}`,
				`If the key covers several accounts, set Key Scope to Customer, and Default Account ID to the account whose payments to list. ${otherName}`,
			);
}

/**
 * Tests a Card Platform API credential with two requests, sent as the node would send them (§5.1). A failure
 * has the node's message and hint. Redirects are not followed, and the result never holds the key.
 */
export async function testApi(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const config = readApiConfig(data ?? {});
		checkOtherFields(config);
		await checkHealth(this, data ?? {}, config);
		await checkScope(this, data ?? {}, config);
		return { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		const problem = error instanceof UserError ? error : undefined;
		return {
			status: 'Error',
			message: problem === undefined ? 'Unknown error' : `${problem.message}. ${problem.hint}`,
		};
	}
}
