import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startAutomation } from '../harness/scenario/automation.ts';
import { readTheLog } from '../harness/scenario/purchase.ts';
import { startSandboxFixture, useOtherFile } from '../harness/scenario/sandboxFixture.ts';
import { commandLine } from '../harness/tools/commandLine.ts';
import { removeFolder, type RunContext } from '../harness/tools/folders.ts';
import { choosePort } from '../harness/tools/ports.ts';
import { runProgram } from '../harness/tools/program.ts';
import { type Report, seconds } from '../harness/tools/report.ts';
import { forgedDelivery, ordinaryPurchase, suspiciousPurchase, timelineOf } from './scenario.ts';
import {
	installationSteps,
	portOption,
	stayUp,
	stepsOf,
	usualN8nPort,
	usualSandboxPort,
} from './steps.ts';

const options = commandLine(
	'npm run demo --',
	'Shows how a signed card event freezes a card, in a real n8n on this machine; stays up until Ctrl-C.',
)
	.option('--once', 'end after the demo (exit code 0, or 1 if a step fails)')
	.option('--n8n-port <port>', 'default: 5678, or any free port if that is taken', portOption)
	.option('--sandbox-port <port>', 'default: 4010, or any free port if that is taken', portOption)
	.option('--keep-folder', "leave n8n's data and log behind, and say where")
	.parse()
	.opts();

await runProgram(async ({ report, cleanup, signal }) => {
	const started = performance.now();
	const folder = await mkdtemp(join(tmpdir(), 'card-platform-demo-'));
	if (!options.keepFolder) cleanup.defer(() => removeFolder(folder));
	try {
		const n8n = await runSteps(report, { folder, cleanup, signal });
		report(`\nIt works, in ${seconds(performance.now() - started)}.`);
		if (options.once) return;
		report('Everything stays up; Ctrl-C ends it.');
		await stayUp(n8n.process, signal, 'Run it with --keep-folder and read its log.');
	} finally {
		report('\nEnding everything.');
		await cleanup.disposeAsync();
		report('Everything that was started has ended.');
		report(options.keepFolder ? `Left behind: ${folder}` : 'Nothing is left behind.');
	}
});

/** Brings everything up and shows what happens. Returns n8n; throws when a step fails. */
async function runSteps(report: Report, run: RunContext) {
	const step = stepsOf(report);
	await installationSteps(report, step, run);
	const company = await step('The sandbox: a card platform and a small company', {
		work: async () =>
			startSandboxFixture(run, { port: await choosePort(options.sandboxPort, usualSandboxPort) }),
		fix: useOtherFile,
		lines: ({ sandbox, api, account, cards }) => [
			`dashboard at ${sandbox.url}/dashboard, Base URL ${api.url}`,
			`${account.name} has ${cards.length} cards`,
		],
	});
	const { n8n, automation } = await step('n8n with the workflow', {
		work: async () =>
			startAutomation(run, company, await choosePort(options.n8nPort, usualN8nPort)),
		fix: 'See what the log says. Remove dev/n8n/pinned/node_modules to have n8n installed again.',
		lines: ({ n8n, automation: { workflowId } }) => [
			`"Auto-freeze on suspicious event" at ${n8n.url}/workflow/${workflowId}`,
			`sign in as ${n8n.owner.email} with the password ${n8n.owner.password}`,
			`n8n's log is ${n8n.process.logFile}`,
		],
	});
	const environment = { company, automation, signal: run.signal };
	await step('An ordinary purchase: nothing may happen', {
		work: () => ordinaryPurchase(environment),
		fix: readTheLog,
		lines: timelineOf,
	});
	const suspicious = await step('A suspicious purchase: the card is frozen', {
		work: () => suspiciousPurchase(environment),
		fix: readTheLog,
		lines: timelineOf,
	});
	await step('A forged event: it is rejected', {
		work: () => forgedDelivery(environment, suspicious),
		fix: readTheLog,
		lines: (lines) => lines,
	});
	return n8n;
}
