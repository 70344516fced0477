import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { packedVariable } from '../../harness/n8n/package.ts';
import { repositoryFolder } from '../../harness/tools/paths.ts';
import { choosePort, freePort } from '../../harness/tools/ports.ts';
import { startProcess, stopProcess } from '../../harness/tools/processes.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { usePackedPackage } from '../support/n8n/shared.ts';

jest.setTimeout(600_000);

let folder: string;
let n8nPort: number;
let output: string;
let demo: ChildProcess;

beforeAll(usePackedPackage);

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'card-platform-e2e-'));
	n8nPort = await freePort();
	output = '';
});

afterEach(async () => {
	await stopProcess(demo);
	await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

function startDemo(args: string[] = [], env: NodeJS.ProcessEnv = {}): void {
	const script = join(repositoryFolder, 'demo', 'run.ts');
	demo = startProcess(process.execPath, [script, '--n8n-port', String(n8nPort), ...args], {
		env: { ...process.env, ...env, TMPDIR: folder, TEMP: folder },
		onOutput: (text) => (output += text),
	});
}

/** Resolves when the demo has ended and all it said is there: an exit may come before the last words. */
async function closed(): Promise<void> {
	await once(demo, 'close');
}

/** Interrupts the demo once `probe` finds what it looks for, and gives its exit code. */
async function interruptWhen(what: string, probe: () => Promise<boolean> | boolean) {
	await waitUntil(probe, { what, withinMs: 300_000 });
	const ended = closed();
	demo.kill('SIGINT');
	await ended;
	return demo.exitCode;
}

async function expectNothingLeft(): Promise<void> {
	expect(output).toContain('Nothing is left behind.');
	const left = (await readdir(folder)).filter((name) => name.startsWith('card-platform-demo-'));
	expect(left).toEqual([]);
	// Throws as long as anything still listens there.
	await choosePort(n8nPort, { usual: n8nPort, flag: '' });
}

describe('npm run demo', () => {
	it('tells the story with --once and exits with 0', async () => {
		startDemo(['--once']);
		await closed();
		expect(output).toContain('It works');
		expect(output).toMatch(/Base URL http/);
		expect(demo.exitCode).toBe(0);
		await expectNothingLeft();
	});

	it('ends what npm is doing on Ctrl-C', async () => {
		startDemo([], { [packedVariable]: undefined });
		expect(await interruptWhen('the build', () => output.includes('2. '))).toBe(130);
		await expectNothingLeft();
	});

	it('ends an n8n that is just starting on Ctrl-C', async () => {
		startDemo();
		const n8nAnswers = async () =>
			(await fetch(`http://127.0.0.1:${n8nPort}/healthz`).catch(() => undefined)) !== undefined;
		expect(await interruptWhen('n8n to start', n8nAnswers)).toBe(130);
		await expectNothingLeft();
	});
});
