import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { readConnection } from '../api/connection';
import { Problem } from '../api/problem';

/**
 * Puts the key into a request (§5.1). It goes to the credential's own Base URL only, so that no
 * other address can be made to receive it, e.g. by an HTTP Request node that borrows the
 * credential.
 *
 * @param credential the decrypted Card Platform API credential
 * @param request to an absolute `url`, or to a `url` below `baseURL`
 * @returns the request with its `Authorization` header
 * @throws Problem where the credential is incomplete or the address is not below its Base URL
 */
export function authorize(
	credential: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	const { apiKey, baseUrl } = readConnection(credential);
	const base = request.baseURL === undefined ? '' : request.baseURL.trim().replace(/\/+$/, '');
	// Parsed first: a path such as /v1/public/../admin would leave the Base URL.
	const address = `${base}${'uri' in request && typeof request.uri === 'string' ? request.uri : request.url}`;
	const url = URL.canParse(address) ? new URL(address).href : '';
	if (url !== baseUrl && !url.startsWith(`${baseUrl}/`)) {
		throw new Problem(
			'The API key was not sent: the address is not below the Base URL of the credential',
			`This credential is for ${baseUrl} only.`,
		);
	}
	return {
		...request,
		baseURL: undefined,
		...('uri' in request
			? { uri: url, followRedirect: false, followAllRedirects: false }
			: { url }),
		// A redirect would take the key along.
		disableFollowRedirect: true,
		headers: { ...request.headers, Authorization: `Bearer ${apiKey}` },
	};
}
