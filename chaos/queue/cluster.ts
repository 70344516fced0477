import { join } from 'node:path';
import { N8n } from '../../harness/n8n/n8n.ts';
import { newEncryptionKey } from '../../harness/n8n/environment.ts';
import { buildAndPack, installIntoN8n } from '../../harness/n8n/packedNode.ts';
import type { Cleanup } from '../../harness/tools/cleanup.ts';
import { Member, type Shared } from './member.ts';
import { startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';

/** n8n in queue mode: main (editor, schedules), webhook processors, workers; PostgreSQL and Redis. */
export interface Cluster {
	main: N8n;
	webhooks: Member[];
	workers: Member[];
	/** Starts everything; to be called once, after credentials and workflows were given to `main`. */
	start(): Promise<void>;
}

/** Settings of a production set-up that matter when a process dies; docs/scaling.md explains them. */
const settingsOfQueueMode = {
	EXECUTIONS_MODE: 'queue',
	// Production webhooks are the webhook processors' work alone.
	N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	// n8n waits for a worker that is gone for 60 s, and looks every 30 s: too long for a test.
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

/** How many executions a worker runs at a time; n8n's own default is 10. */
const concurrency = 10;

/**
 * Starts PostgreSQL and Redis, builds, packs and installs the package for five processes of n8n, and
 * prepares these: two webhook processors, two workers, one main. `cleanup` ends all of it.
 */
export async function prepareCluster(
	folder: string,
	cleanup: Cleanup,
	more: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
	const postgres = await startPostgres();
	cleanup.defer(() => postgres.stop());
	const redis = await startRedis();
	cleanup.defer(() => redis.stop());
	const mainFolder = join(folder, 'main');
	const { file } = await buildAndPack(folder);
	await installIntoN8n(file, mainFolder);
	const shared: Shared = {
		folder,
		installed: join(mainFolder, '.n8n', 'nodes'),
		encryptionKey: newEncryptionKey(),
		settings: { ...postgres.settings, ...redis.settings, ...settingsOfQueueMode, ...more },
	};
	const main = await N8n.prepare({ userFolder: mainFolder, ...shared });
	cleanup.defer(() => main.stop());
	const prepare = async (name: string, ...command: string[]) => {
		const member = await Member.prepare(name, command, shared);
		cleanup.defer(() => member.stop());
		return member;
	};
	const work = ['worker', `--concurrency=${concurrency}`];
	const webhooks = [await prepare('webhook-1', 'webhook'), await prepare('webhook-2', 'webhook')];
	const workers = [await prepare('worker-1', ...work), await prepare('worker-2', ...work)];
	const start = async () => {
		// The main process sets the database up; the others only look at it.
		await main.start();
		await Promise.all([...webhooks, ...workers].map((member) => member.start()));
	};
	return { main, webhooks, workers, start };
}
