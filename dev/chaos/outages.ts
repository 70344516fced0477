import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import type { N8n } from '../harness/n8n/n8n.ts';
import { nodeProgram, repositoryFolder } from '../harness/tools/paths.ts';
import { lastLines, runProcess } from '../harness/tools/processes.ts';
import { waitUntil } from '../harness/tools/waiting.ts';
import { type CheckContext, restartExited } from './cluster.ts';
import { countExecutions, waitUntilIdle } from './counter.ts';
import { addCountingWorkflow, type CountingWorkflow } from './countingWorkflow.ts';
import { deliver } from './deliver.ts';
import type { Service } from './service.ts';
import { countsOf, tableOf } from './table.ts';

const offMs = 20_000;

/** Share of the events that may be lost without an execution that says so: it depends on the moment. */
const mostUnnamed = 0.02;

/**
 * Turns PostgreSQL, and then Redis, off for 20 s during deliveries to two workflows, and repairs what that
 * broke as docs/scaling.md says.
 *
 * @param count how many events each workflow gets in each outage
 * @returns whether the workflow that responds at its end lost nothing, and nearly each event that the other one still lacks after the repair has an execution that could not be retried
 */
export async function proveOutages(context: CheckContext, count: number): Promise<boolean> {
	const { report, cluster, counter } = context;
	const immediately = await addCountingWorkflow(cluster.main, counter, 'onReceived');
	const lastNode = await addCountingWorkflow(cluster.main, counter, 'lastNode');
	let isProven = true;
	for (const service of [cluster.postgres, cluster.redis]) {
		const since = new Date().toISOString();
		const [first, second] = await deliver(context, [immediately, lastNode], count, [
			[0.5, () => switchOff(context, service)],
		]);
		// A process that was about to exit when the service came back.
		await restartExited(cluster);
		await waitUntilIdle(counter, 15_000);
		const before = countExecutions(first.events, counter);
		const redelivered = countExecutions(second.events, counter);

		const { failed, summary } = await repair(cluster.main, immediately, since);
		const after = countExecutions(first.events, counter);
		const lost = after.events - after.executed;
		report(
			tableOf([
				[`events of each workflow while ${service.name} was off for 20 s`, count],
				['Immediately: lost', before.events - before.executed],
				['Immediately: lost after the repair', lost],
				['Immediately: executions beyond the first of an event, after the repair', after.extra],
				['Immediately: attempts that failed and were repeated', countsOf(first.failures)],
				['Immediately: the repair says', summary],
				['When Last Node Finishes: lost', redelivered.events - redelivered.executed],
				['When Last Node Finishes: executions beyond the first of an event', redelivered.extra],
				['When Last Node Finishes: attempts that failed', countsOf(second.failures)],
			]),
		);
		const isKept =
			redelivered.executed === redelivered.events && lost <= failed + count * mostUnnamed;
		isProven &&= isKept;
	}
	return isProven;
}

async function switchOff({ report, cluster }: CheckContext, service: Service): Promise<void> {
	await service.stop();
	report(`   ${service.name} is off`);
	await pause(offMs);
	await service.start();
	const restarted = await restartExited(cluster);
	report(
		`   ${service.name} is on again; ${restarted} processes of n8n had exited, and were restarted`,
	);
}

/**
 * The runbook of docs/scaling.md: restarts main, which marks what hangs as crashed, and retries that.
 *
 * @returns how many executions could not be retried, and what the script says at last
 */
async function repair(main: N8n, { id }: CountingWorkflow, since: string) {
	await main.stop();
	await main.start();
	const filter = JSON.stringify({ workflowId: id, status: ['new', 'running'] });
	const isMarked = async () => {
		const path = `/rest/executions?filter=${filter}`;
		const { data } = await main.getJson<{ data: { results: unknown[] } }>(path);
		return data.results.length === 0;
	};
	await waitUntil(isMarked, { what: 'crashed executions', withinMs: 120_000, everyMs: 1_000 });
	const script = join(repositoryFolder, 'docs', 'retry-executions.mjs');
	const args = ['--n8n', main.url, '--workflow', id, '--since', since, '--retry'];
	const env = { N8N_API_KEY: main.apiKey };
	let output = '';
	const onOutput = (text: string) => (output += text);
	// It fails when it could not retry everything.
	await runProcess(nodeProgram, [script, ...args], { env, onOutput }).catch(() => undefined);
	const [, repaired, all] = /^(\d+) of (\d+) executions were retried/m.exec(output) ?? [];
	if (all === undefined) throw new Error(`The script did not finish: ${output}`);
	return { failed: Number(all) - Number(repaired), summary: lastLines(output, 1) };
}
