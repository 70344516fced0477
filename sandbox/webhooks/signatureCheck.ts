import type { EndpointSecrets } from './endpoint.ts';
import { signatureHeader } from './signature.ts';

/** What a person pasted to find out why a signature is refused. */
export interface SignatureInput {
	body: string;
	/** The X-Webhook-Signature header. */
	header: string;
	secret: string;
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

/** Tells whether a signature matches a body and a secret, and if not, precisely why (§6). */
export function checkSignature(
	input: SignatureInput,
	knowledge: SignatureKnowledge,
): SignatureVerdict {
	const mistakes = mistakesIn(input, knowledge);
	if (mistakes.length > 0) return { valid: false, findings: mistakes };
	const matches = `The signature matches the body and the secret. ${describe(input.secret, knowledge)}`;
	return { valid: true, findings: [matches] };
}

function mistakesIn(input: SignatureInput, knowledge: SignatureKnowledge): string[] {
	const { body, secret } = input;
	const { sentBody = body } = knowledge;
	const parts = valueOf(input.header)
		.split(',')
		.map((part) => part.trim());
	const entries = parts.filter((part) => /^v0=[0-9a-f]{64}$/.test(part));
	if (entries.length === 0) {
		return [
			'Malformed header: expected v0= and 64 lower-case hex digits, several separated by commas.',
		];
	}
	const signs = (key: string, bytes: string) => entries.includes(signatureHeader(bytes, [key]));
	const owner = ownersOf(knowledge).find((each) => each.secret === secret);
	if (signs(secret, body)) {
		if (owner?.expiredAt === undefined) return [];
		return [
			`The signature matches, but the secret is ${owner.name}: new deliveries are no longer signed with it.`,
		];
	}
	const trimmed = secret.trim().replace(/^(["'])(.*)\1$/s, '$2');
	if (trimmed !== secret && signs(trimmed, body)) {
		return ['The secret has a space, a line break or a quote around it. Without that, it matches.'];
	}
	const changed = sentBody === body ? [] : [`The body was changed: ${difference(body, sentBody)}`];
	if (signs(secret, sentBody) || signs(secret, body.trim())) {
		const [change = 'The body was changed: white space was added before or after it.'] = changed;
		return [`${change} The secret is right. Verify the exact bytes, before anything parses them.`];
	}
	const signer = ownersOf(knowledge).find(
		(each) => signs(each.secret, body) || signs(each.secret, sentBody),
	);
	if (signer) {
		const made = `Wrong secret. The signature was made with ${signer.name}.`;
		return [`${made} ${describe(secret, knowledge)}`, ...changed];
	}
	if (changed.length > 0) return changed;
	return [
		`The signature matches neither this body with this secret, nor any secret of this sandbox: the body was changed, or another sender signed it. ${describe(secret, knowledge)}`,
	];
}

/** A header may be pasted with its name. */
const valueOf = (header: string): string =>
	header.replace(/^\s*x-webhook-signature\s*:/i, '').trim();

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
	return endpoints.flatMap(({ url, secret, previousSecret, previousSecretUntil: until }) => {
		const current = { secret, name: `the current secret of ${url}`, expiredAt: undefined };
		if (previousSecret === null || until === null) return [current];
		const expiredAt = until <= now.toISOString() ? until : undefined;
		const end = expiredAt && `, which expired at ${expiredAt} after a rotation`;
		const name = `the previous secret of ${url}${end ?? ''}`;
		return [current, { secret: previousSecret, name, expiredAt }];
	});
}

function describe(secret: string, knowledge: SignatureKnowledge): string {
	const owner = ownersOf(knowledge).find((each) => each.secret === secret.trim());
	if (!owner) return 'The secret that you pasted belongs to no endpoint of this sandbox.';
	return `What you pasted is ${owner.name}.`;
}
