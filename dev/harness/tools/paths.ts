import { join, resolve } from 'node:path';

/** The root of the repository: the package that is built, packed and tried out. */
export const repositoryFolder = join(import.meta.dirname, '..', '..', '..');

/** Names the folder of another n8n than the pinned one, for all that runs n8n. */
export const n8nVariable = 'CARD_PLATFORM_N8N';

/** The n8n that runs: its package.json, lock file and node_modules. */
export const n8nFolder = resolve(
	process.env[n8nVariable] ?? join(repositoryFolder, 'dev', 'n8n', 'pinned'),
);

/** Where that n8n's own Node.js lies; n8n's task runner looks for `node` on the PATH. */
export const nodeFolder = join(n8nFolder, 'node_modules', 'node', 'bin');

/** The Node.js that n8n runs on, whatever the machine has. */
export const nodeProgram = join(nodeFolder, 'node');

/** n8n's command line, a script for {@link nodeProgram}. */
export const n8nScript = join(n8nFolder, 'node_modules', 'n8n', 'bin', 'n8n');

export const workflowsFolder = join(repositoryFolder, 'workflows');

/** The ready-made workflow that the demo and the e2e test import. */
export const workflowFile = join(workflowsFolder, 'auto-freeze-on-suspicious-event.json');
