import { join } from 'node:path';
import { installN8n } from '../harness/n8n/install.ts';
import { forgedDelivery, ordinaryPurchase, suspiciousPurchase } from './scenario.ts';
import { readTheLog } from '../harness/scenario/purchase.ts';
import { packAndInstall } from '../harness/n8n/package.ts';
import type { N8n } from '../harness/n8n/n8n.ts';
import { type TestEnvironment, startAutomation } from '../harness/scenario/automation.ts';
import {
	startSandboxFixture,
	type RunContext,
	useOtherFile,
} from '../harness/scenario/sandboxFixture.ts';
import { choosePort } from '../harness/tools/ports.ts';
import { errorMessage, Problem } from '../harness/tools/problem.ts';
import { seconds, type Teller, withProgress } from '../harness/tools/terminal.ts';
import type { DemoOptions } from './options.ts';
import * as lines from './storyLines.ts';

const usualSandboxPort = { usual: 4010, flag: '--sandbox-port' };
const usualN8nPort = { usual: 5678, flag: '--n8n-port' };

/** Everything that the demo has started. */
export type Demo = TestEnvironment & { n8n: N8n };

/** Brings everything up and tells the whole story. Gives what is up; throws when a step fails. */
export async function tellStory(
	tell: Teller,
	context: RunContext,
	options: DemoOptions,
): Promise<Demo> {
	const step = stepsOf(tell);
	tell.line('A signed card event freezes a card, in a real n8n on this machine.');

	await step('n8n in n8n/', {
		work: () => installN8n({ tell, signal: context.signal }),
		fix: 'Check that npm reaches its registry, that GitHub is reachable or a C++ compiler is there (for SQLite), and that 3 GB of disk are free; then run it again.',
		showsProgress: true,
		lines: lines.ofInstallation,
	});
	await step('The package, as n8n installs it', {
		work: () => packAndInstall(join(context.folder, 'n8n'), context.signal),
		fix: 'Run `npm run build` and `npm pack` by themselves and see what they say.',
		lines: lines.ofPackage,
	});
	const company = await step('The sandbox: a card platform and a small company', {
		work: async () => {
			const port = await choosePort(options.sandboxPort, usualSandboxPort);
			return startSandboxFixture(context, { db: options.db, port });
		},
		fix: useOtherFile,
		lines: lines.ofCompany,
	});
	const { n8n, automation } = await step('n8n with the workflow', {
		work: async () => {
			const port = await choosePort(options.n8nPort, usualN8nPort);
			return startAutomation(context, company, port);
		},
		fix: 'See what the log says. Remove n8n/node_modules to have n8n installed again.',
		lines: ({ automation }) => lines.ofAutomation(automation),
	});

	const stage = { n8n, company, automation, signal: context.signal };
	const ordinary = await step('An ordinary purchase: nothing may happen', {
		work: () => ordinaryPurchase(stage),
		fix: readTheLog,
		lines: lines.ofOutcome,
	});
	const suspicious = await step('A suspicious purchase: the card is frozen', {
		work: () => suspiciousPurchase(stage),
		fix: readTheLog,
		lines: lines.ofOutcome,
	});
	await step('A forged event: it is turned away', {
		work: () => forgedDelivery(stage, [ordinary, suspicious]),
		fix: readTheLog,
		lines: lines.ofForgery,
	});
	return stage;
}

interface Step<T> {
	work: () => Promise<T>;
	/** What to do when it fails for a reason that does not say so itself. */
	fix: string;
	/** What came of it. */
	lines: (result: T) => string[];
	/** The work tells by itself how far it is. */
	showsProgress?: boolean;
}

function stepsOf(tell: Teller): <T>(title: string, step: Step<T>) => Promise<T> {
	let number = 0;
	return async (title, { work, fix, lines: linesOf, showsProgress = false }) => {
		const started = performance.now();
		const elapsed = () => seconds(performance.now() - started);
		tell.line();
		tell.line(`${++number}. ${title}`);
		const result = await (
			showsProgress
				? work()
				: withProgress(() => tell.progress(`   … still at it, ${elapsed()}`), work)
		).catch((error: unknown) => {
			const whatToDo = error instanceof Problem ? error.fix : fix;
			throw new Problem(`Step ${number} failed: ${errorMessage(error)}`, whatToDo);
		});
		for (const line of linesOf(result)) tell.line(`   ${line}`);
		tell.line(`   (${elapsed()})`);
		return result;
	};
}
