import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { VERSION } from '../../nodes/CardPlatform/api/log.ts';
import type { N8nProcess } from '../harness/n8n/process.ts';
import { realisticEvent } from '../harness/scenario/realisticEvent.ts';
import { runProcess } from '../harness/tools/processes.ts';
import { waitUntil } from '../harness/tools/waiting.ts';
import type { Balancer } from './balancer.ts';
import type { CheckContext } from './cluster.ts';
import { countExecutions, waitUntilIdle } from './counter.ts';
import { addCountingWorkflow, type CountingWorkflow } from './countingWorkflow.ts';
import { type Failures, sendAll } from './sender.ts';
import type { Service } from './service.ts';
import { countsOf, tableOf, totalOf } from './table.ts';

const nextVersion = `${VERSION}-next.1`;

/** As in docs/compose.queue.yml: longer than n8n's own limit, so that it is never killed at work. */
const graceMs = 75_000;

/** How many deliveries each workflow gets before the upgrade, and at least as many after it. */
const around = 30;
/** Less than the workers can do: responding at once, the trigger would take more. */
const everyMs = 400;

/**
 * Upgrades all processes to another version of the package while events are delivered, as
 * docs/scaling.md says: takes the processors out of the proxy, stops main, and the rest when the queue is
 * empty. A worker that is stopped before that can drop an execution that it is just taking from the queue.
 *
 * @returns whether no event was lost, whenever the trigger responds; each delivery that failed found no processor; and both processors have logged both versions
 */
export async function proveUpgrade(context: CheckContext): Promise<boolean> {
	const { report, folder, counter, balancer } = context;
	const { main, webhooks, workers, redis } = context.cluster;
	const nodes = await copyNext(main.process, folder);
	const sendings: Sending[] = [];
	for (const mode of ['onReceived', 'lastNode'] as const) {
		sendings.push(startSending(await addCountingWorkflow(main, counter, mode), balancer));
	}
	const others = [...webhooks, ...workers].map(({ process }) => process);
	try {
		await Promise.all(sendings.map(({ more }) => more()));
		const isBusy = async () => !(await isQueueEmpty(redis));
		await waitUntil(isBusy, { what: 'an execution in the queue', withinMs: 60_000 });
		await balancer.drain();
		await main.process.stop(graceMs);
		const isEmpty = () => isQueueEmpty(redis);
		await waitUntil(isEmpty, { what: 'an empty queue', withinMs: 120_000, everyMs: 500 });
		await Promise.all(others.map((process) => process.stop(graceMs)));
		for (const { userFolder } of [main.process, ...others]) {
			await rm(nodesOf(userFolder), { recursive: true });
			await cp(nodes, nodesOf(userFolder), { recursive: true });
		}
		await Promise.all([main, ...others].map((process) => process.start()));
		balancer.resume();
		await Promise.all(sendings.map(({ more }) => more()));
	} finally {
		for (const { end } of sendings) end();
	}
	const failures = await Promise.all(sendings.map(({ failures }) => failures));
	await waitUntilIdle(counter, 15_000);

	const results = sendings.map(({ events }) => countExecutions(events, counter));
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
		versions.every((logged) => logged[0] === VERSION && logged.at(-1) === nextVersion)
	);
}

/** Deliveries that go on until they are ended. */
interface Sending {
	/** All so far. */
	events: { id: string }[];
	failures: Promise<Failures>;
	/** Waits for more responses. */
	more: () => Promise<unknown>;
	end: () => void;
}

function startSending(workflow: CountingWorkflow, balancer: Balancer): Sending {
	const events: { id: string }[] = [];
	let delivered = 0;
	let isOver = false;
	async function* newEvents() {
		while (!isOver) {
			const event = realisticEvent();
			events.push(event);
			yield event;
			await pause(everyMs);
		}
	}
	const onDelivered = () => delivered++;
	const failures = sendAll(newEvents(), { balancer, workflow, inFlight: 5, onDelivered });
	// A failure is reported where it is awaited: until then, it must not end the process.
	failures.catch(() => undefined);
	return {
		events,
		failures,
		more: () => {
			const enough = delivered + around;
			return waitUntil(() => delivered >= enough, { what: 'deliveries', withinMs: 120_000 });
		},
		end: () => {
			isOver = true;
		},
	};
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

const nodesOf = (userFolder: string) => join(userFolder, '.n8n', 'nodes');

/** Copies the installed nodes, with another version in the package. Gives the folder. */
async function copyNext({ userFolder }: N8nProcess, folder: string): Promise<string> {
	const nodes = join(folder, 'next');
	await cp(nodesOf(userFolder), nodes, { recursive: true });
	for (const file of ['package.json', 'dist/nodes/CardPlatform/api/log.js']) {
		const path = join(nodes, 'node_modules', 'n8n-nodes-card-platform', file);
		await writeFile(path, (await readFile(path, 'utf8')).replace(VERSION, nextVersion));
	}
	return nodes;
}
