import { randomBytes } from 'node:crypto';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { install } from '../../harness/n8n/package.ts';
import type { N8nProcess } from '../../harness/n8n/process.ts';
import { webhookPathOf } from '../../harness/n8n/workflow.ts';
import { realisticEvent } from '../../harness/scenario/realisticEvent.ts';
import { npm } from '../../harness/tools/npm.ts';
import { VERSION } from '../../nodes/CardPlatform/events/log.ts';
import type { Balancer } from '../lib/balancer.ts';
import type { CheckContext } from '../lib/check.ts';
import { type Counter, countExecutions } from '../lib/counter.ts';
import { countingWorkflow } from '../lib/countingWorkflow.ts';
import { countsOf, tableOf, totalOf } from '../lib/table.ts';
import type { Cluster } from './cluster.ts';
import { sendAll } from './sender.ts';

const nextVersion = `${VERSION}-next.1`;

/** As in docs/compose.queue.yml: longer than n8n's own limit, so that it is never killed at work. */
const graceMs = 75_000;

const inFlight = 10;

const packedSchema = z.tuple([z.object({ filename: z.string() })]);

/**
 * Upgrades all processes to another version of the packed package, one after the other, in the order of
 * docs/scaling.md, while events are delivered: each webhook processor is taken out of the proxy first, and
 * both of them for main. When main starts, n8n may mark an execution that is just being queued as crashed,
 * and respond with 200.
 *
 * @returns whether no event was lost, each delivery that failed found no processor, and both have logged both versions
 */
export async function proveUpgrade(
	{ reporter, folder }: CheckContext,
	{ main, webhooks, workers }: Cluster,
	counter: Counter,
	balancer: Balancer,
): Promise<boolean> {
	const nodes = await installNext(main.process, folder);
	const secret = randomBytes(24).toString('hex');
	const signing = await main.addCredential('cardPlatformWebhookApi', { signingSecret: secret });
	const workflow = countingWorkflow(counter, 'lastNode', signing);
	await main.addAndPublish(workflow);

	const ids: string[] = [];
	let isOver = false;
	function* events() {
		while (!isOver) {
			const event = realisticEvent();
			ids.push(event.id);
			yield { event, twin: false };
		}
	}
	const url = `${balancer.url}/webhook/${webhookPathOf(workflow)}`;
	const sending = sendAll(events(), { url, secret, inFlight, onDelivered: () => undefined });
	// A failure is reported where it is awaited: until then, it must not end the process.
	sending.catch(() => undefined);
	const replace = async (process: N8nProcess) => {
		await process.stop(graceMs);
		const installed = nodesOf(process.userFolder);
		await rm(installed, { recursive: true });
		await cp(nodes, installed, { recursive: true });
	};
	try {
		for (const { process } of workers) {
			await replace(process);
			await process.start();
		}
		for (const { process } of webhooks) {
			await balancer.drain(process.url);
			await replace(process);
			await process.start();
			balancer.resume(process.url);
		}
		for (const { process } of webhooks) await balancer.drain(process.url);
		await replace(main.process);
		await main.start();
		for (const { process } of webhooks) balancer.resume(process.url);
	} finally {
		isOver = true;
	}
	const { failures } = await sending;

	const { events: sent, executed, extra } = countExecutions(ids, counter);
	const logs = await Promise.all(webhooks.map(({ process }) => readFile(process.logFile, 'utf8')));
	const versions = logs.map((log) => log.match(/(?<=Card Platform nodes )[\w.-]+/g) ?? []);
	reporter.line(
		tableOf([
			['events while all processes were upgraded, one after the other', sent],
			['events lost', sent - executed],
			['executions beyond the first of an event', extra],
			['attempts that failed and were repeated', countsOf(failures)],
			['versions that the webhook processors have logged', versions.join(' and ')],
		]),
	);
	const isUpgraded = versions.every((each) => each[0] === VERSION && each.at(-1) === nextVersion);
	return executed === sent && totalOf(failures) === (failures.get('HTTP 503') ?? 0) && isUpgraded;
}

const nodesOf = (userFolder: string) => join(userFolder, '.n8n', 'nodes');

/** Packs the installed package once more with another version. Gives a folder as n8n has it after installing that. */
async function installNext({ userFolder }: N8nProcess, folder: string): Promise<string> {
	const source = join(folder, 'next');
	const installed = join(nodesOf(userFolder), 'node_modules', 'n8n-nodes-card-platform');
	await cp(installed, source, { recursive: true });
	for (const file of ['package.json', 'dist/nodes/CardPlatform/events/log.js']) {
		const path = join(source, file);
		const text = await readFile(path, 'utf8');
		await writeFile(path, text.replace(VERSION, nextVersion));
	}
	const output = await npm(['pack', '--json', '--pack-destination', folder], { cwd: source });
	const [{ filename }] = packedSchema.parse(JSON.parse(output));
	const target = join(folder, 'upgraded');
	await install(join(folder, filename), target);
	return nodesOf(target);
}
