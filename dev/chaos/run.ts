import { installN8n } from '../harness/n8n/install.ts';
import { commandLine, integer } from '../harness/tools/commandLine.ts';
import { type RunContext, temporaryFolder } from '../harness/tools/folders.ts';
import { type Report, runProgram, seconds } from '../harness/tools/program.ts';
import { createBalancer } from './balancer.ts';
import { type CheckContext, crash, startCluster } from './cluster.ts';
import { countExecutions, startCounter } from './counter.ts';
import { addCountingWorkflow } from './countingWorkflow.ts';
import { deliver } from './deliver.ts';
import { proveOutages } from './outages.ts';
import { ensureRedis } from './redis.ts';
import { countsOf, tableOf, totalOf } from './table.ts';
import { proveKilledTransfers } from './transfers.ts';
import { proveUpgrade } from './upgrade.ts';

/** What the service that the workflow calls takes: as long as an API on the internet. */
const serviceMs = 100;

const options = commandLine(
	'npm run test:queue --',
	`n8n in queue mode on this machine: Redis, PostgreSQL, one main process, two webhook processors, two
workers. Sends signed card events, kills a worker and a webhook processor during that,
and counts what the workflow has really done for each event. Then kills the workers in the middle of transfers.
With --nightly, it also turns PostgreSQL and Redis off for 20 s, and upgrades the package. Needs redis-server on the
PATH, and npm ci.`,
)
	.option('--events <number>', 'how many events', integer(100), 500)
	.option('--nightly', 'also what takes long')
	.option('--install', 'install redis-server with apt-get first, if it is missing')
	.parse()
	.opts();

await runProgram(async ({ report, cleanup }) => {
	await installN8n({ report });
	const folder = await temporaryFolder('queue', cleanup);
	const passed = await run(report, { folder, cleanup });
	report(passed ? 'All checks passed.' : 'A check FAILED.');
	return passed;
});

async function run(report: Report, { folder, cleanup }: RunContext): Promise<boolean> {
	report(await ensureRedis(report, options.install));
	const counter = await startCounter(serviceMs, cleanup);
	const starting = performance.now();
	const cluster = await startCluster({ folder, cleanup });
	const took = seconds(performance.now() - starting);
	report(`n8n is up: 1 main, 2 webhook processors, 2 workers (${took})`);
	const balancer = createBalancer(cluster.webhooks.map(({ process }) => process.url));
	const context = { report, folder, cleanup, counter, cluster, balancer };
	const count = Math.min(Math.floor(options.events / 5), 1_000);
	const checks = [proveDeliveries, proveKilledTransfers, proveMetrics];
	const nightly = [(each: CheckContext) => proveOutages(each, count), proveUpgrade];
	let passed = true;
	for (const check of options.nightly ? [...checks, ...nightly] : checks) {
		passed = (await check(context)) && passed;
	}
	return passed;
}

/** Whether main serves the metrics that docs/scaling.md says to watch. */
async function proveMetrics({ report, cluster }: CheckContext): Promise<boolean> {
	const text = await (await fetch(`${cluster.main.url}/metrics`)).text();
	const names = ['waiting', 'active', 'failed'].map(
		(name) => `n8n_scaling_mode_queue_jobs_${name}`,
	);
	const missing = names.filter((name) => !new RegExp(`^${name} \\d`, 'm').test(text));
	report(`   metrics that are missing: ${missing.join(', ') || 'none'}`);
	return missing.length === 0;
}

/**
 * Delivers events, and kills a worker and a webhook processor during that.
 *
 * @returns whether no event was lost, and the repeated executions are no more than failed attempts explain
 */
async function proveDeliveries(context: CheckContext): Promise<boolean> {
	const { report, counter } = context;
	const { main, webhooks, workers } = context.cluster;
	const workflow = await addCountingWorkflow(main, counter, 'lastNode');
	const [{ events: sent, failures }] = await deliver(context, [workflow], options.events, [
		[0.25, () => crash(report, workers[0])],
		[0.55, () => crash(report, webhooks[0])],
	]);
	const { events, executed, extra } = countExecutions(sent, counter);
	// What was answered 503 has reached no n8n.
	const mostExtra = totalOf(failures) - (failures.get('HTTP 503') ?? 0);
	const table = tableOf([
		['events', events],
		['attempts that failed and were repeated', countsOf(failures)],
		['events executed at least once', executed],
		['events lost', events - executed],
		['executions beyond the first of an event', `${extra} (at most ${mostExtra})`],
	]);
	report(table);
	return executed === events && extra <= mostExtra;
}
