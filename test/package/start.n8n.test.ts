import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { z } from 'zod';

import { N8nClient } from '../../harness/n8n/client.ts';
import { logIn } from '../../harness/n8n/owner.ts';
import { triggerNode, workflowOf } from '../../harness/n8n/workflow.ts';
import { PublicApiClient } from '../../harness/publicApi.ts';
import { repositoryFolder } from '../../harness/tools/paths.ts';
import { freePort } from '../../harness/tools/ports.ts';
import { startProcess, stopProcess } from '../../harness/tools/processes.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { SandboxClient } from '../../sandbox/client.ts';
import { usePackedPackage } from '../support/n8n/shared.ts';

jest.setTimeout(900_000);

/** A card of the account Operating. */
const cardId = 'ca4d0000-0000-4000-8000-000000000003';

interface Run {
	process: ChildProcess;
	output: () => string;
}

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

function start(...args: string[]): Run {
	let output = '';
	const ports = ['--n8n-port', String(n8nPort), '--sandbox-port', String(sandboxPort)];
	const script = join(repositoryFolder, 'demo', 'start', 'run.ts');
	const all = [script, '--folder', folder, ...ports, ...args];
	const process = startProcess(globalThis.process.execPath, all, {
		onOutput: (text) => (output += text),
		env: { ...globalThis.process.env, TZ: 'Asia/Tokyo' },
	});
	runs.push(process);
	return { process, output: () => output };
}

/** Gives what it prints once everything is up. */
async function untilUp({ process, output }: Run): Promise<string> {
	const probe = () => {
		if (process.exitCode !== null) throw new Error(`It ended: ${output()}`);
		return output().includes('Next: ') ? output() : undefined;
	};
	return waitUntil(probe, { what: 'npm start', withinMs: 600_000 });
}

/** Presses Ctrl-C; gives the exit code. */
async function interrupt({ process }: Run): Promise<number | null> {
	const closed = once(process, 'close');
	process.kill('SIGINT');
	await closed;
	return process.exitCode;
}

/** A value in what it printed, by its label. */
const valueOf = (output: string, label: string) =>
	new RegExp(`^${label} +(\\S+)`, 'm').exec(output)?.[1] ?? '';

type Places = ReturnType<typeof placesOf>;

const placesOf = (output: string) => ({
	editor: valueOf(output, 'n8n editor'),
	email: /sign in as (\S+)/.exec(output)?.[1] ?? '',
	password: /password (\S+)/.exec(output)?.[1] ?? '',
	timeZone: valueOf(output, 'Time zone'),
	dashboard: valueOf(output, 'Dashboard'),
	baseUrl: valueOf(output, 'Base URL'),
	apiKey: valueOf(output, 'API Key'),
	accountId: valueOf(output, 'Default Account ID'),
});

/** A client of the n8n that was started, signed in with what was printed. */
async function signedIn({ email, password }: Places): Promise<N8nClient> {
	const url = `http://localhost:${n8nPort}`;
	const owner = { email, password };
	// Nothing here reads executions, which would take a key of the public API.
	const session = { cookie: await logIn(url, owner), apiKey: '' };
	return new N8nClient({ url, owner, session });
}

/** Lets the sandbox send an event; returns the status of n8n's response. */
async function sendEvent(): Promise<number | null | undefined> {
	const sandbox = new SandboxClient(`http://localhost:${sandboxPort}`);
	const { event } = await sandbox.authorize({ cardId, amount: '12.00' });
	const probe = async () => (await sandbox.deliveries({ eventId: event.id }))[0]?.attempts[0];
	return (await waitUntil(probe, { what: 'the delivery', withinMs: 60_000 })).httpStatus;
}

// One story: each start continues where the one before left off.
describe('npm start', () => {
	let first: Places;
	let workflowId: string;

	it('starts n8n with the package and the sandbox, whose events start workflows', async () => {
		const run = start();
		first = placesOf(await untilUp(run));
		const sandboxUrl = `http://localhost:${sandboxPort}`;
		expect(first).toEqual({
			editor: `http://localhost:${n8nPort}/workflow/new`,
			email: 'demo@example.com',
			password: expect.stringMatching(/^Demo-\d+$/),
			timeZone: 'Asia/Tokyo',
			dashboard: `${sandboxUrl}/dashboard`,
			baseUrl: `${sandboxUrl}/v1/public`,
			apiKey: expect.stringMatching(/^sandbox_/),
			accountId: expect.stringMatching(/^\d+$/),
		});
		expect((await fetch(first.dashboard)).status).toBe(200);

		const n8n = await signedIn(first);
		const settings = z.object({ data: z.object({ timezone: z.string() }) });
		const { data } = await n8n.getJson('/rest/settings', settings);
		expect(data.timezone).toBe('Asia/Tokyo');
		const sandbox = new SandboxClient(sandboxUrl);
		const webhookId = randomUUID();
		const url = `${n8n.url}/webhook/${webhookId}/webhook`;
		const { signingSecret } = await sandbox.subscribe(1001, url);
		const credential = await n8n.addCredential('cardPlatformWebhookApi', { signingSecret });
		const trigger = triggerNode('Card event', credential, { events: ['all'] }, webhookId);
		workflowId = await n8n.addAndPublish(workflowOf('Kept', [trigger]));
		expect(await sendEvent()).toBe(200);

		const second = start();
		await once(second.process, 'close');
		expect(second.process.exitCode).toBe(1);
		expect(second.output()).toContain('npm start is already running');
		expect(second.output()).toContain('What to do: Use that one, or end it with Ctrl-C');

		expect(await interrupt(run)).toBe(0);
		expect(run.output()).toContain('n8n and the sandbox have ended');
	});

	it('continues where it left off: same addresses, owner, key, workflow and webhook URL', async () => {
		const run = start();
		expect(placesOf(await untilUp(run))).toEqual(first);
		expect(await new PublicApiClient(first.baseUrl, first.apiKey).acceptsKey()).toBe(true);
		const n8n = await signedIn(first);
		expect((await n8n.workflow(workflowId)).nodes).toHaveLength(1);
		expect(await sendEvent()).toBe(200);

		await new SandboxClient(`http://localhost:${sandboxPort}`).createKey();
		await interrupt(run);
	});

	it('does not print a key that another one has replaced', async () => {
		const run = start();
		const output = await untilUp(run);
		expect(output).toMatch(/API Key +the one that you generated in the dashboard/);
		await interrupt(run);
	});

	it('starts afresh with --reset', async () => {
		const run = start('--reset');
		const places = placesOf(await untilUp(run));
		expect(places.password).not.toBe(first.password);
		expect(await new PublicApiClient(places.baseUrl, places.apiKey).acceptsKey()).toBe(true);
		const n8n = await signedIn(places);
		await expect(n8n.workflow(workflowId)).rejects.toThrow('404');
		await interrupt(run);
	});

	it('names a port that is taken', async () => {
		const other = createServer().listen(n8nPort, '127.0.0.1');
		await once(other, 'listening');
		const run = start();
		await once(run.process, 'close');
		other.close();
		expect(run.process.exitCode).toBe(1);
		expect(run.output()).toContain(`Port ${n8nPort} is taken`);
		expect(run.output()).toContain('Choose another one with --n8n-port');
	});
});
