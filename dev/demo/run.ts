import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import getPort from 'get-port';

import { startAutomation } from '../harness/scenario/automation.ts';
import { startSandboxFixture } from '../harness/scenario/sandboxFixture.ts';
import { commandLine } from '../harness/tools/commandLine.ts';
import { removeFolder, type RunContext } from '../harness/tools/folders.ts';
import { type Report, runProgram, seconds } from '../harness/tools/program.ts';
import { forgedDelivery, ordinaryPurchase, suspiciousPurchase } from './scenario.ts';
import { installationSteps, stayUp, stepsOf, usualPorts } from './steps.ts';

const options = commandLine(
	'npm run demo --',
	'Shows how a signed card event freezes a card, in a real n8n on this machine; stays up until Ctrl-C.',
)
	.option('--once', 'end after the demo (exit code 0, or 1 if a step fails)')
	.parse()
	.opts();

await runProgram(async ({ report, cleanup, signal }) => {
	const started = performance.now();
	const folder = await mkdtemp(join(tmpdir(), 'card-platform-demo-'));
	let hasFailed = true;
	cleanup.defer(async () => {
		report('\nEverything that was started has ended.');
		// After a failure, a person reads n8n's log.
		if (hasFailed && !signal.aborted) return;
		await removeFolder(folder);
		report('Nothing is left behind.');
	});
	const n8n = await runSteps(report, { folder, cleanup });
	report(`\nIt works, in ${seconds(performance.now() - started)}.`);
	if (!options.once) {
		report('Everything stays up; Ctrl-C ends it.');
		await stayUp(n8n.process);
	}
	hasFailed = false;
});

/** Brings everything up and shows what happens. Returns n8n; throws when a step fails. */
async function runSteps(report: Report, run: RunContext) {
	const step = stepsOf(report, `Read ${join(run.folder, 'n8n', 'n8n.log')}.`);
	await installationSteps(report, step, run);
	const company = await step('The sandbox: a card platform and a small company', async () => {
		return startSandboxFixture(run, { port: await getPort({ port: usualPorts.sandbox }) });
	});
	const { sandbox, api, account, cards } = company;
	report(`   dashboard at ${sandbox.url}/dashboard, Base URL ${api.url}`);
	report(`   ${account.name} has ${cards.length} cards`);

	const { n8n, automation } = await step('n8n with the workflow', async () => {
		return startAutomation(run, company, await getPort({ port: usualPorts.n8n }));
	});
	const { url, owner } = n8n;
	report(`   "Auto-freeze" at ${url}/workflow/${automation.workflowId}`);
	report(`   sign in as ${owner.email} with the password ${owner.password}`);

	const demo = { report, company, automation };
	await step('An ordinary purchase: nothing may happen', () => ordinaryPurchase(demo));
	const { event } = await step('A suspicious purchase: the card is frozen', () =>
		suspiciousPurchase(demo),
	);
	await step('A forged event: it is rejected', () => forgedDelivery(demo, event));
	return n8n;
}
