import { recordContract } from '../../support/contract';

const ID = '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10';
const untimed = {
	'content-type': 'application/json',
	'x-webhook-event-id': ID,
	'x-webhook-topic': 'card.financial_event.v1',
	'x-webhook-signature': `v0=${'a'.repeat(64)},v0=${'b'.repeat(64)}`,
};
const headers = { ...untimed, 'x-webhook-timestamp': '2026-03-15T12:00:00Z' };

function problemsOf(sent: Record<string, string>, body: string): string[] {
	const { hooks, problems } = recordContract('any');
	hooks.onDelivery({ headers: sent, body: new TextEncoder().encode(body) });
	return problems;
}

test('a delivery that is documented passes', () => {
	expect(problemsOf(headers, `{"id":"${ID}"}`)).toEqual([]);
});

test.each([
	['another topic', { ...headers, 'x-webhook-topic': 'card.v2' }, '{}', 'card.v2 is not doc'],
	['a header', { ...headers, 'x-try': '2' }, '{}', 'header: must NOT have unevaluated properties'],
	['a missing header', untimed, '{}', "header: must have required property 'x-webhook-timestamp'"],
	['a signature', { ...headers, 'x-webhook-signature': 'v1=a' }, '{}', 'must match pattern'],
	['a field', headers, '{"note":"x"}', 'body: must NOT have unevaluated properties "note"'],
	['an envelope', headers, '[{}]', 'body: must be object'],
	['a content type', { ...headers, 'content-type': 'text/csv' }, '{}', 'content-type: text/csv'],
])('not documented: %s', (_name, sent, body, problem) => {
	expect(problemsOf(sent, body)).toEqual([expect.stringContaining(problem)]);
});
