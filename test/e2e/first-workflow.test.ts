import { randomUUID } from 'node:crypto';
import { PublicApiClient } from '../../harness/publicApi.ts';
import { SandboxClient } from '../../sandbox/client.ts';
import {
	cardNode,
	cardPlatform,
	node,
	readWorkflow,
	setUpWorkflow,
	triggerNode,
	workflowOf,
} from '../../harness/n8n/workflow.ts';
import { Cleanup } from '../../harness/tools/cleanup.ts';
import { workflowFile } from '../../harness/tools/paths.ts';
import { freePort } from '../../harness/tools/ports.ts';
import { runProcess, startProcess, stopProcess } from '../../harness/tools/processes.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { commandsIn } from '../support/commands';
import { useSharedN8n } from './shared/shared.ts';

// "Your first workflow" in README.md, with its own commands; only the ports are others.

const withinMs = 60_000;

const suspicious = commandsIn('README.md').find((line) => line.includes('suspected_fraud')) ?? '';
const cardId = /"cardId": "([^"]+)"/.exec(suspicious)?.[1] ?? '';

const cleanup = new Cleanup();
const shared = useSharedN8n();
let port: number;
/** What the sandbox prints when it starts. */
let greeting = '';

beforeAll(async () => {
	port = await freePort();
	const sandbox = startProcess('npm', ['run', 'sandbox', '--', '--port', String(port)], {
		shell: process.platform === 'win32',
		onOutput: (text) => (greeting += text),
	});
	cleanup.defer(() => stopProcess(sandbox));
});

afterAll(() => cleanup.run(), 180_000);

/** The three nodes that the README names for a workflow of one's own. */
const ownWorkflow = workflowOf('My own', [
	triggerNode('Event'),
	node('Filter', 'n8n-nodes-base.filter', {
		typeVersion: 2.2,
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
	}),
	cardNode('Freeze', {
		resource: 'card',
		operation: 'freeze',
		cardId: { __rl: true, mode: 'id', value: '={{ $json.cardId }}' },
	}),
]);

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
		const { n8n } = shared();
		const url = `${n8n.url}/webhook/${webhookId}/webhook`;
		const endpoint = await sandbox.subscribe(operating?.id ?? 0, url);

		const { signingSecret } = endpoint;
		const key = { baseUrl, apiKey, keyScope: 'customer' };
		const apiCredential = await n8n.addCredential('cardPlatformApi', key);
		const credentials = {
			[cardPlatform.action]: apiCredential,
			[cardPlatform.pollingTrigger]: apiCredential,
			[cardPlatform.trigger]: await n8n.addCredential('cardPlatformWebhookApi', { signingSecret }),
		};
		await n8n.addAndPublish(setUpWorkflow(await makeWorkflow(), credentials, webhookId));

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
