import type { N8n } from '../harness/n8n/n8n.ts';
import { type DemoEnvironment, startAutomation } from '../harness/scenario/automation.ts';
import { readTheLog } from '../harness/scenario/purchase.ts';
import {
	type RunContext,
	startSandboxFixture,
	useOtherFile,
} from '../harness/scenario/sandboxFixture.ts';
import { choosePort } from '../harness/tools/ports.ts';
import type { Reporter } from '../harness/tools/terminal.ts';
import { installationSteps } from './installation.ts';
import type { DemoOptions } from './options.ts';
import { usualN8nPort, usualSandboxPort } from './ports.ts';
import { forgedDelivery, ordinaryPurchase, suspiciousPurchase } from './scenario.ts';
import { stepsOf } from './step.ts';
import * as lines from './stepLines.ts';

/** Everything that the demo has started. */
export type Demo = DemoEnvironment & { n8n: N8n };

/** Brings everything up and tells the whole story. Gives what is up; throws when a step fails. */
export async function runSteps(
	reporter: Reporter,
	run: RunContext,
	options: DemoOptions,
): Promise<Demo> {
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
		work: async () => {
			const port = await choosePort(options.n8nPort, usualN8nPort);
			return startAutomation(run, company, port);
		},
		fix: 'See what the log says. Remove n8n/node_modules to have n8n installed again.',
		lines: ({ automation }) => lines.ofAutomation(automation),
	});

	const environment = { n8n, company, automation, signal: run.signal };
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
	return environment;
}
