import { sign } from '../../dev/harness/signing.ts';
import { checkSignature, type SignatureInput } from '../../sandbox/webhooks/signatureCheck.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
const BODY = '{"id":"e1","amount":"12.50","merchantName":"Café"}';
const ENDPOINTS = [
	{
		url: 'https://one.example/hook',
		secret: 'whsec_one',
		previousSecret: 'whsec_old',
		previousSecretUntil: '2026-03-15T11:00:00.000Z',
	},
	{
		url: 'https://two.example/hook',
		secret: 'whsec_two',
		previousSecret: 'whsec_before',
		previousSecretUntil: '2026-03-16T00:00:00.000Z',
	},
];

const signed = (secret: string, body = BODY) => sign(Buffer.from(body), secret);

const check = (input: Partial<SignatureInput>, sentBody: string | undefined = BODY) =>
	checkSignature(
		{ body: BODY, header: signed('whsec_one'), secret: 'whsec_one', ...input },
		{ now: NOW, endpoints: ENDPOINTS, sentBody },
	);

test.each([
	['the only signature', { header: signed('whsec_one') }],
	['one of two', { header: `${signed('whsec_other')}, ${signed('whsec_one')}` }],
	['pasted with its name', { header: `X-Webhook-Signature: ${signed('whsec_one')}` }],
	[
		'a previous secret while it is valid',
		{ header: signed('whsec_before'), secret: 'whsec_before' },
	],
])('valid: %s', (_, input) => {
	expect(check(input)).toMatchObject({ valid: true });
});

test('what an expired secret signed before its end is valid, and the end is named', () => {
	const { valid, findings } = check({ header: signed('whsec_old'), secret: 'whsec_old' });
	expect([valid, findings]).toEqual([true, [expect.stringContaining('which expired at 2026')]]);
});

test.each<[string, Partial<SignatureInput>, RegExp]>([
	[
		'the secret of another endpoint',
		{ secret: 'whsec_two' },
		/^Wrong secret\. The signature was made with the current secret of https:\/\/one\.example\/hook; you pasted the current secret of https:\/\/two\.example\/hook\.$/,
	],
	[
		'a secret of nobody',
		{ secret: 'whsec_typo' },
		/you pasted a secret that belongs to no endpoint/,
	],
	[
		'the previous secret after its end',
		{ secret: 'whsec_old' },
		/^Wrong secret\. .* the previous secret of https:\/\/one\.example\/hook, which expired at 2026-03-15T11:00:00\.000Z after a rotation\.$/,
	],
	[
		'a secret with a line break',
		{ secret: 'whsec_one\n' },
		/^The secret has a space or a line break/,
	],
	['a body with a line break', { body: `${BODY}\n` }, /^The body was changed: from character 51/],
	[
		'a body that was formatted',
		{ body: JSON.stringify(JSON.parse(BODY), null, 2) },
		/^The body was changed: from character 2 on it has .* Verify the exact bytes\.$/,
	],
	[
		'a body with another amount',
		{ body: BODY.replace('12.50', '12.5') },
		/^The body was changed: from character 26 on it has "\\",.* instead of "0\\"/,
	],
	['no hex digits', { header: 'v0=wxyz' }, /^Malformed header: expected v0= and 64 lower-case/],
])('invalid: %s', (_, input, finding) => {
	const verdict = check(input);
	expect(verdict.valid).toBe(false);
	expect(verdict.findings[0]).toMatch(finding);
});

test('a signature by another sender over an unknown body is explained', () => {
	const body = '{"id":"unknown"}';
	const verdict = checkSignature(
		{ body, header: signed('whsec_foreign', body), secret: 'whsec_one' },
		{ now: NOW, endpoints: ENDPOINTS, sentBody: undefined },
	);
	expect(verdict.findings).toEqual([
		'The signature matches neither this body with this secret, nor any secret of this sandbox: the body was changed, or another sender signed it. You pasted the current secret of https://one.example/hook.',
	]);
});

test('a wrong secret and a changed body are both reported', () => {
	const { findings } = check({ secret: 'whsec_typo', body: BODY.replace('12.50', '99.50') });
	expect(findings).toEqual([
		expect.stringMatching(/^Wrong secret\./),
		expect.stringMatching(/^The body was changed: from character 22 on/),
	]);
});
