import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { z } from 'zod';

import { N8n } from '../../harness/n8n/n8n.ts';
import { type Company, openCompany, packAndInstall } from '../../harness/scenario/stage.ts';
import { Cleanup } from '../../harness/tools/cleanup.ts';
import { type HttpServer, startServer } from '../../harness/httpServer';
import { addCredential, addWorkflow, outputOf, runNow } from './workflows/editor.ts';

// An HTTP Request node that borrows the credential, in an n8n whose environment names a proxy.

const type = 'cardPlatformApi';

const cleanup = new Cleanup();
let company: Company;
let n8n: N8n;
let proxy: HttpServer;
/** What reached the API with n8n's key: method and path. */
const sent: string[] = [];

beforeAll(async () => {
	const folder = await mkdtemp(join(tmpdir(), 'card-platform-e2e-'));
	cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
	await packAndInstall({ folder, cleanup });
	company = await openCompany(
		{ folder, cleanup },
		{ onExchange: ({ method, path }) => sent.push(`${method} ${path}`) },
	);
	proxy = await startServer((_request, response) => response.writeHead(502).end());
	cleanup.defer(() => proxy.close());
	n8n = await N8n.prepare({
		userFolder: join(folder, 'n8n'),
		settings: { HTTP_PROXY: proxy.url },
	});
	cleanup.defer(() => n8n.stop());
	await n8n.start();
}, 600_000);

afterAll(() => cleanup.run(), 180_000);

const node = (name: string, nodeType: string, typeVersion: number, parameters: object) => ({
	name,
	type: nodeType,
	typeVersion,
	position: [0, 0],
	parameters,
});

/** Runs a node behind a manual trigger; gives its output and error, and what reached the API. */
async function run(credential: object, subject: ReturnType<typeof node>) {
	const { api, apiKey } = company;
	const data = { baseUrl: api.url, apiKey, keyScope: 'account', ...credential };
	const id = await addCredential(n8n, type, data);
	const workflowId = await addWorkflow(n8n, {
		name: 'Borrowed',
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			{ ...subject, credentials: { [type]: { id, name: type } } },
		],
		connections: { Start: { main: [[{ node: subject.name, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
	sent.splice(0);
	const execution = await runNow(n8n, workflowId, 'Start');
	return { ...outputOf(execution, subject.name), sent: [...sent] };
}

const httpRequest = (method: string, path: string) =>
	node('HTTP Request', 'n8n-nodes-base.httpRequest', 4.2, {
		method,
		url: `${company.api.url}${path}`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: type,
		options: {},
	});

afterEach(() => {
	expect(JSON.stringify(proxy.requests)).not.toContain(company.apiKey);
});

it('reads with a read-only credential', async () => {
	const [{ id }] = company.active;
	const {
		items,
		error,
		sent: reached,
	} = await run({ readOnly: true }, httpRequest('GET', `/cards/${id}`));
	expect(error).toBeUndefined();
	expect(items).toMatchObject([{ id, status: 'active' }]);
	expect(reached).toEqual([`GET /cards/${id}`]);
}, 300_000);

it('cannot write with it, and says why', async () => {
	const [{ id }] = company.active;
	const { error, sent: reached } = await run(
		{ readOnly: true },
		httpRequest('POST', `/cards/${id}/freeze`),
	);
	expect(error).toMatch(/read-only, so the request was not sent.*Turn off Read Only/);
	expect(reached).toEqual([]);
}, 300_000);

it('cannot read sensitive details, unless the credential allows it', async () => {
	const [{ id }] = company.active;
	const request = httpRequest('GET', `/cards/${id}/sensitive%2Ddetails`);
	const refused = await run({}, request);
	expect(refused.error).toMatch(/nothing was sent. Turn on Allow Sensitive Details/);
	expect(refused.sent).toEqual([]);
	const allowed = await run({ sensitiveDetails: true }, request);
	expect(allowed.error).toBeUndefined();
	expect(allowed.sent).toHaveLength(1);
}, 300_000);

it('Card: Get Sensitive Details works where the credential allows it', async () => {
	const [{ id }] = company.active;
	const { items, error } = await run(
		{ sensitiveDetails: true },
		node('Card Platform', 'n8n-nodes-card-platform.cardPlatform', 1, {
			resource: 'card',
			operation: 'getSensitiveDetails',
			cardId: { __rl: true, mode: 'id', value: id },
		}),
	);
	expect(error).toBeUndefined();
	// n8n knows url and bodyJson as sensitive, but does not hide them as of 2.41.1.
	expect(items).toMatchObject([{ details: { method: 'POST' } }]);
}, 300_000);

it('the test of a read-only credential works, and avoids the proxy', async () => {
	const { api, apiKey } = company;
	const data = { baseUrl: api.url, apiKey, keyScope: 'account', readOnly: true };
	sent.splice(0);
	const { data: result } = z.object({ data: z.object({ status: z.string() }) }).parse(
		await n8n.editorJson('/rest/credentials/test', {
			credentials: { id: await addCredential(n8n, type, data), name: type, type, data },
		}),
	);
	expect(result.status).toBe('OK');
	expect(sent).toEqual(['GET /health']);
}, 300_000);
