import { commandLine, integer } from '../../harness/tools/commandLine.ts';
import { freePort } from '../../harness/tools/ports.ts';
import { type Reporter, seconds } from '../../harness/tools/terminal.ts';
import { startBalancer } from '../lib/balancer.ts';
import { type CheckContext, runCheck } from '../lib/check.ts';
import {
	type Counter,
	countExecutions,
	deliveredAll,
	startCounter,
	waitUntilIdle,
} from '../lib/counter.ts';
import { addCountingWorkflow, respondOption, responseModeOf } from '../lib/countingWorkflow.ts';
import { planCrashes } from '../lib/crashes.ts';
import { countsOf, tableOf, totalOf } from '../lib/table.ts';
import { addBothTriggers, proveBothTriggers } from './bothTriggers.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { proveIncidentForm } from './incidentForm.ts';
import { proveOutages } from './outages.ts';
import { planDeliveries } from './plan.ts';
import { ensureRedis } from './redis.ts';
import { sendAll } from './sender.ts';
import { addTransfers, proveKilledTransfers, proveTransfers } from './transfers.ts';
import { proveUpgrade } from './upgrade.ts';

/** What the service that the workflow calls takes: as long as an API on the internet. */
const serviceMs = 100;
const inFlight = 20;

const options = commandLine(
	'npm run test:queue --',
	`n8n in queue mode on this machine: Redis, PostgreSQL, one main process, two webhook processors, two
workers. Sends signed card events with 5 % duplicates, kills a worker and a webhook processor during that,
and counts what the workflow has really done for each event. Kills the workers in the middle of transfers,
turns PostgreSQL and Redis off for 20 s, and upgrades the package. Then polls for events whose deliveries were
dropped, in a workflow with both triggers, and submits the form of "Freeze every card" in a browser. Needs
redis-server on the PATH, and npm ci.`,
)
	.option('--events <number>', 'how many events', integer(100), 10_000)
	.option('--install', 'install redis-server with apt-get first, if it is missing')
	.addOption(respondOption)
	.parse()
	.opts();
const responseMode = responseModeOf(options.respond);

await runCheck('queue', run);

async function run(context: CheckContext): Promise<boolean> {
	const { reporter, cleanup } = context;
	reporter.line(await ensureRedis(reporter, options.install));
	const counter = await startCounter(serviceMs, cleanup);
	const starting = performance.now();
	const port = await freePort();
	const cluster = await startCluster(context, { N8N_WEBHOOK_URL: `http://127.0.0.1:${port}/` });
	const took = seconds(performance.now() - starting);
	reporter.line(`n8n is up: 1 main, 2 webhook processors, 2 workers (${took})`);
	const { main, webhooks } = cluster;
	const transfers = await addTransfers(main, cleanup);
	const balancer = await startBalancer(
		webhooks.map(({ process }) => process.url),
		cleanup,
		{ port, mainUrl: main.url },
	);

	const { url } = balancer;

	const isDelivered = await proveDeliveries(reporter, cluster, counter, url);
	const isOnce = await proveTransfers(reporter, main, url, transfers);
	const isNotRepeated = await proveKilledTransfers(context, cluster, url);
	const count = Math.min(Math.floor(options.events / 5), 1_000);
	const isRepaired = await proveOutages(reporter, cluster, counter, url, count);
	const isUpgraded = await proveUpgrade(context, cluster, counter, balancer);
	const both = await addBothTriggers(main, counter, context, responseMode);
	const isShared = await proveBothTriggers(reporter, cluster, counter, { url, count }, both);
	const isShown = await proveIncidentForm(reporter, main, url, both.company);
	const isWatched = await proveMetrics(reporter, main.url);
	return [
		isDelivered,
		isOnce,
		isNotRepeated,
		isRepaired,
		isUpgraded,
		isShared,
		isShown,
		isWatched,
	].every(Boolean);
}

/** Whether main serves the metrics that docs/scaling.md says to watch. */
async function proveMetrics(reporter: Reporter, mainUrl: string): Promise<boolean> {
	const text = await (await fetch(`${mainUrl}/metrics`)).text();
	const names = ['waiting', 'active', 'failed'].map(
		(name) => `n8n_scaling_mode_queue_jobs_${name}`,
	);
	const missing = names.filter((name) => !new RegExp(`^${name} \\d`, 'm').test(text));
	reporter.line(`   metrics that are missing: ${missing.join(', ') || 'none'}`);
	return missing.length === 0;
}

/**
 * Delivers events and duplicates, and kills a worker and a webhook processor during that.
 *
 * @param url of the webhook processors
 * @returns whether no event was lost, and the repeated executions are no more than duplicates and failed attempts explain
 */
async function proveDeliveries(
	reporter: Reporter,
	{ main, webhooks, workers }: Cluster,
	counter: Counter,
	url: string,
): Promise<boolean> {
	const { path, secret } = await addCountingWorkflow(main, counter, responseMode);

	const { tasks, ids, duplicates, deliveries } = planDeliveries(options.events);
	const crashes = planCrashes(reporter, [
		[Math.floor(deliveries * 0.25), workers[0]],
		[Math.floor(deliveries * 0.55), webhooks[0]],
	]);
	const started = performance.now();
	const { failures, durationsMs } = await sendAll(tasks, {
		url: `${url}/${path}`,
		secret,
		inFlight,
		onDelivered: (count) => {
			crashes.onDelivered(count);
			reporter.progress(`${count} of ${deliveries} deliveries`);
		},
	});
	const tookMs = performance.now() - started;
	await crashes.over();
	if (responseMode === 'onReceived') await waitUntilIdle(counter);

	const executions = countExecutions(ids, counter);
	const { events, executed, extra } = executions;
	// What was answered 503 has reached no n8n.
	const mostExtra = duplicates + totalOf(failures) - (failures.get('HTTP 503') ?? 0);
	const table = tableOf([
		['events', events],
		['deliveries sent again by the sender as duplicates (5 %)', duplicates],
		['attempts that failed and were repeated', countsOf(failures)],
		['events executed at least once', executed],
		['events lost', events - executed],
		['executions beyond the first of an event', `${extra} (at most ${mostExtra})`],
		['events per second', (events / (tookMs / 1000)).toFixed(1)],
		['time to the answer, median / 95 % / longest', timesOf(durationsMs)],
	]);
	reporter.line(table);
	return deliveredAll(executions, mostExtra);
}

function timesOf(durationsMs: readonly number[]): string {
	const sorted = [...durationsMs].sort((a, b) => a - b);
	const at = (share: number) =>
		sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
	return [at(0.5), at(0.95), at(1)].map((ms) => `${Math.round(ms ?? 0)} ms`).join(' / ');
}
