import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import type { N8nClient } from '../../harness/n8n/client.ts';
import type { Execution } from '../../harness/n8n/executions.ts';
import {
	cardPlatform,
	node,
	triggerNode,
	webhookPathOf,
	type Workflow,
	workflowOf,
} from '../../harness/n8n/workflow.ts';
import { addApiCredential } from '../../harness/scenario/automation.ts';
import { type SandboxFixture, startSandboxFixture } from '../../harness/scenario/sandboxFixture.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import type { CheckContext } from '../lib/check.ts';
import type { Counter } from '../lib/counter.ts';
import { countNode } from '../lib/countingWorkflow.ts';
import { planCrashes } from '../lib/crashes.ts';
import { tableOf, totalOf } from '../lib/table.ts';
import type { Balancer } from './balancer.ts';
import type { Cluster, Member } from './cluster.ts';
import { sendAll } from './sender.ts';

/** One delivery of this many never reaches n8n. */
const dropEvery = 5;

const inFlight = 20;

/**
 * Share of the delivered events that a poll may repeat: two workers that record events at the same moment
 * overwrite each other's (docs/scaling.md). Without a shared memory, it would repeat all of them.
 */
const mostPolledAgain = 0.25;

/** Polls only when the workflow is published: not within the next half hour. */
function pollTimesFarAhead() {
	const minute = (new Date().getMinutes() + 30) % 60;
	return { item: [{ mode: 'everyHour', minute }] };
}

interface Identified {
	id: string;
}

/** Events of purchases, by whether their delivery reaches n8n. */
interface Events {
	delivered: Identified[];
	dropped: Identified[];
}

/**
 * Delivers events, without each fifth, and kills a worker during that. Then makes n8n poll once: the poll
 * finds all events, as it does not know which were delivered.
 *
 * @returns whether no event was lost, and the poll repeated no more than the workers' overlaps explain
 */
export async function proveBothTriggers(
	run: CheckContext,
	{ main, workers }: Cluster,
	counter: Counter,
	{ balancer, count }: { balancer: Balancer; count: number },
): Promise<boolean> {
	const { reporter } = run;
	const company = await startSandboxFixture(run);
	const secret = randomBytes(24).toString('hex');
	const signing = await main.addCredential('cardPlatformWebhookApi', { signingSecret: secret });
	const polling = node('Polling', cardPlatform.pollingTrigger, {
		credential: await addApiCredential(main, company, { readOnly: true }),
		parameters: { pollTimes: pollTimesFarAhead() },
	});
	const done = countNode(`${counter.url}/{{ $json.id }}/{{ $json.delivery.source }}`);
	const webhook = triggerNode('Webhook', signing, { responseMode: 'lastNode' });
	const workflow = workflowOf(
		'Both triggers',
		[webhook, polling, done],
		[
			['Webhook', 'Count'],
			['Polling', 'Count'],
		],
	);
	await main.addAndPublish(workflow);
	const events = await makePurchases(company, count);
	const { delivered, dropped } = events;
	const crashes = planCrashes(reporter, [[Math.floor(delivered.length / 2), workers[1]]]);
	const { failures } = await sendAll(delivered, {
		balancer,
		path: `webhook/${webhookPathOf(workflow)}`,
		secret,
		inFlight,
		onDelivered: crashes.onDelivered,
	});
	await crashes.over();
	const polled = await pollOnce(main, workflow);
	const places = await workersOf(polled, workers);

	const { lost, caughtUp, repeated, polledAgain } = compare(events, counter);
	const attempts = totalOf(failures);
	const table = tableOf([
		['events of a workflow with both triggers', count],
		['deliveries that never arrived', dropped.length],
		['of these, executed once, by polling', caughtUp],
		['events lost', lost],
		['executions repeated with a failed attempt', `${repeated} (at most ${attempts})`],
		['delivered events executed again by polling', `${polledAgain} of ${delivered.length}`],
		['the execution of the poll ran on', places.join(', ')],
	]);
	reporter.line(table);
	return (
		lost === 0 &&
		caughtUp === dropped.length &&
		repeated <= attempts &&
		polledAgain <= delivered.length * mostPolledAgain &&
		places.length === 1
	);
}

async function makePurchases({ sandbox, active }: SandboxFixture, count: number): Promise<Events> {
	const events: Events = { delivered: [], dropped: [] };
	for (let index = 0; index < count; index++) {
		const { id: cardId } = active[index % 2 === 0 ? 0 : 1];
		const purchase = { cardId, amount: '1.00', merchantName: 'Bakery' };
		const { event } = await sandbox.authorize(purchase);
		(index % dropEvery === 0 ? events.dropped : events.delivered).push(event);
	}
	return events;
}

function compare({ delivered, dropped }: Events, { done }: Counter) {
	const byWebhook = ({ id }: Identified) => done.get(`${id}/webhook`) ?? 0;
	const byPolling = ({ id }: Identified) => done.get(`${id}/polling`) ?? 0;
	const all = [...delivered, ...dropped];
	return {
		lost: all.filter((event) => byWebhook(event) + byPolling(event) === 0).length,
		caughtUp: dropped.filter((event) => byPolling(event) === 1).length,
		repeated: delivered.reduce((sum, event) => sum + Math.max(byWebhook(event) - 1, 0), 0),
		polledAgain: delivered.filter((event) => byWebhook(event) > 0 && byPolling(event) > 0).length,
	};
}

/**
 * Makes n8n poll: it does when a changed trigger is published.
 *
 * @returns the execution that the poll started
 */
async function pollOnce(n8n: N8nClient, { id }: Workflow): Promise<Execution> {
	const { nodes, connections } = await n8n.workflow(id);
	const changed = nodes.map((each) =>
		each.name === 'Polling'
			? { ...each, parameters: { pollTimes: pollTimesFarAhead(), options: { lookBack: 7 } } }
			: each,
	);
	await n8n.changeWorkflow(id, { nodes: changed, connections });
	await n8n.publish(id);
	return await waitUntil(
		async () =>
			(await n8n.executions(id)).find(({ nodes: ran }) =>
				ran.some(({ name, items }) => name === 'Polling' && items.length > 0),
			),
		{ what: 'the execution that the poll starts', withinMs: 120_000, everyMs: 1_000 },
	);
}

/** Names the workers that executed an execution, by their logs. */
async function workersOf({ id }: Execution, workers: Member[]): Promise<string[]> {
	const logs = await Promise.all(workers.map(({ process }) => readFile(process.logFile, 'utf8')));
	const line = `Worker started execution ${id} `;
	return workers.filter((_, index) => logs[index]?.includes(line)).map(({ name }) => name);
}
