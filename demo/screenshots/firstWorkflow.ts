import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Browser } from 'playwright-core';

import { Editor } from '../../harness/editor/editor.ts';
import { buildFirstWorkflow } from '../../harness/editor/firstWorkflow.ts';
import { N8nClient } from '../../harness/n8n/client.ts';
import { packAndInstall } from '../../harness/n8n/package.ts';
import type { RunContext } from '../../harness/scenario/sandboxFixture.ts';
import { assert } from '../../harness/tools/errors.ts';
import { choosePort } from '../../harness/tools/ports.ts';
import { usualN8nPort, usualSandboxPort } from '../ports.ts';
import { readSettings } from '../start/folder.ts';
import { startN8n } from '../start/n8n.ts';
import { startSandbox } from '../start/sandbox.ts';
import type { Studio } from './studio.ts';

/** A card of the account Operating. */
const card = { name: 'Team travel', lastFour: '7751' };

/**
 * Takes `first-workflow-1.png` to `-8.png`: "Your first workflow" in README.md, in what `npm start` starts.
 * Throws if a click does not do what it should.
 */
export async function photographFirstWorkflow(
	studio: Studio,
	browser: Browser,
	{ folder: parent, cleanup }: RunContext,
): Promise<void> {
	const folder = join(parent, 'start');
	await mkdir(folder);
	await packAndInstall(join(folder, 'n8n'));
	const settings = await readSettings(folder);
	const run = { folder, cleanup };
	const sandboxPort = await choosePort(undefined, usualSandboxPort);
	const { dashboard, baseUrl, apiKey, accountId } = await startSandbox(run, sandboxPort, settings);
	assert(apiKey !== undefined, 'The sandbox has no key', 'Remove its folder.');
	const { url } = await startN8n(run, await choosePort(undefined, usualN8nPort), settings);
	const n8n = new N8nClient({ url, owner: settings.owner, session: undefined });
	const editor = await Editor.open(n8n, browser);
	const setting = { editor, browser, dashboard, baseUrl, apiKey, accountId, card };
	await buildFirstWorkflow(setting, (step, ...parts) =>
		studio.takeTogether(`first-workflow-${step}`, parts, browser),
	);
}
