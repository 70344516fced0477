import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { N8n } from '../../harness/n8n/n8n.ts';
import { packAndInstall } from '../../harness/n8n/package.ts';
import { newId } from '../../harness/n8n/workflow.ts';
import type { Cleanup } from '../../harness/tools/cleanup.ts';
import { commandLine, integer } from '../../harness/tools/commandLine.ts';
import { type Reporter, seconds } from '../../harness/tools/terminal.ts';
import { startBalancer } from '../queue/balancer.ts';
import { startCounter } from '../queue/counter.ts';
import { addCountingWorkflow, type ResponseMode } from '../queue/countingWorkflow.ts';
import { respondOption, responseModeOf } from '../queue/options.ts';
import { runScript, type Script } from '../queue/script.ts';
import { type ActionResult, isSumRight, runFreezes, runTransfers } from './actions.ts';
import { type CrashResult, deliverThroughCrashes } from './crash.ts';
import { addCredential, createCards, type FaultySandbox, startSandbox } from './sandbox.ts';
import { freezes, transfers } from './workflows.ts';

const { items, deliveries, respond } = commandLine(
	'npm run test:faults --',
	'Transfers and freezes while every fifth request fails, and deliveries while n8n is killed, in a real n8n.',
)
	.option('--items <number>', 'how many transfers, and how many freezes', integer(1), 500)
	.option('--deliveries <number>', 'how many deliveries', integer(3), 1_000)
	.addOption(respondOption)
	.parse()
	.opts();

await runScript(async (script) => {
	const isKept = await run(script, items, deliveries, responseModeOf(respond));
	script.reporter.line(isKept ? 'Every promise was kept.' : 'A promise is BROKEN.');
	return isKept;
});

async function run(
	{ reporter, cleanup }: Script,
	items: number,
	deliveries: number,
	responseMode: ResponseMode,
): Promise<boolean> {
	const folder = await mkdtemp(join(tmpdir(), 'card-platform-faults-'));
	cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
	const sandbox = await startSandbox(folder, cleanup);
	const counter = await startCounter(50);
	cleanup.defer(() => counter.stop());
	const cards = await createCards(sandbox, items);
	const n8n = await startN8n(folder, cleanup);
	const credential = await addCredential(n8n, sandbox);
	const lists = {
		transfers: transfers(credential, ...sandbox.accounts),
		freezes: freezes(credential),
	};
	for (const workflow of Object.values(lists)) await n8n.addAndPublish(workflow);
	const balancer = await startBalancer([n8n.url]);
	cleanup.defer(() => balancer.stop());
	const events = await addSubscribedWorkflow(n8n, sandbox, balancer.url, counter.url, responseMode);

	const moved = await runTransfers(n8n, sandbox, lists.transfers, items);
	reportAction(reporter, 'Transfers', moved);
	const [firstCard = ''] = cards;
	const crashed = await deliverThroughCrashes(
		n8n,
		sandbox,
		events,
		firstCard,
		counter,
		deliveries,
		(text) => reporter.line(text),
	);
	reportCrash(reporter, crashed);
	const frozen = await runFreezes(n8n, sandbox, lists.freezes, cards);
	reportAction(reporter, 'Freezes', frozen);
	const isRight = await isSumRight(sandbox, items);
	reporter.line(`Balances: differ by exactly the sum of all transfers: ${isRight ? 'yes' : 'NO'}`);
	return isDone(moved) && isDone(frozen) && isThrough(crashed) && isRight;
}

async function startN8n(folder: string, cleanup: Cleanup): Promise<N8n> {
	const userFolder = join(folder, 'n8n');
	await packAndInstall(userFolder);
	const n8n = await N8n.prepare({ userFolder });
	cleanup.defer(() => n8n.stop());
	await n8n.start();
	return n8n;
}

/** Gives n8n the counting workflow, with the secret that the sandbox signs its deliveries with. */
async function addSubscribedWorkflow(
	n8n: N8n,
	{ control, accounts }: FaultySandbox,
	publicUrl: string,
	counterUrl: string,
	responseMode: ResponseMode,
) {
	const webhookId = newId();
	const url = `${publicUrl}/webhook/${webhookId}/webhook`;
	const subscription = await control.subscribe(accounts[0], url);
	await addCountingWorkflow(n8n, counterUrl, {
		responseMode,
		secret: subscription.signingSecret,
		webhookId,
	});
	return subscription;
}

function isDone({ wanted, done, status }: ActionResult): boolean {
	return done === wanted && status === 'success';
}

function isThrough({ events, executed, extra, mostExtra }: CrashResult): boolean {
	return executed === events && extra <= mostExtra;
}

function reportAction(
	reporter: Reporter,
	name: string,
	{ wanted, done, status, faults, tookMs }: ActionResult,
): void {
	const total = [...faults.values()].reduce((sum, count) => sum + count, 0);
	const kinds = [...faults].map(([kind, count]) => `${kind}: ${count}`).join(', ');
	reporter.line(`${name}: ${done} of ${wanted} done; execution: ${status}; ${seconds(tookMs)}`);
	reporter.line(`   requests that failed on purpose, each tried again: ${total} (${kinds})`);
}

function reportCrash(reporter: Reporter, result: CrashResult): void {
	const { events, executed, extra, mostExtra, failedAttempts, kills, tookMs } = result;
	reporter.line(
		`Deliveries: ${executed} of ${events} executed, n8n killed ${kills} times; ${seconds(tookMs)}`,
	);
	reporter.line(`   attempts that failed and were repeated by the sandbox: ${failedAttempts}`);
	reporter.line(`   executions beyond the first of an event: ${extra} (at most ${mostExtra})`);
}
