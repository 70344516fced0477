import { UserError } from '../harness/tools/errors.ts';
import { temporaryFolder } from '../harness/tools/folders.ts';
import { runProcess } from '../harness/tools/processes.ts';
import type { Report } from '../harness/tools/program.ts';
import { type Service, startService } from './service.ts';

const program = 'redis-server';
const sudo = process.getuid?.() === 0 ? [] : ['sudo'];
/** A fresh image has no list of packages yet. */
const commands = [
	[...sudo, 'apt-get', 'update'],
	[...sudo, 'apt-get', 'install', '--yes', '--no-install-recommends', program],
];

/** Gives the version of Redis, which is installed first if requested. Throws if it is not installed. */
export async function ensureRedis(report: Report, install = false): Promise<string> {
	const version = () => runProcess(program, ['--version']);
	return version().catch(async () => {
		if (!install) {
			throw new UserError(
				'Queue mode needs Redis, and there is no redis-server on the PATH; npm has no package with it.',
				'On Debian or Ubuntu: npm run test:queue -- --install. On macOS: brew install redis.',
			);
		}
		for (const [command = '', ...args] of commands) {
			report(`Installing Redis: ${[command, ...args].join(' ')}`);
			const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
			await runProcess(command, args, { env });
		}
		return version();
	});
}

/** Starts a Redis of this run's own: a free port of 127.0.0.1, a folder that is removed at the end. */
export async function startRedis(cleanup: AsyncDisposableStack): Promise<Service> {
	const cwd = await temporaryFolder('redis', cleanup);
	// As in production: what was queued must survive a crash of Redis, so every second it is written.
	const how = ['--bind', '127.0.0.1', '--dir', cwd, '--appendonly', 'yes'];
	return startService(
		{
			name: 'Redis',
			program,
			args: (port) => ['--port', String(port), ...how],
			settings: (port) => ({
				QUEUE_BULL_REDIS_HOST: '127.0.0.1',
				QUEUE_BULL_REDIS_PORT: String(port),
			}),
			cwd,
		},
		cleanup,
	);
}
