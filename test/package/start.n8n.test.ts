import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { N8nClient } from '../../dev/harness/n8n/client.ts';
import { logIn } from '../../dev/harness/n8n/owner.ts';
import { triggerNode, workflowOf } from '../../dev/harness/n8n/workflow.ts';
import { SandboxClient } from '../../dev/harness/sandboxClient.ts';
import { repositoryFolder } from '../../dev/harness/tools/paths.ts';
import { freePort } from '../../dev/harness/tools/ports.ts';
import { startProcess, stopProcess } from '../../dev/harness/tools/processes.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import { usePackedPackage } from '../support/n8n/shared.ts';

jest.setTimeout(900_000);

let folder: string;
let n8nPort: number;
let sandboxPort: number;
const runs: ChildProcess[] = [];

beforeAll(async () => {
	await usePackedPackage();
	folder = await mkdtemp(join(tmpdir(), 'card-platform-e2e-'));
	n8nPort = await freePort();
	sandboxPort = await freePort();
});

afterAll(async () => {
	for (const run of runs) await stopProcess(run);
	await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}, 180_000);

/** Runs a script of dev/demo/. */
function start(script: string, ...args: string[]) {
	let output = '';
	const file = join(repositoryFolder, 'dev', 'demo', script);
	const run = startProcess(process.execPath, [file, ...args], {
		onOutput: (text) => (output += text),
		env: { ...process.env, TZ: 'Asia/Kolkata', TMPDIR: folder },
	});
	runs.push(run);
	return {
		output: () => output,
		/** Waits for something that it prints. */
		printed: (text: string) =>
			waitUntil(
				() => {
					if (run.exitCode !== null) throw new Error(`It ended: ${output}`);
					return output.includes(text);
				},
				{ what: text, withinMs: 600_000 },
			),
		/** Presses Ctrl-C, unless it ends by itself; returns the exit code. */
		end: async (signal?: 'SIGINT') => {
			const closed = once(run, 'close');
			if (signal) run.kill(signal);
			await closed;
			return run.exitCode;
		},
	};
}

test('npm start starts n8n with the package and the sandbox, whose events start workflows', async () => {
	const taken = createServer().listen(n8nPort, '127.0.0.1');
	await once(taken, 'listening');
	const ports = ['--n8n-port', String(n8nPort), '--sandbox-port', String(sandboxPort)];
	const refused = start('start/run.ts', '--folder', folder, ...ports);
	expect(await refused.end()).toBe(1);
	taken.close();
	expect(refused.output()).toMatch(/is taken\n.*Choose another one with --n8n-port/);

	const run = start('start/run.ts', '--folder', folder, ...ports);
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

test('npm run demo shows how a card is frozen, and leaves nothing behind', async () => {
	const run = start('run.ts', '--once');
	expect(await run.end()).toBe(0);
	expect(run.output()).toContain('It works');
	expect(run.output()).toContain('Nothing is left behind.');
	const left = (await readdir(folder)).filter((name) => name.startsWith('card-platform-demo-'));
	expect(left).toEqual([]);
});
