import type { RunContext } from '../../harness/scenario/sandboxFixture.ts';
import { UserError } from '../../harness/tools/errors.ts';
import { choosePort } from '../../harness/tools/ports.ts';
import type { Reporter } from '../../harness/tools/terminal.ts';
import { installationSteps } from '../installation.ts';
import { usualN8nPort, usualSandboxPort } from '../ports.ts';
import { stepsOf } from '../step.ts';
import { emptyFolder, lockFolder, readSettings } from './folder.ts';
import * as lines from './lines.ts';
import { type StartedN8n, startN8n } from './n8n.ts';
import type { StartOptions } from './options.ts';
import { startSandbox } from './sandbox.ts';

/** What to do when the data of earlier starts cannot be used. */
const startAfresh =
	'Start afresh with `npm start -- --reset`: it deletes the workflows, credentials and data of earlier starts.';

/** Brings everything up, and prints where it is and what to do next. Throws when a step fails. */
export async function runSteps(
	reporter: Reporter,
	run: RunContext,
	{ reset, ...options }: StartOptions,
): Promise<StartedN8n> {
	run.cleanup.defer(await lockFolder(run.folder));
	const sandboxPort = await choosePort(options.sandboxPort, usualSandboxPort);
	const n8nPort = await choosePort(options.n8nPort, usualN8nPort);
	if (reset) await emptyFolder(run.folder);
	const settings = await readSettings(run.folder).catch((cause: unknown) => {
		throw new UserError('The settings of earlier starts cannot be read', startAfresh, { cause });
	});

	const step = stepsOf(reporter);
	await installationSteps(reporter, step, run);
	const sandbox = await step('The sandbox: a card platform and a small company', {
		work: () => startSandbox(run, sandboxPort, settings),
		fix: startAfresh,
		lines: lines.ofSandbox,
	});
	const n8n = await step('n8n', {
		work: () => startN8n(run, n8nPort, settings),
		fix: `See what the log says. ${startAfresh}`,
		lines: lines.ofN8n,
	});
	reporter.line();
	for (const line of lines.ofPlaces(n8n, sandbox, settings)) reporter.line(line);
	return n8n;
}
