import { z } from 'zod';

import { MAX_IN_FLIGHT } from './assumptions';
import { parseBaseUrl } from './baseUrl';
import { Problem } from './problem';

/** The most that a person may set for the requests at the same time. */
export const MAX_IN_FLIGHT_CAP = 100;

/** A number, or its digits: an expression such as `{{ $vars.x }}` gives a text. */
const wholeNumber = z.union([z.number(), z.string().trim().regex(/^\d+$/).transform(Number)]);

const LABELS = new Map([
	['keyScope', 'Key Scope'],
	['accountId', 'Default Account ID'],
	['readOnly', 'Read Only'],
	['sensitiveDetails', 'Allow Sensitive Details'],
	['maxInFlight', `Requests at the Same Time (a whole number from 1 to ${MAX_IN_FLIGHT_CAP})`],
]);

const credentialSchema = z.object({
	apiKey: z.string().trim().min(1),
	keyScope: z.enum(['account', 'customer']).default('account'),
	accountId: z.union([z.string().trim(), z.number().transform(String)]).optional(),
	readOnly: z.boolean().default(false),
	sensitiveDetails: z.boolean().default(false),
	maxInFlight: wholeNumber
		.pipe(z.number().int().min(1).max(MAX_IN_FLIGHT_CAP))
		.default(MAX_IN_FLIGHT),
});

/** The Card Platform API credential, checked. */
export interface Connection {
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
	/** Requests of one node run that may be on their way at the same time. */
	maxInFlight: number;
	/** The field "Parameter Names" as the person left it; read where a query is built. */
	parameterNames: unknown;
	/** Takes the key out of a text that came from outside, such as an error message. */
	redact: (text: string) => string;
	/** The same for the body of a response, unless the key is so short that data may contain it. */
	redactBody: (text: string) => string;
}

/** Whether an odd number of backslashes precedes a place in JSON. */
function isEscaped(text: string, offset: number): boolean {
	let start = offset;
	while (text[start - 1] === '\\') start--;
	return (offset - start) % 2 === 1;
}

/** Shorter keys could be part of an ID or a word, and so could digits. */
const MIN_REDACTED_KEY_LENGTH = 12;

/** Matches the key as it is, as JSON may escape it, and as an address encodes it. */
function toKeyPattern(apiKey: string): RegExp {
	const forms = Array.from({ length: apiKey.length }, (_, index) => {
		const char = apiKey.charAt(index);
		const hex = apiKey.charCodeAt(index).toString(16).padStart(4, '0');
		const inHex = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
		const literal = /[a-z0-9]/i.test(char) ? char : `\\u${hex}`;
		return `(?:${literal}|\\\\${literal}|\\\\u${inHex}|%${inHex.replace(/^00/, '')})`;
	});
	return new RegExp(forms.join(''), 'g');
}

/**
 * Reads the Card Platform API credential (§5).
 *
 * @param credential the decrypted credential data
 * @throws Problem where the Base URL or the key is missing or of the wrong form
 */
export function readConnection(credential: Record<string, unknown>): Connection {
	const baseUrl = parseBaseUrl(credential.baseUrl);
	const parsed = credentialSchema.safeParse(credential);
	const wrong = parsed.error?.issues.map(({ path }) => path.join('.')) ?? [];
	if (!parsed.success && !wrong.includes('apiKey')) {
		throw new Problem(
			`The credential has an invalid value: ${wrong.map((field) => LABELS.get(field)).join(', ')}`,
			'Open the Card Platform API credential, correct the field and save.',
		);
	}
	if (!parsed.success) {
		throw new Problem(
			'The credential has no API key',
			'Open the Card Platform API credential and paste the key that the dashboard showed when it was generated (developer settings, API tab).',
		);
	}
	const { apiKey, keyScope, accountId, readOnly, sensitiveDetails, maxInFlight } = parsed.data;
	let keyPattern: RegExp | undefined;
	const redact = (text: string) =>
		text.replace((keyPattern ??= toKeyPattern(apiKey)), (found, offset: number) =>
			// The second of two backslashes belongs to the first, and not to the key.
			found.startsWith('\\') && isEscaped(text, offset) ? '\\[API key]' : '[API key]',
		);
	return {
		baseUrl,
		apiKey,
		keyScope,
		accountId: accountId === '' ? undefined : accountId,
		readOnly,
		sensitiveDetails,
		maxInFlight,
		parameterNames: credential.parameterNames,
		redact,
		redactBody: (text) =>
			apiKey.length < MIN_REDACTED_KEY_LENGTH || /^\d+$/.test(apiKey) ? text : redact(text),
	};
}
