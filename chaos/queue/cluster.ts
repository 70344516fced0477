import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { N8n } from '../../harness/n8n/n8n.ts';
import { packAndInstall } from '../../harness/n8n/package.ts';
import { N8nProcess } from '../../harness/n8n/process.ts';
import type { Cleanup } from '../../harness/tools/cleanup.ts';
import { startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';
import { queueSettings } from './settings.ts';

/** A webhook processor or a worker. */
export interface Member {
	name: string;
	process: N8nProcess;
}

/** n8n in queue mode: main (editor, schedules), webhook processors, workers; PostgreSQL and Redis. */
export interface Cluster {
	main: N8n;
	webhooks: [Member, Member];
	workers: [Member, Member];
}

/** How many executions a worker runs at a time; n8n's own default is 10. */
const concurrency = 10;

/**
 * Starts PostgreSQL, Redis and, with the package built, packed and installed, five processes of n8n: two
 * webhook processors, two workers, one main. `cleanup` ends all of it.
 */
export async function startCluster(
	folder: string,
	cleanup: Cleanup,
	more: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
	const postgres = await startPostgres();
	cleanup.defer(() => postgres.stop());
	const redis = await startRedis();
	cleanup.defer(() => redis.stop());
	const mainFolder = join(folder, 'main');
	await packAndInstall(mainFolder);
	const settings = { ...postgres.settings, ...redis.settings, ...queueSettings, ...more };
	const main = await N8n.prepare({ userFolder: mainFolder, settings });
	cleanup.defer(() => main.stop());
	// The main process sets the database up; the others only look at it.
	await main.start();

	const { encryptionKey } = main.process;
	const start = async (name: string, ...command: string[]): Promise<Member> => {
		const userFolder = join(folder, name);
		await mkdir(userFolder);
		await cp(join(mainFolder, '.n8n', 'nodes'), join(userFolder, '.n8n', 'nodes'), {
			recursive: true,
		});
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
	};
}
