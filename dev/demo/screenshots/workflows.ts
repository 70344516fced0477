import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { Editor } from '../../harness/editor/editor.ts';
import {
	cardNode,
	cardPlatform,
	node,
	readWorkflow,
	setUpWorkflow,
	workflowOf,
} from '../../harness/n8n/workflow.ts';
import type { Automation } from '../../harness/scenario/automation.ts';
import type { SandboxFixture } from '../../harness/scenario/sandboxFixture.ts';
import { workflowsFolder } from '../../harness/tools/paths.ts';
import type { Screenshots } from './screenshots.ts';

/** Credentials of other people's nodes, so that the pictures show workflows that are set up. */
const standIns: Record<string, { type: string; data: object }> = {
	'n8n-nodes-base.formTrigger': {
		type: 'httpBasicAuth',
		data: { user: 'none', password: 'none' },
	},
	'n8n-nodes-base.n8n': {
		type: 'n8nApi',
		data: { apiKey: 'none', baseUrl: 'http://localhost/api/v1' },
	},
	'n8n-nodes-base.slack': { type: 'slackApi', data: { accessToken: 'none' } },
	'n8n-nodes-base.emailSend': {
		type: 'smtp',
		data: { user: 'none', password: 'none', host: 'localhost', port: 25 },
	},
	'n8n-nodes-base.microsoftExcel': {
		type: 'microsoftExcelOAuth2Api',
		data: { clientId: 'none' },
	},
	'n8n-nodes-base.microsoftTeams': {
		type: 'microsoftTeamsOAuth2Api',
		data: { clientId: 'none' },
	},
	'n8n-nodes-base.googleSheets': { type: 'googleSheetsOAuth2Api', data: { clientId: 'none' } },
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': { type: 'openAiApi', data: { apiKey: 'none' } },
};

async function allCredentials({ n8n }: Editor, { credentials }: Automation) {
	const api = credentials[cardPlatform.action];
	const all = { ...credentials, ...(api && { [cardPlatform.tool]: api }) };
	for (const [node, { type, data }] of Object.entries(standIns)) {
		all[node] = await n8n.addCredential(type, data);
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

/** Captures `<name>.png` of every ready-made workflow, as it looks once it is set up. */
export async function captureWorkflows(
	screenshots: Screenshots,
	editor: Editor,
	automation: Automation,
): Promise<void> {
	const credentials = await allCredentials(editor, automation);
	const rules = await tableOfRules(editor);
	const files = (await readdir(workflowsFolder)).filter((file) => file.endsWith('.json'));
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

/** The sandbox's "Old phone contract". */
const archivedCard = 'ca4d0000-0000-4000-8000-000000000007';

/** Captures the form of the polling trigger, and that of a freeze which the API refuses. */
export async function captureForms(
	screenshots: Screenshots,
	editor: Editor,
	{ credentials }: Automation,
): Promise<void> {
	const credential = credentials[cardPlatform.action];
	const pollTimes = { item: [{ mode: 'everyHour', minute: 0 }] };
	const cardId = { __rl: true, mode: 'id', value: archivedCard };
	const steps = [
		node('Events', cardPlatform.pollingTrigger, { parameters: { pollTimes }, credential }),
		cardNode('Freeze', { resource: 'card', operation: 'freeze', cardId }, credential),
	];
	const id = await editor.n8n.addWorkflow(workflowOf('Forms', steps, []));
	const events = (await editor.page(`/workflow/${id}/Events`)).page;
	await events.getByText('When will this node trigger my flow?').click();
	await screenshots.capture('polling-trigger', events.getByTestId('ndv'));
	await events.close();
	const { page } = await editor.page(`/workflow/${id}/Freeze`);
	await page.setViewportSize({ width: 1400, height: 600 });
	await page.getByTestId('node-execute-button').first().click();
	await page.getByText('Error details').waitFor();
	await screenshots.capture('error-output', page.getByTestId('ndv'));
	await page.close();
}

/** Captures what Connection: Test API says of an API with other names. */
export async function captureTestApi(
	screenshots: Screenshots,
	editor: Editor,
	{ credentials }: Automation,
	{ sandbox }: SandboxFixture,
): Promise<void> {
	await sandbox.setDialect('snake_case');
	const parameters = { resource: 'connection', operation: 'testApi' };
	const step = cardNode('Differences', parameters, credentials[cardPlatform.action]);
	const id = await editor.n8n.addWorkflow(workflowOf('Test API', [step], []));
	const { page } = await editor.page(`/workflow/${id}/Differences`);
	await page.setViewportSize({ width: 1900, height: 800 });
	await page.getByTestId('node-execute-button').first().click();
	const output = page.getByTestId('output-panel');
	await output.getByText('Paste into Parameter Names').first().waitFor();
	await screenshots.capture('test-api', output);
	await page.close();
	await sandbox.setDialect('default');
}
