import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEditor } from './editor.ts';
import { installPlayground } from './install.ts';
import { photographConnections } from './screenshots/connections.ts';
import { photographNodes } from './screenshots/nodes.ts';
import { photographSandbox } from './screenshots/sandbox.ts';
import { Studio } from './screenshots/studio.ts';
import { photographWorkflows } from './screenshots/workflows.ts';
import { Cleanup } from './tools/cleanup.ts';
import { repositoryFolder } from './tools/paths.ts';
import { terminal } from './tools/terminal.ts';

const tell = terminal();
const cleanup = new Cleanup();
const folder = await mkdtemp(join(tmpdir(), 'card-platform-screenshots-'));

/** Takes the pictures of the documentation: in the real editor, and of the sandbox's dashboard. */
try {
	const scene = { folder, cleanup };
	await installPlayground({ tell });
	const { company, browser, editor } = await openEditor(scene);
	const images = join(repositoryFolder, 'docs', 'images');
	const studio = new Studio(images, (file) => tell.line(`docs/images/${file}`));
	await photographWorkflows(studio, editor);
	await photographNodes(studio, editor, company);
	await photographConnections(studio, editor, company);
	await photographSandbox(studio, browser, company);
} finally {
	await cleanup.run();
	await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
