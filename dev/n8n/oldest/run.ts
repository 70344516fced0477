import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { installN8n } from '../../harness/n8n/install.ts';
import { n8nIn } from '../../harness/n8n/version.ts';
import { commandLine } from '../../harness/tools/commandLine.ts';
import { n8nVariable, repositoryFolder } from '../../harness/tools/paths.ts';
import { runProcess } from '../../harness/tools/processes.ts';
import { runProgram } from '../../harness/tools/program.ts';

/** What `--smoke` runs: the test files below test/, without .n8n.test.ts. */
const smokeTests = [
	'actions/operations',
	'polling/polling',
	'workflows/watches',
	'transfers/transfers',
	'trigger/trigger',
	'workflows/freeze-on-event',
	'workflows/spend-policy',
	'workflows/bookkeeping-file',
	'workflows/tell-me-when-the-api-changes',
];

const options = commandLine(
	'npm run test:compat --',
	'Runs the end-to-end tests, without those in the editor, on the oldest supported n8n.',
)
	.option('--smoke', 'only the tests that show most')
	.parse()
	.opts();

// Those of the editor and of our own scripts say nothing about an n8n.
const tests = options.smoke
	? String.raw`test/(${smokeTests.join('|')})\.n8n\.test\.ts$`
	: String.raw`^(?!.*([/.]editor\.|/package/)).*\.n8n\.test\.ts$`;
const projects = options.smoke ? ['n8n'] : ['n8n', 'nightly-n8n'];

await runProgram(async ({ report }) => {
	const lost = smokeTests.filter(
		(name) => !existsSync(join(repositoryFolder, 'test', `${name}.n8n.test.ts`)),
	);
	if (lost.length > 0) throw new Error(`There is no such test: ${lost.join(', ')}`);
	// Its package.json and lock file are in this folder.
	const folder = import.meta.dirname;
	await installN8n({ report, folder });
	const jest = join(repositoryFolder, 'node_modules', 'jest', 'bin', 'jest.js');
	const selected = ['--selectProjects', ...projects, '--testPathPatterns', tests];
	await runProcess(process.execPath, [jest, ...selected, '--maxWorkers', '2'], {
		cwd: repositoryFolder,
		env: { ...process.env, [n8nVariable]: folder },
		onOutput: (text) => process.stdout.write(text),
	}).catch(() => {
		throw new Error(`Tests fail on n8n ${n8nIn(folder).n8n}.`);
	});
	report('All checks passed.');
});
