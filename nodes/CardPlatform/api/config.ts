import { z } from 'zod';

import { DEFAULT_CONCURRENT_REQUESTS } from './assumptions';
import { parseBaseUrl } from './baseUrl';
import { type ParameterNames, readParameterNames } from './parameterNames';
import { UserError } from './userError';

/** The highest value of Max Concurrent Requests. */
export const MAX_CONCURRENT_REQUESTS = 100;

/** A number, or its digits: an expression such as `{{ $vars.x }}` gives a string. */
const wholeNumber = z.union([z.number(), z.string().trim().regex(/^\d+$/).transform(Number)]);

const LABELS = new Map([
	['keyScope', 'Key Scope'],
	['accountId', 'Default Account ID'],
	['readOnly', 'Read Only'],
	['sensitiveDetails', 'Allow Sensitive Details'],
	['advanced', 'Advanced'],
	[
		'maxConcurrentRequests',
		`Max Concurrent Requests (a whole number from 1 to ${MAX_CONCURRENT_REQUESTS})`,
	],
]);

const credentialSchema = z.object({
	apiKey: z.string().trim().min(1),
	keyScope: z.enum(['account', 'customer']).default('account'),
	accountId: z.union([z.string().trim(), z.number().transform(String)]).optional(),
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
export interface ApiConfig {
	/** Without a trailing slash. */
	baseUrl: string;
	/** Secret; for the Authorization header and for nothing else. */
	apiKey: string;
	/** §5.4: what the key may be used for. */
	keyScope: 'account' | 'customer';
	/** §5.4: the account of Payment: Get Many, for a key that has to name one. */
	accountId: string | undefined;
	/** True: only GET and HEAD may be sent. */
	readOnly: boolean;
	/** True: the sensitive details of a card may be read. */
	sensitiveDetails: boolean;
	/** Requests of one node run that may be in flight together; the default unless Advanced is on. */
	maxConcurrentRequests: number;
	/** The name of each query parameter on the wire; "": it is not sent. */
	parameterNames: ParameterNames;
	/** Takes the key out of a string that came from outside, such as an error message. */
	redact: (text: string) => string;
	/** The same for the body of a response, unless the key is so short that data may contain it. */
	redactBody: (text: string) => string;
}

/** Shorter keys could be part of an ID or a word, and so could digits. */
const MIN_REDACTED_KEY_LENGTH = 12;

const noApiKey = () =>
	new UserError(
		'The credential has no API key',
		'Open the Card Platform API credential and paste the key that the dashboard showed when it was generated (developer settings, API tab).',
	);

/** Reads the Card Platform API credential (§5). */
export function readApiConfig(credential: Record<string, unknown>): ApiConfig {
	const baseUrl = parseBaseUrl(credential.baseUrl, credential.apiKey);
	const visible = withoutHidden(credential);
	const parsed = credentialSchema.safeParse(visible);
	if (!parsed.success) {
		const wrong = parsed.error.issues.map(({ path }) => path.join('.'));
		if (wrong.includes('apiKey')) throw noApiKey();
		throw new UserError(
			`The credential has an invalid value: ${wrong.map((field) => LABELS.get(field)).join(', ')}`,
			'Open the Card Platform API credential, correct the field and save.',
		);
	}
	const { apiKey, keyScope, accountId, readOnly, sensitiveDetails, maxConcurrentRequests } =
		parsed.data;
	// JSON escapes quotes and backslashes, some programs slashes, too.
	const pattern = new RegExp(
		apiKey.replace(/\W/g, (char) => `${'"/\\'.includes(char) ? '\\\\?' : ''}\\${char}`),
		'g',
	);
	const redact = (text: string) => text.replace(pattern, '[API key]');
	return {
		baseUrl,
		apiKey,
		keyScope,
		accountId: accountId === '' ? undefined : accountId,
		readOnly,
		sensitiveDetails,
		maxConcurrentRequests,
		parameterNames: readParameterNames(visible.parameterNames),
		redact,
		redactBody: (text) =>
			apiKey.length < MIN_REDACTED_KEY_LENGTH || /^\d+$/.test(apiKey) ? text : redact(text),
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
