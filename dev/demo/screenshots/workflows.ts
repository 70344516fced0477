import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { Editor } from '../../harness/editor/editor.ts';
import { cardPlatform, readWorkflow, setUpWorkflow } from '../../harness/n8n/workflow.ts';
import type { Automation } from '../../harness/scenario/automation.ts';
import { workflowsFolder } from '../../harness/tools/paths.ts';
import { withResult } from './results.ts';
import type { Screenshots } from './screenshots.ts';

/** Credentials of other people's nodes, so that the pictures show workflows that are set up. */
const standIns = {
	'n8n-nodes-base.formTrigger': 'httpBasicAuth',
	'n8n-nodes-base.n8n': 'n8nApi',
	'n8n-nodes-base.slack': 'slackApi',
	'n8n-nodes-base.emailSend': 'smtp',
	'n8n-nodes-base.microsoftExcel': 'microsoftExcelOAuth2Api',
	'n8n-nodes-base.microsoftTeams': 'microsoftTeamsOAuth2Api',
	'n8n-nodes-base.googleSheets': 'googleSheetsOAuth2Api',
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
};

/** Whatever one of them requires. */
const standInData = {
	...{ user: 'none', password: 'none', host: 'localhost', port: 25 },
	...{ apiKey: 'none', baseUrl: 'http://localhost/api/v1', accessToken: 'none', clientId: 'none' },
};

async function allCredentials({ n8n }: Editor, { credentials }: Automation) {
	const api = credentials[cardPlatform.action];
	const all = { ...credentials, ...(api && { [cardPlatform.tool]: api }) };
	for (const [node, type] of Object.entries(standIns)) {
		all[node] = await n8n.addCredential(type, standInData);
	}
	return all;
}

/** The table of rules of "Spend policy", as a parameter of the node that reads it. */
async function tableOfRules({ n8n }: Editor) {
	const csv = await readFile(join(workflowsFolder, 'spend-policy.csv'), 'utf8');
	const id = await n8n.importDataTable('Spend policy', csv);
	return {
		resource: 'row',
		operation: 'get',
		returnAll: true,
		dataTableId: { __rl: true, mode: 'list', value: id, cachedResultName: 'Spend policy' },
	};
}

/** Captures `<name>.png` of every ready-made workflow but those {@link withResult}, as it looks once it is set up. */
export async function captureWorkflows(
	screenshots: Screenshots,
	editor: Editor,
	automation: Automation,
): Promise<void> {
	const credentials = await allCredentials(editor, automation);
	const rules = await tableOfRules(editor);
	const others: string[] = withResult.map((name) => `${name}.json`);
	const files = (await readdir(workflowsFolder)).filter(
		(file) => file.endsWith('.json') && !others.includes(file),
	);
	for (const file of files.sort()) {
		const workflow = setUpWorkflow(await readWorkflow(join(workflowsFolder, file)), credentials);
		// Without the notes, which nobody can read at this size.
		const steps = workflow.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
		const nodes = steps.map((node) => ({
			...node,
			id: node.name,
			...(node.name === 'Rules' && file === 'spend-policy.json' && { parameters: rules }),
		}));
		const id = await editor.n8n.addWorkflow({ ...workflow, nodes });
		const { page } = await editor.page(`/workflow/${id}`);
		await page.setViewportSize({ width: 2400, height: 1600 });
		await page
			.locator('.vue-flow__node')
			.nth(nodes.length - 1)
			.waitFor();
		await page.getByTestId('zoom-to-fit').click();
		// A node, the name below it, and the wires, also those that lead nowhere yet.
		const parts = page.locator(
			'.vue-flow__node, .vue-flow__node [class*="description"], .vue-flow__edge-path, [data-test-id="canvas-handle-plus-wrapper"]',
		);
		await screenshots.captureAround(basename(file, '.json'), parts);
		await page.close();
	}
}
