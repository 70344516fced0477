import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import packageJson from '../../package.json' with { type: 'json' };
import { runProcess } from '../harness/tools/processes.ts';
import { waitUntil } from '../harness/tools/waiting.ts';
import type { CheckContext } from './cluster.ts';
import { countExecutions, waitUntilIdle } from './counter.ts';
import { addCountingWorkflow } from './countingWorkflow.ts';
import { deliver } from './deliver.ts';
import type { Service } from './service.ts';
import { countsOf, tableOf, totalOf } from './table.ts';

const { version } = packageJson;
const nextVersion = `${version}-next.1`;

/** As in docs/compose.queue.yml: longer than n8n's own limit, so that it is never killed at work. */
const graceMs = 75_000;

/** How many deliveries each workflow gets, half of them before the upgrade. */
const count = 60;

/**
 * Upgrades all processes to another version of the package while events are delivered, as
 * docs/scaling.md says: takes the processors out of the proxy, stops main, and the rest when the queue is
 * empty. A worker that is stopped before that can drop an execution that it is just taking from the queue.
 *
 * @returns whether no event was lost, whenever the trigger responds; each delivery that failed found no processor; and both processors have logged both versions
 */
export async function proveUpgrade(context: CheckContext): Promise<boolean> {
	const { report, counter } = context;
	const { main, webhooks } = context.cluster;
	const immediately = await addCountingWorkflow(main, counter, 'onReceived');
	const lastNode = await addCountingWorkflow(main, counter, 'lastNode');
	const delivered = await deliver(context, [immediately, lastNode], count, [
		[0.5, () => upgrade(context)],
	]);
	await waitUntilIdle(counter, 15_000);

	const failures = delivered.map((each) => each.failures);
	const results = delivered.map(({ events }) => countExecutions(events, counter));
	const logs = await Promise.all(webhooks.map(({ process }) => readFile(process.logFile, 'utf8')));
	const versions = logs.map((log) => log.match(/(?<=Card Platform nodes )[\w.-]+/g) ?? []);
	const each = <T>(values: readonly T[], valueOf: (value: T) => unknown) =>
		values.map(valueOf).join(', ');
	report(
		tableOf([
			['upgrade of all processes: Immediately, When Last Node Finishes', ''],
			['events', each(results, ({ events }) => events)],
			['events lost', each(results, ({ events, executed }) => events - executed)],
			['executions beyond the first of an event', each(results, ({ extra }) => extra)],
			['attempts that failed and were repeated', each(failures, countsOf)],
			['versions that the webhook processors have logged', versions.join(' and ')],
		]),
	);
	return (
		results.every(({ events, executed }) => executed === events) &&
		failures.every((counts) => totalOf(counts) === (counts.get('HTTP 503') ?? 0)) &&
		versions.every((logged) => logged[0] === version && logged.at(-1) === nextVersion)
	);
}

async function upgrade({ cluster, balancer }: CheckContext): Promise<void> {
	const { main, webhooks, workers, redis } = cluster;
	const others = [...webhooks, ...workers].map(({ process }) => process);
	await balancer.drain();
	await main.process.stop(graceMs);
	const isEmpty = () => isQueueEmpty(redis);
	await waitUntil(isEmpty, { what: 'an empty queue', withinMs: 120_000, everyMs: 500 });
	await Promise.all(others.map((process) => process.stop(graceMs)));
	for (const { userFolder } of [main.process, ...others]) await installNext(userFolder);
	await Promise.all([main, ...others].map((process) => process.start()));
	balancer.resume();
}

/** Whether no execution waits for a worker or is at one: the commands of docs/scaling.md. */
async function isQueueEmpty({ settings }: Service): Promise<boolean> {
	const port = settings.QUEUE_BULL_REDIS_PORT ?? '';
	// In this order: what waits becomes active.
	for (const list of ['wait', 'active']) {
		const length = await runProcess('redis-cli', ['-p', port, 'llen', `bull:jobs:${list}`]);
		if (length.trim() !== '0') return false;
	}
	return true;
}

/** Gives the package in an n8n's folder another version. */
async function installNext(userFolder: string): Promise<void> {
	const installed = join(userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-card-platform');
	for (const file of ['package.json', 'dist/nodes/CardPlatform/api/log.js']) {
		const path = join(installed, file);
		await writeFile(path, (await readFile(path, 'utf8')).replace(version, nextVersion));
	}
}
