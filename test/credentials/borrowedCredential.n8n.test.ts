import type { StoredCredential } from '../../dev/harness/n8n/client.ts';
import { outputOf } from '../../dev/harness/n8n/executions.ts';
import { n8nIsSince } from '../../dev/harness/n8n/version.ts';
import { node, type WorkflowNode, workflowOf } from '../../dev/harness/n8n/workflow.ts';
import {
	type SandboxFixture,
	startSandboxFixture,
} from '../../dev/harness/scenario/sandboxFixture.ts';
import { temporaryFolder } from '../../dev/harness/tools/folders.ts';
import { useSharedN8n } from '../support/n8n/shared.ts';

// An HTTP Request node that borrows a credential.

const type = 'cardPlatformApi';

const cleanup = new AsyncDisposableStack();
const shared = useSharedN8n();
let company: SandboxFixture;
let baseUrl: string;
/** What reached the API with n8n's key: method and path. */
const sent: string[] = [];

beforeAll(async () => {
	const folder = await temporaryFolder('e2e', cleanup);
	company = await startSandboxFixture(
		{ folder, cleanup },
		{ onExchange: ({ method, path }) => sent.push(`${method} ${path}`) },
	);
	baseUrl = company.api.url;
}, 300_000);

afterAll(() => cleanup.disposeAsync(), 180_000);

jest.setTimeout(300_000);

/** Runs a node behind a manual trigger; gives its output and error, and what reached the API. */
async function run(credential: object, subject: (held: StoredCredential) => WorkflowNode) {
	const { n8n } = shared();
	const key = { baseUrl, apiKey: company.apiKey, keyScope: 'account', ...credential };
	const { name, ...rest } = subject(await n8n.addCredential(type, key));
	const id = await n8n.addWorkflow(
		workflowOf('Borrowed', [node('Start', 'n8n-nodes-base.manualTrigger'), { name, ...rest }]),
	);
	sent.splice(0);
	const execution = await n8n.run(id, 'Start');
	return { ...outputOf(execution, name), sent: [...sent] };
}

const httpRequest =
	(method: string, path: string, more: object = {}) =>
	(credential: StoredCredential) =>
		node('HTTP Request', 'n8n-nodes-base.httpRequest', {
			typeVersion: 4.2,
			parameters: {
				method,
				url: `${baseUrl}${path}`,
				authentication: 'predefinedCredentialType',
				nodeCredentialType: type,
				options: {},
				...more,
			},
			credential,
		});

it('reads with a read-only credential', async () => {
	const [{ id }] = company.active;
	const result = await run({ readOnly: true }, httpRequest('GET', `/cards/${id}`));
	expect(result.error).toBeUndefined();
	expect(result.items).toMatchObject([{ id, status: 'active' }]);
});

const parameters = [{ name: 'host', value: 'evil.example' }];
const headers = { sendHeaders: true, headerParameters: { parameters } };
const elsewhere = 'https://api.card-platform.example/v1/public';
const withOptions = (options: object) => httpRequest('GET', '', { url: elsewhere, options });

it.each<[string, object, ReturnType<typeof httpRequest>, RegExp]>([
	[
		'a write',
		{ readOnly: true },
		httpRequest('POST', '/cards/1/freeze'),
		/read-only.*Turn off Read/,
	],
	['a header that leads elsewhere', {}, httpRequest('GET', '/cards', headers), /header "host"/],
	['a proxy', { baseUrl: elsewhere }, withOptions({ proxy: 'http://x.example:3128' }), /own proxy/],
	[
		'ignored SSL issues',
		{ baseUrl: elsewhere },
		withOptions({ allowUnauthorizedCerts: true }),
		/ignores SSL issues/,
	],
])('sends nothing with %s, and says why', async (_name, credential, request, problem) => {
	const { error, sent: reached } = await run(credential, request);
	expect(error).toMatch(/was not sent/);
	expect(error).toMatch(problem);
	expect(reached).toEqual([]);
	const outside = JSON.stringify(await shared().internet.requests());
	expect(outside).not.toContain('api.card-platform.example');
});

const sinceN8n2 = n8nIsSince('2') ? it : it.skip;

sinceN8n2('cannot use the signing secret of a trigger', async () => {
	const { n8n } = shared();
	const secret = { signingSecret: 'secret', previousSigningSecret: '', testSigningSecret: '' };
	const held = await n8n.addCredential('cardPlatformWebhookApi', secret);
	const request = httpRequest('GET', '/health', { nodeCredentialType: held.type })(held);
	const start = node('Start', 'n8n-nodes-base.manualTrigger');
	await expect(n8n.addWorkflow(workflowOf('Borrowed', [start, request]))).rejects.toThrow(
		/restricted to: n8n-nodes-card-platform\.cardPlatformTrigger/,
	);
});
