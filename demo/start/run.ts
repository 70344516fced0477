import { resolve } from 'node:path';

import { machineTimeZone } from '../../harness/n8n/environment.ts';
import { commandLine } from '../../harness/tools/commandLine.ts';
import { UserError } from '../../harness/tools/errors.ts';
import type { RunContext } from '../../harness/tools/folders.ts';
import { repositoryFolder } from '../../harness/tools/paths.ts';
import { choosePort } from '../../harness/tools/ports.ts';
import { runProgram } from '../../harness/tools/program.ts';
import type { Reporter } from '../../harness/tools/terminal.ts';
import {
	installationSteps,
	portOption,
	stayUp,
	stepsOf,
	usualN8nPort,
	usualSandboxPort,
} from '../steps.ts';
import { emptyFolder, lockFolder, readSettings, type Settings } from './folder.ts';
import { type StartedN8n, type StartedSandbox, startN8n, startSandbox } from './services.ts';

/** What to do when the data of earlier starts cannot be used. */
const startAfresh =
	'Start afresh with `npm start -- --reset`: it deletes the workflows, credentials and data of earlier starts.';

const options = commandLine(
	'npm start --',
	'Starts n8n with this package, the sandbox and an empty canvas; stays up until Ctrl-C. The next start continues where you left off.',
)
	.option('--reset', 'start afresh: delete the workflows, credentials and data of earlier starts')
	.option(
		'--n8n-port <port>',
		'part of every webhook URL: keep to one',
		portOption,
		usualN8nPort.usual,
	)
	.option(
		'--sandbox-port <port>',
		'part of the Base URL: keep to one',
		portOption,
		usualSandboxPort.usual,
	)
	.option(
		'--folder <folder>',
		'where workflows, credentials and data are kept',
		(folder) => resolve(folder),
		`${repositoryFolder}/.playground`,
	)
	.parse()
	.opts();

await runProgram(async ({ reporter, cleanup, signal }) => {
	const { folder } = options;
	try {
		const { process } = await runSteps(reporter, { folder, cleanup, signal });
		await stayUp(process, signal, `Read ${process.logFile}.`);
	} finally {
		reporter.line();
		reporter.progress('Ending n8n and the sandbox');
		await cleanup.disposeAsync();
	}
	reporter.line(`n8n and the sandbox have ended. Your workflows and data are in ${folder}.`);
});

/** Brings everything up, and prints where it is and what to do next. Throws when a step fails. */
async function runSteps(reporter: Reporter, run: RunContext): Promise<StartedN8n> {
	run.cleanup.defer(await lockFolder(run.folder));
	const sandboxPort = await choosePort(options.sandboxPort, usualSandboxPort);
	const n8nPort = await choosePort(options.n8nPort, usualN8nPort);
	if (options.reset) await emptyFolder(run.folder);
	const settings = await readSettings(run.folder).catch((cause: unknown) => {
		throw new UserError('The settings of earlier starts cannot be read', startAfresh, { cause });
	});

	const step = stepsOf(reporter);
	await installationSteps(reporter, step, run);
	const sandbox = await step('The sandbox: a card platform and a small company', {
		work: () => startSandbox(run, sandboxPort, settings),
		fix: startAfresh,
		lines: ({ counts: { accounts, cards } }) => [`${accounts} accounts, ${cards} cards`],
	});
	const n8n = await step('n8n', {
		work: () => startN8n(run, n8nPort, settings),
		fix: `See what the log says. ${startAfresh}`,
		lines: ({ process: { logFile } }) => [`its log is ${logFile}`],
	});
	reporter.line();
	for (const line of placesOf(n8n, sandbox, settings)) reporter.line(line);
	return n8n;
}

/** Where everything is, and what to do next. */
function placesOf(
	n8n: StartedN8n,
	{ dashboard, baseUrl, apiKey, accountId }: StartedSandbox,
	{ owner }: Settings,
): string[] {
	return [
		`n8n editor          ${n8n.url}/workflow/new`,
		`                    sign in as ${owner.email} with the password ${owner.password}`,
		`Time zone           ${machineTimeZone}`,
		`Dashboard           ${dashboard}`,
		`Base URL            ${baseUrl}`,
		`API Key             ${apiKey ?? 'the one that you generated in the dashboard'}`,
		'Key Scope           Customer',
		`Default Account ID  ${accountId}`,
		'',
		'Next: open the n8n editor. Build "Your first workflow" from README.md, or import one from workflows/.',
		'Everything stays up until Ctrl-C; the next `npm start` continues where you left off.',
	];
}
