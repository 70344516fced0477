import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { N8n } from '../../harness/n8n/n8n.ts';
import { PublicApiClient } from '../../harness/publicApi.ts';
import { SandboxClient } from '../../sandbox/client.ts';
import { packAndInstall } from '../../harness/scenario/stage.ts';
import { readWorkflow, setUpWorkflow, type WorkflowFile } from '../../harness/n8n/workflow.ts';
import { Cleanup } from '../../harness/tools/cleanup.ts';
import { workflowFile } from '../../harness/tools/paths.ts';
import { freePort } from '../../harness/tools/ports.ts';
import { runProcess, startProcess, stopProcess } from '../../harness/tools/processes.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { commandsIn } from '../support/commands';
import { addCredential, addWorkflow, publish } from './workflows/editor.ts';

// "Your first workflow" in README.md, with its own commands; only the ports are others.

const action = 'n8n-nodes-card-platform.cardPlatform';
const trigger = 'n8n-nodes-card-platform.cardPlatformTrigger';
const withinMs = 60_000;

const suspicious = commandsIn('README.md').find((line) => line.includes('suspected_fraud')) ?? '';
const cardId = /"cardId": "([^"]+)"/.exec(suspicious)?.[1] ?? '';

const cleanup = new Cleanup();
let n8n: N8n;
let port: number;
/** What the sandbox prints when it starts. */
let greeting = '';

beforeAll(async () => {
	const folder = await mkdtemp(join(tmpdir(), 'card-platform-e2e-'));
	cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
	await packAndInstall({ folder, cleanup });

	port = await freePort();
	const sandbox = startProcess('npm', ['run', 'sandbox', '--', '--port', String(port)], {
		shell: process.platform === 'win32',
		onOutput: (text) => (greeting += text),
	});
	cleanup.defer(() => stopProcess(sandbox));
	n8n = await N8n.prepare({ userFolder: join(folder, 'n8n') });
	cleanup.defer(() => n8n.stop());
	await n8n.start();
}, 600_000);

afterAll(() => cleanup.run(), 180_000);

/** The three nodes that the README names for a workflow of one's own. */
const ownWorkflow: WorkflowFile = {
	name: 'My own',
	nodes: [
		{ name: 'Event', type: trigger, typeVersion: 2, position: [0, 0], parameters: {} },
		{
			name: 'Filter',
			type: 'n8n-nodes-base.filter',
			typeVersion: 2.2,
			position: [200, 0],
			parameters: {
				conditions: {
					options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
					combinator: 'and',
					conditions: [
						{
							leftValue: '={{ $json.isSuccess }}',
							rightValue: '',
							operator: { type: 'boolean', operation: 'false', singleValue: true },
						},
					],
				},
			},
		},
		{
			name: 'Freeze',
			type: action,
			typeVersion: 1,
			position: [400, 0],
			parameters: {
				resource: 'card',
				operation: 'freeze',
				cardId: { __rl: true, mode: 'id', value: '={{ $json.cardId }}' },
			},
		},
	],
	connections: {
		Event: { main: [[{ node: 'Filter', type: 'main', index: 0 }]] },
		Filter: { main: [[{ node: 'Freeze', type: 'main', index: 0 }]] },
	},
	settings: { executionOrder: 'v1' },
};

it.each([
	['the ready-made workflow', async () => await readWorkflow(workflowFile)],
	['a workflow of one’s own', async () => await Promise.resolve(ownWorkflow)],
])(
	'with the sandbox, %s freezes the card',
	async (_, makeWorkflow) => {
		const findKey = () => /API key +(\S+) \(customer-scoped/.exec(greeting)?.[1];
		const apiKey = await waitUntil(findKey, { what: 'the key of the sandbox', withinMs });
		const baseUrl = `http://localhost:${port}/v1/public`;

		const webhookId = randomUUID();
		const sandbox = new SandboxClient(`http://localhost:${port}`);
		const operating = (await sandbox.accounts()).find(({ name }) => name === 'Operating');
		const url = n8n.webhookUrl(webhookId, 'webhook');
		const endpoint = await sandbox.subscribe(operating?.id ?? 0, url);

		const idOf = async (type: string, data: object) => ({
			id: await addCredential(n8n, type, data),
			name: type,
			type,
		});
		const credentials = {
			[action]: await idOf('cardPlatformApi', { baseUrl, apiKey, keyScope: 'customer' }),
			[trigger]: await idOf('cardPlatformWebhookApi', { signingSecret: endpoint.signingSecret }),
		};
		const { workflow } = setUpWorkflow(await makeWorkflow(), credentials, webhookId);
		await publish(n8n, await addWorkflow(n8n, workflow));

		const api = new PublicApiClient(baseUrl, apiKey);
		expect((await api.card(cardId)).status).toBe('active');
		await runProcess('sh', ['-c', suspicious.replace('localhost:4010', `localhost:${port}`)]);
		const isFrozen = async () => ((await api.card(cardId)).status === 'frozen' ? true : undefined);
		await waitUntil(isFrozen, { what: 'the card to be frozen', withinMs });

		await sandbox.unsubscribe(endpoint);
		await api.unfreeze(cardId);
	},
	// Publishing has a bound of its own.
	600_000,
);
