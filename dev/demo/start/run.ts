import { join, resolve } from 'node:path';

import getPort from 'get-port';

import type { N8nProcess } from '../../harness/n8n/process.ts';
import { commandLine, integer } from '../../harness/tools/commandLine.ts';
import { UserError } from '../../harness/tools/errors.ts';
import { removeFolder, type RunContext } from '../../harness/tools/folders.ts';
import { repositoryFolder } from '../../harness/tools/paths.ts';
import { startProcess, stopProcess } from '../../harness/tools/processes.ts';
import { type Report, runProgram } from '../../harness/tools/program.ts';
import { installationSteps, stayUp, stepsOf, usualPorts } from '../steps.ts';
import { readSettings, startN8n, startSandbox } from './services.ts';

/** What to do when the data of earlier starts cannot be used. */
const startAfresh =
	'Start afresh with `npm start -- --reset`: it deletes the workflows, credentials and data of earlier starts.';

const port = integer(1, 65_535);

const options = commandLine(
	'npm start --',
	'Starts n8n with this package, the sandbox and an empty canvas; stays up until Ctrl-C. The next start continues where you left off.',
)
	.option('--reset', 'start afresh: delete the workflows, credentials and data of earlier starts')
	.option('--n8n-port <port>', 'part of every webhook URL: keep to one', port, usualPorts.n8n)
	.option('--sandbox-port <port>', 'part of the Base URL: keep to one', port, usualPorts.sandbox)
	.option(
		'--folder <folder>',
		'where workflows, credentials and data are kept',
		(folder) => resolve(folder),
		`${repositoryFolder}/.playground`,
	)
	.parse()
	.opts();

await runProgram(async ({ report, cleanup }) => {
	const { folder } = options;
	cleanup.defer(() => {
		report(`\nn8n and the sandbox have ended. Your workflows and data are in ${folder}.`);
	});
	const run = { folder, cleanup };
	const n8n = await runSteps(report, run);
	compileEdits(report, run);
	await stayUp(n8n);
});

/** Brings everything up, and prints where it is and what to do next. Throws when a step fails. */
async function runSteps(report: Report, run: RunContext): Promise<N8nProcess> {
	await ensureFree(options.sandboxPort, '--sandbox-port');
	await ensureFree(options.n8nPort, '--n8n-port');
	if (options.reset) await removeFolder(run.folder);
	const settings = await readSettings(run.folder).catch((cause: unknown) => {
		throw new UserError('The settings of earlier starts cannot be read', startAfresh, { cause });
	});

	const step = stepsOf(report, startAfresh);
	await installationSteps(report, step, run);
	const { dashboard, baseUrl, apiKey, keyScope, accountId } = await step(
		'The sandbox: a card platform and a small company',
		() => startSandbox(run, options.sandboxPort),
	);
	const n8n = await step('n8n', () => startN8n(run, options.n8nPort, settings));
	const { email, password } = settings.owner;
	report(`
n8n editor          ${n8n.url}/workflow/new
                    sign in as ${email} with the password ${password}
Its log             ${n8n.process.logFile}
Time zone           ${n8n.timeZone}
Dashboard           ${dashboard}
Base URL            ${baseUrl}
API Key             ${apiKey}
Key Scope           ${keyScope === 'customer' ? 'Customer' : 'Account'}
Default Account ID  ${accountId}

Name a credential for what it may do: Card Platform (full access), or with Read Only on, Card Platform (read only).

Next: open the n8n editor. Build "Your first workflow" from README.md, or import one from workflows/.
After an edit in nodes/ or credentials/, n8n reloads the nodes: reload the editor, too.
Everything stays up until Ctrl-C; the next \`npm start\` continues where you left off.
`);
	return n8n.process;
}

/** Throws if a port is taken; `option` chooses another one. */
async function ensureFree(port: number, option: string): Promise<void> {
	if ((await getPort({ port })) === port) return;
	throw new UserError(`Port ${port} is taken`, `Choose another one with ${option}.`);
}

/** Compiles what is edited into the package that n8n has installed, and shows what the compiler says. */
function compileEdits(report: Report, { folder, cleanup }: RunContext): void {
	const tsc = join(repositoryFolder, 'node_modules', 'typescript', 'bin', 'tsc');
	const installed = join(folder, 'n8n', '.n8n', 'nodes', 'node_modules', 'n8n-nodes-card-platform');
	const project = ['-p', 'tsconfig.build.json', '--outDir', join(installed, 'dist')];
	const compiler = startProcess(
		process.execPath,
		[tsc, ...project, '--watch', '--preserveWatchOutput'],
		{ cwd: repositoryFolder, onOutput: (text) => report(text.trim()) },
	);
	cleanup.defer(() => stopProcess(compiler));
}
