import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { cardPlatform, readWorkflow, setUpWorkflow } from '../../harness/n8n/workflow.ts';
import { PublicApiClient } from '../../harness/publicApi.ts';
import { workflowsFolder } from '../../harness/tools/paths.ts';
import { freePort } from '../../harness/tools/ports.ts';
import { startProcess, stopProcess } from '../../harness/tools/processes.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { SandboxClient } from '../../sandbox/client.ts';
import { useSharedN8n } from '../support/n8n/shared.ts';

// "Your first workflow" in README.md, imported from its file, with the sandbox started as README.md says;
// firstWorkflow.editor.nightly.n8n.test.ts builds it on an empty canvas.

const withinMs = 60_000;

const declineAbroad = {
	amount: '980.00',
	merchantCountry: 'RO',
	decline: { reason: 'suspected_fraud' },
};

const cleanup = new AsyncDisposableStack();
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

afterAll(() => cleanup.disposeAsync(), 180_000);

it(
	'with the sandbox, the first workflow freezes the card after a decline abroad',
	async () => {
		const file = 'freeze-on-decline.json';
		const findKey = () => /API key +(\S+) \(customer-scoped/.exec(greeting)?.[1];
		const apiKey = await waitUntil(findKey, { what: 'the key of the sandbox', withinMs });
		const baseUrl = `http://localhost:${port}/v1/public`;

		const webhookId = randomUUID();
		const sandbox = new SandboxClient(`http://localhost:${port}`);
		const operating = (await sandbox.accounts()).find(({ name }) => name === 'Operating');
		const accountId = operating?.id ?? 0;
		const { n8n } = shared();
		const url = `${n8n.url}/webhook/${webhookId}/webhook`;
		const endpoint = await sandbox.subscribe(accountId, url);

		const { signingSecret } = endpoint;
		const key = { baseUrl, apiKey, keyScope: 'customer', accountId: String(accountId) };
		const apiCredential = await n8n.addCredential('cardPlatformApi', key);
		const credentials = {
			[cardPlatform.action]: apiCredential,
			[cardPlatform.pollingTrigger]: apiCredential,
			[cardPlatform.trigger]: await n8n.addCredential('cardPlatformWebhookApi', { signingSecret }),
		};
		const workflow = await readWorkflow(join(workflowsFolder, file));
		await n8n.addAndPublish(setUpWorkflow(workflow, credentials, webhookId));

		const api = new PublicApiClient(baseUrl, apiKey);
		const cardId = await api.createCard(`Card for ${file}`, accountId);
		await sandbox.authorize({ ...declineAbroad, cardId });
		const isFrozen = async () => (await api.card(cardId)).status === 'frozen';
		await waitUntil(isFrozen, { what: 'the card to be frozen', withinMs });

		await sandbox.unsubscribe(endpoint);
	},
	// Publishing has a bound of its own.
	600_000,
);
