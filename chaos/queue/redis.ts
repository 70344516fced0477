import { UserError } from '../../harness/tools/errors.ts';
import { temporaryFolder } from '../../harness/tools/folders.ts';
import { runProcess } from '../../harness/tools/processes.ts';
import type { Reporter } from '../../harness/tools/terminal.ts';
import { type Service, startService } from './service.ts';

const program = 'redis-server';
/** Installs Redis on Debian or Ubuntu. */
const installCommand = aptGet(['install', '--yes', '--no-install-recommends', program]);

/** Gives the version of Redis, which is installed first if requested. Throws if it is not installed. */
export async function ensureRedis(reporter: Reporter, install = false): Promise<string> {
	const found = await findRedis();
	if (found !== undefined) return found;
	if (install) {
		reporter.line(`Installing Redis: ${installCommand.join(' ')}`);
		// A fresh image has no list of packages yet.
		await run(installCommand).catch(async () => {
			await run(aptGet(['update']));
			await run(installCommand);
		});
		const installed = await findRedis();
		if (installed !== undefined) return installed;
	}
	throw new UserError(
		'Queue mode needs Redis, and there is no redis-server on the PATH; npm has no package with it.',
		`On Debian or Ubuntu: npm run test:queue -- --install, which runs "${installCommand.join(' ')}". On macOS: brew install redis.`,
	);
}

/** Gives what `redis-server --version` says; undefined if it is not on the PATH. */
async function findRedis(): Promise<string | undefined> {
	return runProcess(program, ['--version']).then(
		(text) => text.trim(),
		() => undefined,
	);
}

function aptGet(args: readonly string[]): string[] {
	const command = ['apt-get', ...args];
	return process.getuid?.() === 0 ? command : ['sudo', ...command];
}

async function run([command = '', ...args]: string[]): Promise<void> {
	await runProcess(command, args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}

/** Starts a Redis of this run's own: a free port of 127.0.0.1, a folder that is removed at the end. */
export async function startRedis(cleanup: AsyncDisposableStack): Promise<Service> {
	const cwd = await temporaryFolder('redis', cleanup);
	const where = ['--bind', '127.0.0.1', '--dir', cwd];
	// As in production: what was queued must survive a crash of Redis, so every second it is written.
	const durable = ['--appendonly', 'yes'];
	return startService(
		{
			name: 'Redis',
			program,
			args: (port) => ['--port', String(port), ...where, ...durable],
			settings: (port) => ({
				QUEUE_BULL_REDIS_HOST: '127.0.0.1',
				QUEUE_BULL_REDIS_PORT: String(port),
			}),
			cwd,
		},
		cleanup,
	);
}
