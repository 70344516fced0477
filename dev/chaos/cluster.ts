import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parse } from 'yaml';

import { type N8n, startPackedN8n } from '../harness/n8n/n8n.ts';
import { N8nProcess } from '../harness/n8n/process.ts';
import type { RunContext } from '../harness/tools/folders.ts';
import { repositoryFolder } from '../harness/tools/paths.ts';
import { type Report, seconds } from '../harness/tools/program.ts';
import type { Balancer } from './balancer.ts';
import type { Counter } from './counter.ts';
import { startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';
import type { Service } from './service.ts';

/** A webhook processor or a worker. */
interface Member {
	name: string;
	process: N8nProcess;
}

/** n8n in queue mode: main (editor, schedules), webhook processors, workers; PostgreSQL and Redis. */
interface Cluster {
	main: N8n;
	webhooks: [Member, Member];
	workers: [Member, Member];
	postgres: Service;
	redis: Service;
}

/** What a check works with. */
export interface CheckContext extends RunContext {
	report: Report;
	cluster: Cluster;
	/** The proxy in front of its webhook processors. */
	balancer: Balancer;
	counter: Counter;
}

/** Kills a process (SIGKILL), as a power failure would, and starts it again. */
export async function crash(report: Report, { name, process }: Member): Promise<void> {
	await process.kill();
	const killed = performance.now();
	report(`   ${name} was killed (SIGKILL)`);
	await process.start();
	report(`   ${name} is up again (${seconds(performance.now() - killed)})`);
}

/** Starts every process of n8n again that has exited by itself, as Docker would. Gives how many. */
export async function restartExited({ main, webhooks, workers }: Cluster): Promise<number> {
	const exited = [main, ...[...webhooks, ...workers].map(({ process }) => process)].filter(
		(each) => !each.isRunning,
	);
	await Promise.all(exited.map((each) => each.start()));
	return exited.length;
}

/** What docs/compose.queue.yml sets for every n8n, but for what depends on the machine. */
async function queueSettings(): Promise<Record<string, string>> {
	const file = await readFile(join(repositoryFolder, 'docs', 'compose.queue.yml'), 'utf8');
	const { 'x-n8n': n8n } = parse(file) as { 'x-n8n': { environment: Record<string, string> } };
	const settings = Object.entries(n8n.environment);
	return Object.fromEntries(
		settings.filter(([name, value]) => !/^(DB|QUEUE_BULL)_/.test(name) && !value.includes('$')),
	);
}

/** How many executions a worker runs at a time; n8n's own default is 10. */
const concurrency = 10;

/**
 * Starts PostgreSQL, Redis and, with the package built, packed and installed, five processes of n8n: two
 * webhook processors, two workers, one main.
 */
export async function startCluster({ folder, cleanup }: RunContext): Promise<Cluster> {
	const postgres = await startPostgres(cleanup);
	const redis = await startRedis(cleanup);
	const settings = {
		...postgres.settings,
		...redis.settings,
		...(await queueSettings()),
	};
	// The main process sets the database up; the others only look at it.
	const main = await startPackedN8n({ folder, cleanup }, settings);

	const { encryptionKey } = main.process;
	const start = async (name: string, ...command: string[]): Promise<Member> => {
		const userFolder = join(folder, name);
		await mkdir(userFolder);
		const nodes = join('.n8n', 'nodes');
		await cp(join(main.process.userFolder, nodes), join(userFolder, nodes), { recursive: true });
		const process = await N8nProcess.prepare({ userFolder, command, settings, encryptionKey });
		cleanup.defer(() => process.stop());
		await process.start();
		return { name, process };
	};
	const work = ['worker', `--concurrency=${concurrency}`];
	const [firstWebhook, secondWebhook, firstWorker, secondWorker] = await Promise.all([
		start('webhook-1', 'webhook'),
		start('webhook-2', 'webhook'),
		start('worker-1', ...work),
		start('worker-2', ...work),
	]);
	return {
		main,
		webhooks: [firstWebhook, secondWebhook],
		workers: [firstWorker, secondWorker],
		postgres,
		redis,
	};
}
