import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { z } from 'zod';

import { type ApiConfig, readApiConfig } from '../api/config';
import { addDays } from '../api/dates';
import { toWireQuery } from '../api/parameterNames';
import { toPlainText } from '../api/toNodeError';
import { UserError } from '../api/userError';
import { authorize } from './authorize';
import { errorResponse, failedCall, isWebPage, unexpectedResponse } from './errors';
import { HEADERS, type Send } from './request';
import type { ApiRequest } from './types';

/** A person waits for the result, and a proxy in front of n8n may wait for a minute only. */
const TIMEOUT_MS = 15_000;

const responseSchema = z.object({ statusCode: z.number(), body: z.unknown() });

/** Sends the requests as the node would send them (§5.1). */
const createTestSend =
	(
		{ helpers }: ICredentialTestFunctions,
		credential: ICredentialDataDecryptedObject,
		config: ApiConfig,
	): Send =>
	async (request) => {
		const url = `${config.baseUrl}${request.path}`;
		const signed = authorize(credential, { url, headers: HEADERS, timeout: TIMEOUT_MS });
		// n8n offers its older request function only.
		const older = { qs: request.query, simple: false, resolveWithFullResponse: true };
		const call = async (): Promise<unknown> => await helpers.request({ ...signed, ...older });
		const received = await call().catch((error: unknown) => {
			throw failedCall(error, request, config);
		});
		const { statusCode: status, body } = responseSchema.parse(received);
		return { status, body: typeof body === 'string' ? config.redactBody(body) : '' };
	};

/** The health check (§1) needs a valid key (§4). */
async function checkHealth(send: Send, config: ApiConfig): Promise<void> {
	const health: ApiRequest = { method: 'GET', path: '/health', effect: 'read' };
	const response = await send(health);
	const isHealthy = response.status >= 200 && response.status < 300;
	if (!isHealthy) {
		const error = errorResponse(response, health, config);
		if (!error.isFromApi || response.status !== 401) throw error;
		const hint = 'Paste the newest one: generating a key stops the older one.';
		throw new UserError('The API key is not valid (401)', hint);
	}
	// The shape of a healthy response is undocumented (§4), but a dashboard has a page for every path.
	if (isWebPage(response.body)) throw unexpectedResponse('a health status', response, health);
}

/**
 * Only the list of payments shows whether Key Scope and Default Account ID fit the key (§4.9, §5.4). Nothing else is
 * wrong with the request: both days are past by any clock.
 */
async function checkAccount(send: Send, config: ApiConfig): Promise<void> {
	const isCustomer = config.keyScope === 'customer';
	const account = { accountId: isCustomer ? config.accountId : undefined };
	const today = new Date().toISOString().slice(0, 10);
	const dates = { from: addDays(today, -3), to: addDays(today, -2) };
	const query = { ...dates, ...toWireQuery(config.parameterNames, account) };
	const payments: ApiRequest = { method: 'GET', path: '/payments', effect: 'read', query };
	const listed = await send(payments).catch(() => undefined);
	if (listed === undefined || ![400, 404].includes(listed.status)) return;
	const { message, isFromApi } = errorResponse(listed, payments, config);
	if (!isFromApi) return;
	const tried = isCustomer
		? `Default Account ID ${config.accountId ?? '(empty)'}`
		: 'Key Scope: Account';
	throw new UserError(
		`The API does not list payments with ${tried}: ${message}`,
		'If the key covers one account, set Key Scope to Account. If it covers several, set it to Customer, and Default Account ID to one of them. If both are right, this API may name the parameter differently: the credential is saved, so run Connection: Test API next.',
	);
}

/**
 * Tests a Card Platform API credential with two requests. A failure has the node's message and hint. The result never
 * holds the key.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const config = readApiConfig(data);
		const send = createTestSend(this, data, config);
		await checkHealth(send, config);
		await checkAccount(send, config);
		return { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		const text = error instanceof UserError ? `${error.message}. ${error.hint}` : 'Unknown error';
		return { status: 'Error', message: toPlainText(text) };
	}
}
