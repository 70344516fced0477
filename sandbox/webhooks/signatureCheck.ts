import type { EndpointSecrets } from './endpoint.ts';
import { signatureHeader } from './signature.ts';

/** What a person pasted to find out why a signature is refused. */
export interface SignatureInput {
	body: string;
	/** The X-Webhook-Signature header. */
	header: string;
	secret: string;
	/** The X-Webhook-Timestamp header, if it is to be checked too. */
	timestamp?: string | undefined;
}

/** What the sandbox knows about what was pasted. */
export interface SignatureKnowledge {
	now: Date;
	endpoints: EndpointSecrets[];
	/** The exact body of the event with the pasted body's id, if the sandbox has that event. */
	sentBody: string | undefined;
}

/** Whether a receiver accepts it, and why not: the cause first. */
export interface SignatureVerdict {
	valid: boolean;
	findings: string[];
}

/** How old a delivery may be for a receiver, in seconds; the default of the connector's trigger. */
const TOLERANCE = 300;

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/** Tells whether a signature matches a body and a secret, and if not, precisely why (§6). */
export function checkSignature(
	input: SignatureInput,
	knowledge: SignatureKnowledge,
): SignatureVerdict {
	const mistakes = [...signatureMistakes(input, knowledge), ...timestampMistakes(input, knowledge)];
	return mistakes.length > 0
		? { valid: false, findings: mistakes }
		: { valid: true, findings: successes(input, knowledge) };
}

function signatureMistakes(input: SignatureInput, knowledge: SignatureKnowledge): string[] {
	const { entries, malformed } = parseHeader(input.header);
	if (entries.length === 0) return malformed;
	const signs = (secret: string, body: string) => entries.includes(signatureHeader(body, [secret]));
	if (signs(input.secret, input.body)) return expiry(input.secret, knowledge);

	const trimmed = input.secret.trim().replace(/^(["'])(.*)\1$/s, '$2');
	if (trimmed !== input.secret && signs(trimmed, input.body)) {
		return [
			'The secret has a space, a line break or a quote before or after it. Without that, it matches.',
		];
	}
	const change = bodyChange(input, knowledge, (body) => signs(input.secret, body));
	if (change !== undefined) return [change];

	const candidates = [input.body, knowledge.sentBody ?? input.body];
	const signer = ownersOf(knowledge).find(({ secret }) =>
		candidates.some((body) => signs(secret, body)),
	);
	if (signer) {
		return [
			`Wrong secret. The signature was made with ${signer.name}. ${describeSecret(input.secret, knowledge)}`,
			...bodyDifference(input, knowledge),
		];
	}
	const difference = bodyDifference(input, knowledge);
	if (difference.length > 0) return difference;
	return [
		`The signature matches neither this body with this secret, nor any secret of this sandbox: the body was changed, or another sender signed it. ${describeSecret(input.secret, knowledge)}`,
	];
}

function parseHeader(header: string): { entries: string[]; malformed: string[] } {
	const parts = valueOf(header)
		.split(',')
		.map((part) => part.trim());
	const entries = parts.filter((part) => /^v0=[0-9a-f]{64}$/.test(part));
	const rule = 'Expected v0= and 64 lower-case hex digits, several separated by commas.';
	const malformed = parts.map((part) => `Malformed header: ${headerMistake(part)} ${rule}`);
	return { entries, malformed: malformed.slice(0, 1) };
}

/** A header may be pasted with its name. */
const valueOf = (header: string): string =>
	header.replace(/^\s*x-webhook-(signature|timestamp)\s*:/i, '').trim();

function headerMistake(part: string): string {
	if (part === '') return 'it is empty.';
	const [, version, digits] = /^([^=]*)=(.*)$/s.exec(part) ?? [];
	if (version === undefined || digits === undefined) return 'it does not begin with v0=.';
	if (version !== 'v0') return `it begins with "${version}=" instead of "v0=".`;
	if (/^[0-9a-f]{64}$/i.test(digits)) return 'the hex digits are in upper case.';
	if (/^[0-9a-f]*$/i.test(digits)) return `it has ${digits.length} hex digits instead of 64.`;
	return 'what follows v0= is not hex.';
}

/** Differences of a body that often happen on the way, and how each is undone. */
const UNDONE: [description: string, undo: (body: string) => string][] = [
	['white space was added before or after it', (body) => body.trim()],
	['it was formatted anew (white space between the fields)', reserialized],
];

function reserialized(body: string): string {
	try {
		return JSON.stringify(JSON.parse(body));
	} catch {
		return body;
	}
}

function bodyChange(
	{ body }: SignatureInput,
	{ sentBody }: SignatureKnowledge,
	matches: (body: string) => boolean,
): string | undefined {
	const advice = 'Verify the exact bytes, before anything parses them.';
	const undone = UNDONE.find(([, undo]) => matches(undo(body)));
	if (undone) return `The body was changed: ${undone[0]}. The secret is right. ${advice}`;
	if (sentBody === undefined || !matches(sentBody)) return undefined;
	return `The body was changed: ${difference(body, sentBody)} The secret is right. ${advice}`;
}

const bodyDifference = ({ body }: SignatureInput, { sentBody }: SignatureKnowledge): string[] =>
	sentBody === undefined || sentBody === body
		? []
		: [`The body differs from what was sent: ${difference(body, sentBody)}`];

function difference(body: string, sent: string): string {
	let at = 0;
	while (at < sent.length && body[at] === sent[at]) at++;
	const excerpt = (text: string) => JSON.stringify(text.slice(at, at + 20));
	return `from character ${at + 1} on it has ${excerpt(body)} instead of ${excerpt(sent)}.`;
}

interface SecretOwner {
	secret: string;
	name: string;
	expiredAt: string | undefined;
}

function ownersOf({ endpoints, now }: SignatureKnowledge): SecretOwner[] {
	return endpoints.flatMap(({ url, secret, previousSecret, previousSecretUntil }) => {
		const current = { secret, name: `the current secret of ${url}`, expiredAt: undefined };
		if (previousSecret === null || previousSecretUntil === null) return [current];
		const expired = previousSecretUntil <= now.toISOString();
		return [
			current,
			{
				secret: previousSecret,
				name: `the previous secret of ${url}`,
				expiredAt: expired ? previousSecretUntil : undefined,
			},
		];
	});
}

function describeSecret(secret: string, knowledge: SignatureKnowledge): string {
	const owner = ownersOf(knowledge).find((each) => each.secret === secret.trim());
	if (!owner) return 'The secret that you pasted belongs to no endpoint of this sandbox.';
	const expired =
		owner.expiredAt === undefined ? '' : `, which expired at ${owner.expiredAt} after a rotation`;
	return `What you pasted is ${owner.name}${expired}.`;
}

/** An expired secret still matches what it signed before; nothing is signed with it any more. */
function expiry(secret: string, knowledge: SignatureKnowledge): string[] {
	const owner = ownersOf(knowledge).find((each) => each.secret === secret);
	if (owner?.expiredAt === undefined) return [];
	return [
		`The signature matches, but the secret is ${owner.name}, which expired at ${owner.expiredAt}: new deliveries are no longer signed with it.`,
	];
}

function timestampMistakes({ timestamp }: SignatureInput, { now }: SignatureKnowledge): string[] {
	if (timestamp === undefined) return [];
	const value = valueOf(timestamp);
	const time = RFC_3339.test(value) ? Date.parse(value) : Number.NaN;
	if (Number.isNaN(time)) {
		return ['Malformed timestamp: expected RFC 3339, such as 2026-01-31T12:00:00.000Z.'];
	}
	const age = Math.round((now.getTime() - time) / 1_000);
	const limit = `a receiver with a tolerance of ${TOLERANCE} seconds rejects it`;
	if (age > TOLERANCE) return [`The timestamp is too old: ${age} seconds; ${limit}.`];
	if (age < -TOLERANCE) return [`The timestamp is ${-age} seconds in the future; ${limit}.`];
	return [];
}

function successes({ header, secret, timestamp }: SignatureInput, knowledge: SignatureKnowledge) {
	const { entries } = parseHeader(header);
	const both =
		entries.length > 1
			? [`The header has ${entries.length} signatures: one per secret during a rotation.`]
			: [];
	const time = timestamp === undefined ? [] : ['The timestamp is recent enough.'];
	return [
		'The signature matches the body and the secret.',
		describeSecret(secret, knowledge),
		...both,
		...time,
	];
}
