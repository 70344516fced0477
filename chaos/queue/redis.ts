import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { UserError } from '../../harness/tools/errors.ts';
import { accepts, freePort } from '../../harness/tools/ports.ts';
import { runProcess, startProcess, stopProcess } from '../../harness/tools/processes.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import type { Service } from './service.ts';

const program = 'redis-server';
const aptInstall = ['install', '--yes', '--no-install-recommends', program];

/** Gives what `redis-server --version` says; undefined if it is not on the PATH. */
export async function findRedis(): Promise<string | undefined> {
	return runProcess(program, ['--version']).then(
		(text) => text.trim(),
		() => undefined,
	);
}

/** What is missing and how a person gets it, on a machine without Redis. */
export function redisIsMissing(): UserError {
	return new UserError(
		'Queue mode needs Redis, and there is no redis-server on the PATH; npm has no package with it.',
		`On Debian or Ubuntu: npm run test:queue -- --install, which runs "${installCommand().join(' ')}". On macOS: brew install redis.`,
	);
}

/** The command that installs Redis on Debian or Ubuntu. */
export function installCommand(): string[] {
	return aptGet(aptInstall);
}

/** Installs Redis with the system's package manager. Throws with what that said when it fails. */
export async function installRedis(): Promise<void> {
	// A fresh image has no list of packages yet.
	await run(installCommand()).catch(async () => {
		await run(aptGet(['update']));
		await run(installCommand());
	});
}

function aptGet(args: readonly string[]): string[] {
	const command = ['apt-get', ...args];
	return process.getuid?.() === 0 ? command : ['sudo', ...command];
}

async function run([command = '', ...args]: string[]): Promise<void> {
	await runProcess(command, args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}

/** Starts a Redis of this run's own: a free port of 127.0.0.1, a folder that is removed at the end. */
export async function startRedis(): Promise<Service> {
	const folder = await mkdtemp(join(tmpdir(), 'card-platform-redis-'));
	const port = await freePort();
	const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
	// As in production: what was queued must survive a crash of Redis, so every second it is written.
	const server = startProcess(program, [...options, '--appendonly', 'yes'], { cwd: folder });
	await waitUntil(() => accepts(port), { what: 'Redis', withinMs: 60_000 });
	return {
		settings: { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: String(port) },
		stop: async () => {
			await stopProcess(server);
			await rm(folder, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}
