import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../harness/tools/ports.ts';
import { type Reporter, seconds } from '../../harness/tools/terminal.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { startBalancer } from './balancer.ts';
import { addBothTriggers, proveBothTriggers } from './bothTriggers.ts';
import { startCluster } from './cluster.ts';
import { type Counter, startCounter } from './counter.ts';
import { addCountingWorkflow } from './countingWorkflow.ts';
import { planCrashes } from './crashes.ts';
import { proveIncidentForm } from './incidentForm.ts';
import { type QueueOptions, readOptions } from './options.ts';
import { planDeliveries } from './plan.ts';
import { findRedis, installCommand, installRedis, redisIsMissing } from './redis.ts';
import { compare, isKept, tableOf } from './report.ts';
import { runScript, type Script } from './script.ts';
import { sendAll } from './sender.ts';
import { addTransfers, proveTransfers } from './transfers.ts';

/** What the service that the workflow calls takes: as long as an API on the internet. */
const serviceMs = 100;
const inFlight = 20;

const options = readOptions(process.argv.slice(2));
await runScript((script) => run(script, options));

async function run(
	{ reporter, cleanup }: Script,
	{ events, responseMode, install }: QueueOptions,
): Promise<boolean> {
	reporter.line(await ensureRedis(reporter, install));
	const folder = await mkdtemp(join(tmpdir(), 'card-platform-queue-'));
	cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
	const counter = await startCounter(serviceMs);
	cleanup.defer(() => counter.stop());
	const starting = performance.now();
	const port = await freePort();
	const settings = { WEBHOOK_URL: `http://127.0.0.1:${port}/` };
	const cluster = await startCluster(folder, cleanup, settings);
	reporter.line(`n8n is up: 1 main, 2 webhook processors, 2 workers (${since(starting)})`);
	const workflow = await addCountingWorkflow(cluster.main, counter.url, { responseMode });
	const transfers = await addTransfers(cluster.main, cleanup);

	const balancer = await startBalancer(
		cluster.webhooks.map(({ process }) => process.url),
		{ port, mainUrl: cluster.main.url },
	);
	cleanup.defer(() => balancer.stop());

	const plan = planDeliveries(events);
	const crashes = planCrashes(reporter, [
		[Math.floor(plan.deliveries * 0.25), cluster.workers[0]],
		[Math.floor(plan.deliveries * 0.55), cluster.webhooks[0]],
	]);
	const started = performance.now();
	const outcome = await sendAll(plan.tasks, {
		url: `${balancer.url}/${workflow.path}`,
		secret: workflow.secret,
		inFlight,
		onDelivered: (count) => {
			crashes.onDelivered(count);
			reporter.progress(`${count} of ${plan.deliveries} deliveries`);
		},
	});
	const tookMs = performance.now() - started;
	await crashes.over();
	if (responseMode === 'onReceived') await untilNothingComes(counter);
	const result = compare(plan, outcome, counter);
	for (const line of tableOf(result, outcome, tookMs)) reporter.line(line);
	const isOnce = await proveTransfers(reporter, cluster.main, balancer.url, transfers);
	const both = await addBothTriggers(cluster.main, counter, { folder, cleanup, responseMode });
	const count = Math.min(Math.floor(events / 5), 1_000);
	const isShared = await proveBothTriggers(
		reporter,
		cluster,
		counter,
		{ url: balancer.url, count },
		both,
	);
	const isShown = await proveIncidentForm(reporter, cluster.main, balancer.url, both.company);
	const isRight = isKept(result) && isOnce && isShared && isShown;
	reporter.line(
		isRight
			? 'Every event was executed, every transfer made once, and the form showed its result.'
			: 'The promise is BROKEN.',
	);
	return isRight;
}

/** Gives the version of Redis, which is installed first if requested. Throws if it is not installed. */
async function ensureRedis(reporter: Reporter, install = false): Promise<string> {
	const found = await findRedis();
	if (found !== undefined) return found;
	if (!install) throw redisIsMissing();
	reporter.line(`Installing Redis: ${installCommand().join(' ')}`);
	await installRedis();
	const installed = await findRedis();
	if (installed === undefined) throw redisIsMissing();
	return installed;
}

/** What was answered at once is executed later: waits until nothing has been for half a minute. */
async function untilNothingComes({ done }: Counter): Promise<void> {
	let seen = { count: done.size, at: performance.now() };
	const probe = () => {
		if (done.size !== seen.count) seen = { count: done.size, at: performance.now() };
		return performance.now() - seen.at > 30_000 ? true : undefined;
	};
	await waitUntil(probe, { what: 'the end of the work', withinMs: 3_600_000, everyMs: 1_000 });
}

function since(start: number): string {
	return seconds(performance.now() - start);
}
