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
import { type Reporter, seconds } from '../harness/tools/terminal.ts';
import * as lines from './lines.ts';
import { forgedDelivery, ordinaryPurchase, suspiciousPurchase } from './scenario.ts';
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
	.option('--db <file>', "keep the sandbox's data in a file (default: gone with the demo)")
	.option('--n8n-port <port>', 'default: 5678, or any free port if that is taken', portOption)
	.option('--sandbox-port <port>', 'default: 4010, or any free port if that is taken', portOption)
	.option('--keep-folder', "leave n8n's data and log behind, and say where")
	.parse()
	.opts();

await runProgram(async ({ reporter, cleanup, signal }) => {
	const started = performance.now();
	const folder = await mkdtemp(join(tmpdir(), 'card-platform-demo-'));
	try {
		const { n8n, company, automation } = await runSteps(reporter, { folder, cleanup, signal });
		reporter.line(`\nIt works, in ${seconds(performance.now() - started)}.`);
		if (options.once) return;
		reporter.line('Everything stays up; Ctrl-C ends it.\n');
		for (const line of lines.ofPlaces(n8n, company, automation)) reporter.line(`   ${line}`);
		await stayUp(n8n.process, signal, 'Run it with --keep-folder and read its log.');
	} finally {
		reporter.line();
		reporter.progress('Ending everything');
		try {
			await cleanup.disposeAsync();
		} finally {
			if (!options.keepFolder) await removeFolder(folder);
		}
		reporter.line('Everything that was started has ended.');
		reporter.line(options.keepFolder ? `Left behind: ${folder}` : 'Nothing is left behind.');
	}
});

/** Brings everything up and tells the whole story. Gives what is up; throws when a step fails. */
async function runSteps(reporter: Reporter, run: RunContext) {
	const step = stepsOf(reporter);
	reporter.line('A signed card event freezes a card, in a real n8n on this machine.');

	await installationSteps(reporter, step, run);
	const company = await step('The sandbox: a card platform and a small company', {
		work: async () => {
			const port = await choosePort(options.sandboxPort, usualSandboxPort);
			return startSandboxFixture(run, { db: options.db, port });
		},
		fix: useOtherFile,
		lines: lines.ofCompany,
	});
	const { n8n, automation } = await step('n8n with the workflow', {
		work: async () =>
			startAutomation(run, company, await choosePort(options.n8nPort, usualN8nPort)),
		fix: 'See what the log says. Remove n8n/node_modules to have n8n installed again.',
		lines: ({ automation }) => lines.ofAutomation(automation),
	});

	const environment = { company, automation, signal: run.signal };
	const ordinary = await step('An ordinary purchase: nothing may happen', {
		work: () => ordinaryPurchase(environment),
		fix: readTheLog,
		lines: lines.ofOutcome,
	});
	const suspicious = await step('A suspicious purchase: the card is frozen', {
		work: () => suspiciousPurchase(environment),
		fix: readTheLog,
		lines: lines.ofOutcome,
	});
	await step('A forged event: it is rejected', {
		work: () => forgedDelivery(environment, [ordinary, suspicious]),
		fix: readTheLog,
		lines: lines.ofForgery,
	});
	return { n8n, company, automation };
}
