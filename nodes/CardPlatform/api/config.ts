import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { z } from 'zod';

import { DEFAULT_CONCURRENT_REQUESTS, SANDBOX_KEY_PREFIX } from './assumptions';
import { type ParameterNames, readParameterNames } from './parameterNames';
import { UserError } from './userError';
import { isBlank, toTitle } from './values';

export const MAX_CONCURRENT_REQUESTS = 100;

/** A number, or its digits: an expression such as `{{ $vars.x }}` gives a string. */
const wholeNumber = z.union([z.number(), z.string().trim().regex(/^\d+$/).transform(Number)]);

/** Fields whose label is not their name. */
const LABELS = new Map([
	['accountId', 'Default Account ID'],
	['sensitiveDetails', 'Allow Sensitive Details'],
]);

const credentialSchema = z.object({
	/** Secret; for the Authorization header and for nothing else. */
	apiKey: z
		.string()
		.trim()
		.regex(/^[\x21-\x7e]+$/),
	/** §5.4: what the key may be used for. */
	keyScope: z.enum(['account', 'customer']).default('account'),
	/** §5.4: the account of Payment: Get Many, for a key that has to name one. */
	accountId: z
		.union([z.string().trim(), z.number().transform(String)])
		.optional()
		.transform((id) => (id === '' ? undefined : id)),
	/** True: only GET and HEAD may be sent. */
	readOnly: z.boolean().default(false),
	sensitiveDetails: z.boolean().default(false),
	advanced: z.boolean().default(false),
	maxConcurrentRequests: wholeNumber
		.pipe(z.number().int().min(1).max(MAX_CONCURRENT_REQUESTS))
		.default(DEFAULT_CONCURRENT_REQUESTS),
});

/** With Advanced off, its fields are hidden, and n8n passes on none of their values; nor do we. */
const withoutHidden = (credential: Record<string, unknown>): Record<string, unknown> =>
	credential.advanced === true
		? credential
		: { ...credential, maxConcurrentRequests: undefined, parameterNames: undefined };

/** The Card Platform API credential, checked. */
export interface ApiConfig extends z.infer<typeof credentialSchema> {
	/** As n8n gave it, to sign requests with. */
	credential: ICredentialDataDecryptedObject;
	/** Without a trailing slash. */
	baseUrl: string;
	/** The name of each query parameter on the wire; "": it is not sent. */
	parameterNames: ParameterNames;
	/** Takes the key out of a string that came from outside, such as an error message. */
	redact: (text: string) => string;
	/** The same for the body of a response, unless the key is so short that data may contain it. */
	redactBody: (text: string) => string;
}

export const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

const BASE_URL_HINT =
	'Open the Card Platform API credential and enter the Base URL from your provider, e.g. https://api.example.com/v1/public.';

/**
 * Whether the key may go over plain http: on this machine, and that of a sandbox, as we assume that no provider's key
 * starts like it. n8n in Docker reaches a sandbox by a host name.
 */
const mayBeUnencrypted = ({ hostname }: URL, apiKey: unknown): boolean =>
	LOOPBACK_HOSTS.has(hostname) ||
	(typeof apiKey === 'string' && apiKey.trim().startsWith(SANDBOX_KEY_PREFIX));

/** Checks the credential's Base URL (§9: it ends in the path prefix) and cuts trailing slashes. */
export function parseBaseUrl(value: unknown, apiKey: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') throw new UserError('The credential has no Base URL', BASE_URL_HINT);

	const url = URL.canParse(text) ? new URL(text) : undefined;
	const isRefused = url?.protocol === 'http:' && !mayBeUnencrypted(url, apiKey);
	if (!/^https?:\/\//i.test(text) || isRefused) {
		throw new UserError(
			'Base URL must begin with https:// (http:// only for a sandbox or this machine)',
			`${BASE_URL_HINT} http is not encrypted: others could read the API key. A sandbox has a key that starts with sandbox_.`,
		);
	}
	if (url === undefined || url.username + url.password !== '' || /[?#]/.test(text)) {
		throw new UserError(
			'The Base URL in the credential must be a plain web address, without user name, query or fragment',
			BASE_URL_HINT,
		);
	}
	return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '');
}

/**
 * Matches a key in each form in which a response may have it: as it is, as JSON or a URL encodes it, and in JSON that
 * is a string in other JSON, up to three times: each time, its backslashes double.
 */
function everyFormOf(apiKey: string): RegExp {
	const forms = apiKey.replace(/./g, (char) => {
		const code = char.charCodeAt(0).toString(16);
		const encoded = `\\\\{1,7}u00${code}|%${code}`;
		if (char === '\\') return `(?:${encoded}|\\\\{8}|\\\\{4}|\\\\{1,2})`;
		if (char === '"' || char === '/') return `(?:${encoded}|\\\\{0,7}${char})`;
		return `(?:${encoded}|${char.replace(/\W/, '\\$&')})`;
	});
	return new RegExp(forms, 'gi');
}

/** Reads the Card Platform API credential (§5). */
export function readApiConfig(credential: ICredentialDataDecryptedObject): ApiConfig {
	const baseUrl = parseBaseUrl(credential.baseUrl, credential.apiKey);
	const visible = withoutHidden(credential);
	const parsed = credentialSchema.safeParse(visible);
	if (!parsed.success) {
		const wrong = parsed.error.issues.map(({ path }) => String(path[0]));
		if (wrong.includes('apiKey')) {
			throw new UserError(
				isBlank(visible.apiKey)
					? 'The credential has no API key'
					: 'The API key in the credential contains white space or an unusual character',
				'Open the Card Platform API credential and paste the key that the dashboard showed when it was generated (developer settings, API tab).',
			);
		}
		throw new UserError(
			`The credential has an invalid value: ${wrong.map((field) => LABELS.get(field) ?? toTitle(field)).join(', ')}`,
			`Open the Card Platform API credential, correct the field and save. Max Concurrent Requests is a whole number from 1 to ${MAX_CONCURRENT_REQUESTS}.`,
		);
	}
	const { apiKey } = parsed.data;
	const pattern = everyFormOf(apiKey);
	const redact = (text: string) => text.replace(pattern, '[API key]');
	return {
		...parsed.data,
		credential,
		baseUrl,
		parameterNames: readParameterNames(visible.parameterNames),
		redact,
		// A short key could be part of an ID or a word, and so could digits.
		redactBody: (text) => (apiKey.length < 12 || /^\d+$/.test(apiKey) ? text : redact(text)),
	};
}

/** Refuses to read sensitive details (§4.7) where the credential does not allow it. */
export function refuseSensitiveDetails({ sensitiveDetails }: ApiConfig): void {
	if (sensitiveDetails) return;
	throw new UserError(
		'The credential does not allow sensitive details, so nothing was sent. Turn on Allow Sensitive Details in the Card Platform API credential if you need them',
		'Everyone who can use this credential could then look up card numbers. Use a separate credential for that, and share it with as few people as possible.',
	);
}
