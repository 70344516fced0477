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
interface SignatureKnowledge {
	now: Date;
	endpoints: EndpointSecrets[];
	/** The exact body of the event with the pasted body's id, if the sandbox has that event. */
	sentBody: string | undefined;
}

/** Whether a receiver accepts it, and why not: the cause first. */
interface SignatureVerdict {
	valid: boolean;
	findings: string[];
}

/** Tells whether a signature matches a body and a secret, and if not, why (§6). */
export function checkSignature(
	{ body, header, secret }: SignatureInput,
	{ now, endpoints, sentBody = body }: SignatureKnowledge,
): SignatureVerdict {
	const entries: string[] = header.match(/\bv0=[0-9a-f]{64}\b/g) ?? [];
	if (entries.length === 0) {
		const expected = 'expected v0= and 64 lower-case hex digits, several separated by commas';
		return { valid: false, findings: [`Malformed header: ${expected}.`] };
	}
	const signs = (key: string, bytes: string) => entries.includes(signatureHeader(bytes, [key]));
	const known = endpoints.flatMap((endpoint) => secretsOf(endpoint, now));
	const name = known.find((each) => each.secret === secret.trim())?.name;
	const pasted = name ?? 'a secret that belongs to no endpoint of this sandbox';
	if (signs(secret, body)) {
		const matches = `The signature matches the body and the secret. You pasted ${pasted}.`;
		return { valid: true, findings: [matches] };
	}
	const findings: string[] = [];
	if (secret.trim() !== secret) findings.push('The secret has a space or a line break around it.');
	const signer = known.find((each) => signs(each.secret, body) || signs(each.secret, sentBody));
	if (signer && signer.secret !== secret.trim()) {
		findings.push(
			`Wrong secret. The signature was made with ${signer.name}; you pasted ${pasted}.`,
		);
	}
	if (sentBody !== body) {
		findings.push(`The body was changed: ${difference(body, sentBody)} Verify the exact bytes.`);
	}
	if (findings.length === 0) {
		findings.push(
			`The signature matches neither this body with this secret, nor any secret of this sandbox: the body was changed, or another sender signed it. You pasted ${pasted}.`,
		);
	}
	return { valid: false, findings };
}

function difference(body: string, sent: string): string {
	let at = 0;
	while (at < sent.length && body[at] === sent[at]) at++;
	const excerpt = (text: string) => JSON.stringify(text.slice(at, at + 20));
	return `from character ${at + 1} on it has ${excerpt(body)} instead of ${excerpt(sent)}.`;
}

/** The secrets of an endpoint, and what each is. */
function secretsOf(endpoint: EndpointSecrets, now: Date): { secret: string; name: string }[] {
	const { url, secret, previousSecret, previousSecretUntil: until } = endpoint;
	const current = { secret, name: `the current secret of ${url}` };
	if (previousSecret === null || until === null) return [current];
	const end = until <= now.toISOString() ? `, which expired at ${until} after a rotation` : '';
	return [current, { secret: previousSecret, name: `the previous secret of ${url}${end}` }];
}
