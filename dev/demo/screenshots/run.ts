import { join } from 'node:path';

import { startBrowser } from '../../harness/editor/browser.ts';
import { openEditor } from '../../harness/editor/editor.ts';
import { installN8n } from '../../harness/n8n/install.ts';
import { packAndInstall } from '../../harness/n8n/package.ts';
import { startAutomation } from '../../harness/scenario/automation.ts';
import { startSandboxFixture } from '../../harness/scenario/sandboxFixture.ts';
import { commandLine, Option } from '../../harness/tools/commandLine.ts';
import { temporaryFolder } from '../../harness/tools/folders.ts';
import { repositoryFolder } from '../../harness/tools/paths.ts';
import { runProgram } from '../../harness/tools/program.ts';
import { captureFirstWorkflow } from './firstWorkflow.ts';
import { captureForms, captureTestApi } from './forms.ts';
import { captureResults } from './results.ts';
import { screenshotsIn } from './screenshots.ts';
import { captureWorkflows } from './workflows.ts';

const parts = ['forms', 'test-api', 'workflows', 'results', 'first-workflow'] as const;

const { only = parts } = commandLine(
	'npm run screenshots --',
	'Takes every picture of the documents, in a real n8n.',
)
	.addOption(new Option('--only <parts...>', 'take only these').choices(parts))
	.parse()
	.opts();
const isTaken = (part: (typeof parts)[number]) => (only as readonly string[]).includes(part);

await runProgram(async ({ report, cleanup }) => {
	const run = { folder: await temporaryFolder('screenshots', cleanup), cleanup };
	await installN8n({ report });
	await packAndInstall(join(run.folder, 'n8n'));
	const company = await startSandboxFixture(run);
	const { n8n, automation } = await startAutomation(run, company);
	const browser = await startBrowser();
	cleanup.defer(() => browser.close());
	const editor = await openEditor(n8n, browser);
	const images = join(repositoryFolder, 'docs', 'images');
	const screenshots = screenshotsIn(images, (file) => report(`docs/images/${file}`));
	if (isTaken('forms')) await captureForms(screenshots, editor, automation);
	if (isTaken('test-api')) await captureTestApi(screenshots, editor, automation, company);
	if (isTaken('workflows')) await captureWorkflows(screenshots, editor, automation);
	if (isTaken('results')) await captureResults(screenshots, browser, n8n, automation, company);
	if (!isTaken('first-workflow')) return;
	const clicks = await captureFirstWorkflow(screenshots, browser, run);
	report(`The first workflow took ${clicks} clicks.`);
});
