import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startBrowser } from '../../harness/editor/browser.ts';
import { Editor } from '../../harness/editor/editor.ts';
import { installN8n } from '../../harness/n8n/install.ts';
import { packAndInstall } from '../../harness/n8n/package.ts';
import { startAutomation } from '../../harness/scenario/automation.ts';
import { startSandboxFixture } from '../../harness/scenario/sandboxFixture.ts';
import { Cleanup } from '../../harness/tools/cleanup.ts';
import { commandLine } from '../../harness/tools/commandLine.ts';
import { repositoryFolder } from '../../harness/tools/paths.ts';
import { terminal } from '../../harness/tools/terminal.ts';
import { photographConnections } from './connections.ts';
import { photographFirstWorkflow } from './firstWorkflow.ts';
import { photographNodes } from './nodes.ts';
import { photographSandbox } from './sandbox.ts';
import { Studio } from './studio.ts';
import { photographWorkflows } from './workflows.ts';
import { photographWrongSecret } from './wrongSecret.ts';

commandLine(
	'npm run screenshots --',
	'Takes the pictures of the documentation in a real n8n. The first run installs n8n: 2.2 GB, 3 to 5 minutes.',
).parse();

const reporter = terminal();
const cleanup = new Cleanup();
const folder = await mkdtemp(join(tmpdir(), 'card-platform-screenshots-'));

/** Takes the pictures of the documentation: in the real editor, and of the sandbox's dashboard. */
try {
	const run = { folder, cleanup };
	await installN8n({ reporter });
	await packAndInstall(join(folder, 'n8n'));
	const company = await startSandboxFixture(run);
	const { n8n, automation } = await startAutomation(run, company);
	const browser = await startBrowser();
	cleanup.defer(() => browser.close());
	const editor = await Editor.open(n8n, browser);
	const images = join(repositoryFolder, 'docs', 'images');
	const studio = new Studio(images, (file) => reporter.line(`docs/images/${file}`));
	await photographWorkflows(studio, editor, automation);
	await photographNodes(studio, editor, company, automation);
	await photographConnections(studio, editor, company);
	await photographWrongSecret(studio, editor, company);
	await photographSandbox(studio, browser, company);
	await photographFirstWorkflow(studio, browser, run);
} finally {
	await cleanup.run();
	await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
