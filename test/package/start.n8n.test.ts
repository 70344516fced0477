import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

import getPort from 'get-port';

import { N8nClient } from '../../dev/harness/n8n/client.ts';
import { logIn } from '../../dev/harness/n8n/owner.ts';
import { triggerNode, workflowOf } from '../../dev/harness/n8n/workflow.ts';
import { SandboxClient } from '../../dev/harness/sandboxClient.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import { useScripts } from '../support/n8n/script.ts';

const { start, folder } = useScripts();

test('npm start starts n8n with the package and the sandbox, whose events start workflows', async () => {
	const [n8nPort, sandboxPort] = [await getPort(), await getPort()];
	const taken = createServer().listen(n8nPort, '127.0.0.1');
	await once(taken, 'listening');
	const ports = ['--n8n-port', String(n8nPort), '--sandbox-port', String(sandboxPort)];
	const refused = start('start/run.ts', '--folder', folder(), ...ports);
	expect(await refused.end()).toBe(1);
	taken.close();
	expect(refused.output()).toMatch(/is taken\n.*Choose another one with --n8n-port/);

	const run = start('start/run.ts', '--folder', folder(), ...ports);
	await run.printed('Next: ');
	const [, email = '', password = ''] =
		/sign in as (\S+) with the password (\S+)/.exec(run.output()) ?? [];
	expect(run.output()).toMatch(/^Time zone +Asia\/Kolkata$/m);
	const url = `http://localhost:${n8nPort}`;
	const owner = { email, password };
	// Nothing here reads executions, which would take a key of the public API.
	const session = { cookie: await logIn(url, owner), apiKey: '' };
	const n8n = new N8nClient({ url, owner, session });
	const { data } = await n8n.getJson<{ data: { timezone: string } }>('/rest/settings');
	expect(data.timezone).toBe('Asia/Kolkata');

	const sandbox = new SandboxClient(`http://localhost:${sandboxPort}`);
	const webhookId = randomUUID();
	const endpoint = await sandbox.subscribe(1001, `${url}/webhook/${webhookId}/webhook`);
	const { signingSecret } = endpoint;
	const credential = await n8n.addCredential('cardPlatformWebhookApi', { signingSecret });
	const trigger = triggerNode('Card event', credential, { events: ['all'] }, webhookId);
	await n8n.addAndPublish(workflowOf('Kept', [trigger]));
	const cardId = 'ca4d0000-0000-4000-8000-000000000003';
	const { event } = await sandbox.authorize({ cardId, amount: '12.00' });
	const attempt = await waitUntil(
		async () => (await sandbox.deliveries({ eventId: event.id }))[0]?.attempts[0],
		{ what: 'the delivery', withinMs: 60_000 },
	);
	expect(attempt.httpStatus).toBe(200);

	expect(await run.end('SIGINT')).toBe(0);
	expect(run.output()).toContain('n8n and the sandbox have ended');
});
